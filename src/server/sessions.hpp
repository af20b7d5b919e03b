// All matches that are open, by id. Ids are random, so that nobody guesses another's. One that
// nobody looks at keeps no trees, and ends when others want its place or after a long time: its
// page has the link and opens it again.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "server/session.hpp"
#include "server/thinkers.hpp"

namespace polymax::server {

class Sessions {
 public:
  explicit Sessions(const House& house) : house_(house), thinkers_(house) {}
  ~Sessions();

  // Throws Refused 503 when there are too many.
  std::shared_ptr<Session> open(const Truth& truth);
  // Throws Refused 404.
  std::shared_ptr<Session> find(const std::string& id);
  void wake(const std::shared_ptr<Session>& session) { thinkers_.wake(session); }
  void end_idle();
  std::size_t count() const;
  const Thinkers& thinkers() const { return thinkers_; }

 private:
  using ById = std::map<std::string, std::shared_ptr<Session>>;

  // Finds a place for it (null: only looks for one). Throws Refused 503 when all are taken by
  // sessions that somebody looks at.
  void admit(const std::shared_ptr<Session>& session);
  ById::iterator longest_unwatched();  // with the lock held
  void end(const std::vector<std::shared_ptr<Session>>& ended);

  const House& house_;
  mutable std::mutex mutex_;
  ById sessions_;
  Thinkers thinkers_;
};

// 26 letters and digits, 130 bits from the system's source.
std::string random_id();

}  // namespace polymax::server

// All matches that are open, by id. Ids are random, so that nobody guesses another's.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

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
  void refuse_more(std::size_t open) const;  // throws Refused 503 when so many are the limit

  const House& house_;
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Session>> sessions_;
  Thinkers thinkers_;
};

// 26 letters and digits, 130 bits from the system's source.
std::string random_id();

}  // namespace polymax::server

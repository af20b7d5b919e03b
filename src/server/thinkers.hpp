// A bounded number of threads that think for all sessions. Sessions that want something stand in
// one line, each once; one that is served and wants more goes to its end. A patient search
// (analysis) is interrupted after a while when others wait, and goes on when its turn comes again.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_set>
#include <vector>

#include "server/kept_engines.hpp"
#include "server/session.hpp"

namespace polymax::server {

class Thinkers {
 public:
  explicit Thinkers(const House& house);
  ~Thinkers();  // stops all searches

  // Something may have changed in what the session wants.
  void wake(const std::shared_ptr<Session>& session);
  // The trees of these sessions: nobody looks at them.
  void forget(const std::unordered_set<std::string>& sessions) { engines_.forget(sessions); }

  std::size_t waiting() const;
  std::size_t kept_bytes() const { return engines_.bytes(); }

 private:
  struct Waiting {
    Clock::time_point at;
    std::shared_ptr<Session> session;
  };

  void work(const std::stop_token& stop);
  std::shared_ptr<Session> next(const std::stop_token& stop);
  void serve(const std::shared_ptr<Session>& session, const std::stop_token& stop);
  void think(Session& session, Job job, const std::stop_token& stop);

  const House& house_;
  KeptEngines engines_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<Waiting> line_;
  std::uint64_t woken_ = 0;  // how often the line has changed
  std::vector<std::jthread> threads_;
};

}  // namespace polymax::server

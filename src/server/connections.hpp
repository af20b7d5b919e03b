// Threads for connections: made when they are needed, up to a limit, and ended after some idle
// seconds. Connections beyond the limit wait.
#pragma once

#include <httplib.h>

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>

namespace polymax::server {

class Connections final : public httplib::TaskQueue {
 public:
  explicit Connections(std::size_t most) : most_(most) {}
  ~Connections() override { shutdown(); }

  void enqueue(std::function<void()> task) override;
  void shutdown() override;  // waits for all

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable wanted_, ended_;
  std::deque<std::function<void()>> tasks_;
  std::size_t most_, threads_ = 0, resting_ = 0;
  bool closing_ = false;
};

}  // namespace polymax::server

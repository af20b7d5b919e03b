// A worker: plays matches against itself with the newest network of a trainer's folder and leaves
// the lessons in the exchange folder (exchange.hpp). Quick matches share a file. It waits when the
// trainer is far behind.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>

#include "learn/exchange.hpp"
#include "learn/pauses.hpp"
#include "learn/source.hpp"

namespace polymax::learn {

struct WorkerReport {
  std::uint64_t matches = 0, evaluations = 0;  // of this start, as are the seconds
  std::uint64_t net_steps = 0;                 // of the network in use
  double seconds = 0;
  std::size_t unread = 0;
  bool waits = false;  // for the trainer
};

struct WorkerPlan {
  std::uint64_t matches = 0;   // of this start; 0 = no limit
  double seconds = 0;          // of this start; 0 = no limit
  std::size_t unread = 100;    // lessons that may lie unread
  std::size_t in_a_file = 64;  // lessons, at most
  double file_every = 1;       // seconds after which lessons are written, however few
  double report_every = 10;
  std::function<void(const WorkerReport&)> on_report;
  std::stop_token stop;
};

enum class WorkerEnd { planned, stopped, over };  // over: the trainer has all it wanted

// Waits for the first network; waits() is told once when it is not there yet. Nothing: the end came
// first: a stop, the end of the training, or `seconds` (0: no such end).
std::optional<Net> first_net(NetWatch& watch, const WorkerFolder& folder,
                             const std::stop_token& stop, const std::function<void()>& waits,
                             double seconds = 0);

class Worker {
 public:
  // The matches run already, with that net.
  Worker(const Subject& subject, WorkerPlan plan, WorkerFolder& folder, NetWatch& watch,
         SelfPlay& matches, const Net& net);

  // Lessons of finished matches are written before it returns, up to those planned. Throws Error
  // when the network changes its shape or its turning.
  WorkerEnd run();
  const WorkerReport& report() const { return report_; }

 private:
  using Clock = std::chrono::steady_clock;

  bool enough() const;  // matches
  bool planned_end() const;
  void take(std::chrono::milliseconds wait);
  void write();
  void look();
  void look_at_unread(Clock::time_point now);

  WorkerPlan plan_;
  WorkerFolder& folder_;
  NetWatch& watch_;
  SelfPlay& matches_;
  NetShape shape_;
  WorkerReport report_;
  LessonFile lessons_;
  std::size_t bytes_ = 0;
  Clock::time_point begin_, written_, looked_, reported_, count_at_;
  Pauses pauses_{std::chrono::milliseconds(50), std::chrono::milliseconds(2000)};
  bool over_ = false;
};

}  // namespace polymax::learn

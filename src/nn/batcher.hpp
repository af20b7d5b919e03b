// Joins the requests of many threads into batches for one device. Callers write their planes
// straight into the open batch, sleep until it is computed, and read their values from it.
//
// What makes it fast: several lanes are in flight, and when a batch is done the next one is
// launched before its callers are woken. A batch is launched when it is full, or just before the
// device has nothing left to do, as far as the times of the last batches tell. A caller that finds
// an idle device and nobody beside it launches and waits by itself, without the service threads.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "nn/device.hpp"

namespace polymax {

struct BatcherSettings {
  int limit = 4096;  // positions of a full batch; at most the device's
  double lead =
      0.0002;  // seconds before the device runs dry when the next batch is launched, full or not
};

struct BatcherStatistics {
  std::uint64_t batches = 0, positions = 0, requests = 0;
  double queued_seconds = 0;  // of all batches: from the first reservation to the launch
  double busy_seconds = 0;    // with at least one lane at work
  double seconds = 0;         // since the batcher was made

  double mean_batch() const {
    return batches == 0 ? 0 : static_cast<double>(positions) / static_cast<double>(batches);
  }
  double utilisation() const { return seconds == 0 ? 0 : busy_seconds / seconds; }
};

// How long a batch takes: a straight line through the last ones, older ones counting less and less.
class BatchTime {
 public:
  void add(double positions, double seconds);
  double operator()(double positions) const;

 private:
  double n_ = 0, x_ = 0, y_ = 0, xx_ = 0, xy_ = 0;  // sums
};

class Batcher {
 public:
  Batcher(std::unique_ptr<Device> device, const BatcherSettings& settings);

  // Callers still inside get an Error; returns when all have left.
  ~Batcher();
  Batcher(const Batcher&) = delete;
  Batcher& operator=(const Batcher&) = delete;

  // Any thread. Throws what the device threw for a batch of this request.
  void evaluate(std::span<const std::uint64_t> planes, std::span<float> values);

  // Waits for the batches in flight; later batches are computed with the new weights, none with a
  // mixture.
  void set_weights(const Net& net);

  const NetShape& shape() const { return device_->shape(); }
  BatcherStatistics statistics() const;
  std::string state() const;  // who waits for what, in words, for somebody who looks for a fault

 private:
  struct Batch;
  struct Part {
    Batch* batch = nullptr;
    int first = 0, count = 0;
  };
  using Lock = std::unique_lock<std::mutex>;

  Part reserve(Lock& lock, int wanted);
  std::exception_ptr compute(std::span<const std::uint64_t> planes, float* values);
  Part write(std::span<const std::uint64_t> planes);
  void read(const Part& part, float* values, std::exception_ptr& error);
  bool compute_alone(Lock& lock, Batch& batch);
  void add_batch();
  void make_room(Lock& lock);
  void close_open();
  void queue_if_complete(Batch& batch);
  bool launch_ready(Lock& lock);
  void complete(Lock& lock, int lane, std::exception_ptr error);
  void lane_started(int lane);
  void lane_ended(int lane);
  bool should_close_open() const;
  std::chrono::milliseconds longest_sleep() const;
  void stop_serving();
  void serve_launches();
  void serve_completions();

  std::unique_ptr<Device> device_;
  BatcherSettings settings_;
  std::size_t words_, players_;

  mutable std::mutex mutex_;
  std::condition_variable launch_, completion_, idle_, made_;
  std::vector<std::unique_ptr<Batch>> batches_;
  std::vector<Batch*> free_, ready_;  // ready_: closed and completely written, oldest first
  Batch* open_ = nullptr;
  std::vector<Batch*> in_lane_;  // null = idle
  std::vector<int> running_;     // lanes in the order of their launch, for the completer
  std::vector<double> started_;  // of each lane
  BatchTime time_;
  double ended_ = 0, dry_ = 0;  // when a lane ended last; when all lanes will have
  std::atomic<int> busy_lanes_ = 0, callers_ = 0;
  std::atomic<std::uint64_t> requests_ = 0;
  bool stopping_ = false, paused_ = false, making_ = false;
  BatcherStatistics statistics_;
  double busy_since_ = 0, begin_;
  std::thread launcher_, completer_;
};

}  // namespace polymax

// One device for all networks. Callers write their planes straight into the open batch of their
// network, sleep until it is computed, and read their values from it; the batches of all networks
// share the device's lanes. A network is a flat piece of memory that is copied into a lane before
// its batch: networks of one shape share graphs and buffers, made when they are first asked for.
//   Lanes    several are in flight; when a batch is done the next one is launched before its
//            callers are woken. Some lanes are for small batches, which so pass the large ones
//   Launch   when a batch is full, or just before the device has nothing left to do, as far as the
//            times of the last batches tell; then the fullest
//   Turns    with several networks one that has waited longer than a batch takes goes first, the
//            oldest of these before the others: nobody waits for more than a round of all networks
//   Alone    a caller that finds an idle device and nobody beside it launches and waits by itself,
//            without the service threads
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
#include "nn/device_memory.hpp"

namespace polymax {

struct ServiceSettings {
  // Seconds before the device runs dry when the next batch is launched, full or not.
  double lead = 0.0002;
  // Seconds after which a waiting network goes before others, at the latest.
  double patience = 0.0003;
  std::size_t memory = 0;  // bytes of the device that may be used; 0 = what it says
};

struct ServiceStatistics {
  std::uint64_t batches = 0, positions = 0, requests = 0;
  std::uint64_t computed = 0;  // positions with those that batches were padded with
  std::uint64_t swaps = 0;     // batches of another network than the one before in their lane
  double queued_seconds = 0;   // of all batches: from the first reservation to the launch
  double busy_seconds = 0;     // with at least one lane at work
  double seconds = 0;          // since the service was made

  double mean_batch() const {
    return batches == 0 ? 0 : static_cast<double>(positions) / static_cast<double>(batches);
  }
  double fill() const {
    return computed == 0 ? 0 : static_cast<double>(positions) / static_cast<double>(computed);
  }
  double utilisation() const { return seconds == 0 ? 0 : busy_seconds / seconds; }
};

// What was done between two moments.
ServiceStatistics operator-(const ServiceStatistics& now, const ServiceStatistics& before);

class ServedNet;

class NetService {
 public:
  NetService(std::unique_ptr<Device> device, const ServiceSettings& settings);

  // Callers still inside get an Error; returns when all have left. Handles may live on, unused.
  ~NetService();
  NetService(const NetService&) = delete;
  NetService& operator=(const NetService&) = delete;

  // A network for callers. most: positions of a batch.
  std::unique_ptr<ServedNet> serve(const Net& net, int most, BatchMode mode = BatchMode::best);

  const Device& device() const { return *device_; }
  ServiceStatistics statistics() const;
  std::uint64_t positions_of(const NetShape& shape) const;  // of all networks of this shape so far
  DeviceMemoryUse memory() const { return memory_.use(); }
  std::string state() const;  // who waits for what, in words, for somebody who looks for a fault

  // Positions a second of the device alone with this network, batch after batch of these positions
  // (the network's largest batch of them, repeated). Nobody else may be inside.
  double raw_rate(ServedNet& net, std::span<const std::uint64_t> planes, double seconds);

 private:
  friend class ServedNet;
  struct Batch;
  struct Shape;
  struct Queue;
  struct Part {
    Batch* batch = nullptr;
    int first = 0, count = 0;
    int first_move = 0;
  };
  using Lock = std::unique_lock<std::mutex>;

  // service.cpp: the callers' side
  Shape& shape_of(const BatchShape& wanted);
  // What a caller asks for: all of it, of which `done` positions are dealt with elsewhere.
  struct Request {
    std::span<const std::uint64_t> planes;
    float* values;
    const MoveQuery* moves;  // null: values alone
    std::size_t done = 0;
  };

  void evaluate(Queue& queue, std::span<const std::uint64_t> planes, std::span<float> values,
                const MoveQuery* moves);
  std::shared_ptr<NetWeights> packed(const Net& net) const;
  void set_weights(std::span<Queue* const> queues, const Net& net);
  void prepare(Lock& lock, Shape& shape);
  std::exception_ptr compute(Queue& queue, const Request& request, std::size_t count);
  Part reserve(Lock& lock, Queue& queue, const Request& request, int wanted);
  Part write(Queue& queue, const Request& request, std::size_t count);
  static void write_moves(const Part& part, const MoveQuery& moves, std::size_t first);
  void read(const Part& part, const Request& request, std::exception_ptr& error);
  bool compute_alone(Lock& lock, Batch& batch);
  void add_batch(Shape& shape);
  void make_room(Lock& lock, Shape& shape);

  // service_lanes.cpp: what runs next, and the service threads
  void close_open(Queue& queue);
  void queue_if_complete(Batch& batch);
  double lead_of(const Batch& batch) const;
  static double waits_since(const Batch& batch);
  double due(const Batch& batch) const;
  int lane_for(const Batch& batch, bool several) const;
  struct Choice {
    Batch* batch = nullptr;
    int lane = -1;
  };
  Choice choose(double time, bool several) const;
  Choice take_next(bool several);
  bool launch_next(Lock& lock);
  std::exception_ptr launch(Lock& lock, int lane, Batch& batch);
  void complete(Lock& lock, int lane, std::exception_ptr error);
  void lane_started(int lane);
  void lane_ended(int lane);
  std::chrono::duration<double> longest_sleep() const;
  void stop_serving();
  void prepare_wanted(Lock& lock);
  void serve_launches();
  void serve_completions();

  std::unique_ptr<Device> device_;
  ServiceSettings settings_;
  DeviceMemory memory_;

  mutable std::mutex mutex_;
  std::condition_variable launch_, completion_, idle_, made_;
  std::vector<std::unique_ptr<Shape>> shapes_;
  std::vector<Shape*> wanted_;   // to be prepared; nothing is launched until they are
  std::vector<Batch*> ready_;    // closed and completely written, oldest first
  std::vector<Batch*> opened_;   // one of each network that has any, oldest first
  std::vector<Batch*> in_lane_;  // null = idle
  std::vector<const NetWeights*> last_in_lane_;  // only compared
  std::vector<int> running_;        // lanes in the order of their launch, for the completers
  std::vector<double> started_;     // of each lane
  double ended_ = 0, idle_at_ = 0;  // when a lane ended last; when all lanes will have
  std::atomic<int> busy_lanes_ = 0, callers_ = 0;
  std::atomic<int> networks_ = 0;  // with callers
  std::atomic<std::uint64_t> requests_ = 0;
  bool stopping_ = false;
  ServiceStatistics statistics_;
  double busy_since_ = 0, begin_;
  std::jthread launcher_;
  std::vector<std::jthread> completers_;  // as many as lanes: waking callers takes a while
};

// One network of a service. Callers have left before it ends.
class ServedNet {
 public:
  // Any thread. Throws what the device threw for a batch of this request.
  void evaluate(std::span<const std::uint64_t> planes, std::span<float> values);

  // The same, and the logits of the asked moves; the network has a second head.
  void evaluate(std::span<const std::uint64_t> planes, std::span<float> values,
                const MoveQuery& moves);

  // Batches that begin later are computed with the new weights, none with a mixture.
  void set_weights(const Net& net);

  const NetShape& shape() const;
  int most() const;                 // positions of a batch
  std::uint64_t evaluated() const;  // positions so far

 private:
  friend class NetService;
  ServedNet(NetService& service, std::shared_ptr<NetService::Queue> queue,
            std::shared_ptr<NetService::Queue> with_moves)
      : service_(&service), queue_(std::move(queue)), with_moves_(std::move(with_moves)) {}

  NetService* service_;
  std::shared_ptr<NetService::Queue> queue_, with_moves_;  // the second: null without a second head
};

}  // namespace polymax

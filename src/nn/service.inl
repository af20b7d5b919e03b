// What the two halves of the service share: its batches, shapes and queues. For service*.cpp alone.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>

#include "core/clock.hpp"
#include "core/error.hpp"
#include "nn/batch_time.hpp"
#include "nn/futex.hpp"
#include "nn/service.hpp"

namespace polymax {

// Nobody here sleeps longer without a look at what it waits for: were a notification ever lost, it
// would cost so much time and no more.
inline constexpr std::chrono::milliseconds kLook{4};  // the service threads, with callers inside
inline constexpr std::chrono::milliseconds kLookIdle{100};   // and without
inline constexpr std::chrono::milliseconds kLookAtDone{50};  // a caller

inline std::exception_ptr closed_error() {
  return std::make_exception_ptr(Error("the service was closed", Error::Kind::failed));
}

// Callers touch a batch without the lock: they copy in and out, count what they copied, and sleep
// on `done`. A batch with a request in it always has somebody who brings it on:
// - open (Queue::open, opened_): the launcher, which never sleeps longer than kLook while there are
//   callers, and every lane that ends. One of them closes it, at the latest when it is written and
//   no lane is at work.
// - closed, not written: its last writer. It finds the batch closed, or who closed it found it
//   written (`closed` and `committed` are each set before the other is read); whoever it is queues
//   it. Writers wait for nothing.
// - queued (ready_): the launcher, and every lane that ends.
// - in a lane: the thread that launches it; then a completer (running_), or that thread when it
//   is a lone caller.
// - done: its readers, who look at `done` before and after they sleep. The last one frees it.
// Whether a batch is queued is decided under the lock alone: closing one that is written leaves it
// queued, and nobody queues it again. It is not used again before all its callers have read: a late
// look at it sees the same batch.
struct NetService::Batch {
  Shape* shape = nullptr;
  std::unique_ptr<HostBatch> memory;
  Queue* queue = nullptr;               // whose it is, while somebody waits for it
  std::shared_ptr<NetWeights> weights;  // under the lock, from its launch on
  int reserved = 0, moves = 0;          // changed under the lock until the batch is closed
  std::atomic<int> committed = 0;       // positions written
  std::atomic<int> readers = 0;         // parts that have not been read yet
  std::atomic<int> done = 0;            // 1: values or `error` are there
  std::atomic<bool> closed = false;     // no more reservations; set under the lock
  bool queued = false;                  // under the lock: it is or was in ready_
  bool left_lane = false;               // under the lock: who took it from its lane will finish it
  double opened = 0;                    // time of the first reservation
  std::exception_ptr error;

  void reset(Queue& owner) {
    queue = &owner;
    reserved = moves = 0;
    committed = readers = done = 0;
    closed = queued = left_lane = false;
    error = nullptr;
    opened = wall_seconds();
  }

  bool written() const { return committed == reserved; }
  bool complete() const { return closed && written(); }

  void finish(std::exception_ptr why) {
    error = std::move(why);
    done = 1;
    futex_wake_all(done);
  }
};

// Graphs, buffers and batches of one shape.
struct NetService::Shape {
  BatchShape settings;
  std::size_t words, players;
  std::unique_ptr<DeviceShape> device;  // null until it is first asked for
  std::atomic<bool> usable = false;
  std::uint64_t attempts = 0;  // to prepare it, ended; this and below: under the lock
  std::exception_ptr error;    // of the last one
  std::vector<std::unique_ptr<Batch>> batches;
  std::vector<Batch*> free;
  bool making = false;  // another batch
  BatchTime time;
  std::uint64_t positions = 0;  // computed

  explicit Shape(const BatchShape& wanted)
      : settings(wanted),
        words(static_cast<std::size_t>(wanted.net.input.words())),
        players(static_cast<std::size_t>(wanted.net.players)) {}

  double time_of(int count) const { return time(device->computed(count)); }
};

// The requests of one network.
struct NetService::Queue {
  Shape& shape;
  std::shared_ptr<NetWeights> weights;  // this and below: under the lock
  Batch* open = nullptr;
  double launched = 0;  // when a batch was last
  std::atomic<int> callers = 0;
  std::atomic<std::uint64_t> evaluated = 0;

  int limit() const { return shape.device->most(); }  // once it is usable
};

}  // namespace polymax

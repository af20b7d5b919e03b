#include "nn/batcher.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>

#include "core/error.hpp"
#include "nn/futex.hpp"

namespace polymax {

namespace {

using Seconds = std::chrono::duration<double>;

// Nobody here sleeps longer without a look at what it waits for: were a notification ever lost, it
// would cost so much time and no more.
constexpr std::chrono::milliseconds kLook{4};         // the service threads, with callers inside
constexpr std::chrono::milliseconds kLookIdle{100};   // and without
constexpr std::chrono::milliseconds kLookAtDone{50};  // a caller
constexpr double kShortest = 5e-5;                    // seconds between looks at an open batch

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::exception_ptr closed_error() {
  return std::make_exception_ptr(Error("the batcher was closed", Error::Kind::failed));
}

}  // namespace

void BatchTime::add(double positions, double seconds) {
  constexpr double kKept = 0.97;
  n_ = kKept * n_ + 1;
  x_ = kKept * x_ + positions;
  y_ = kKept * y_ + seconds;
  xx_ = kKept * xx_ + positions * positions;
  xy_ = kKept * xy_ + positions * seconds;
}

double BatchTime::operator()(double positions) const {
  if (n_ == 0) return 0;
  const double x = x_ / n_, y = y_ / n_, spread = xx_ / n_ - x * x;
  const double slope = spread > 1e-3 * x * x ? (xy_ / n_ - x * y) / spread : y / x;
  return std::max(0.0, y + std::clamp(slope, 0.0, y / x) * (positions - x));
}

// Callers touch a batch without the lock: they copy in and out, count what they copied, and sleep
// on `done`. A batch with a request in it always has somebody who brings it on:
// - open (open_): the launcher, which never sleeps longer than kLook while there are callers, and
// every lane that ends.
//   One of them closes it, at the latest when it is written and no lane is at work.
// - closed, not written: its last writer. It finds the batch closed, or who closed it found it
// written (`closed` and
//   `committed` are each set before the other is read); whoever it is queues it. Writers wait for
//   nothing.
// - queued (ready_): the launcher, and every lane that ends.
// - in a lane: the thread that launches it; then the completer (running_), or that thread when it
// is a lone caller.
// - done: its readers, who look at `done` before and after they sleep. The last one frees it.
// Whether a batch is queued is decided under the lock alone: closing one that is written leaves it
// queued, and nobody queues it again. It is not used again before all its callers have read: a late
// look at it sees the same batch.
struct Batcher::Batch {
  std::unique_ptr<HostBatch> memory;
  int reserved = 0;                  // changed under the lock until the batch is closed
  std::atomic<int> committed = 0;    // positions written
  std::atomic<int> readers = 0;      // parts that have not been read yet
  std::atomic<int> done = 0;         // 1: values or `error` are there
  std::atomic<bool> closed = false;  // no more reservations; set under the lock
  bool queued = false;               // under the lock: it is or was in ready_
  bool left_lane = false;            // under the lock: who took it from its lane will finish it
  double opened = 0;                 // time of the first reservation
  std::exception_ptr error;

  void reset() {
    reserved = 0;
    committed = readers = done = 0;
    closed = queued = left_lane = false;
    error = nullptr;
  }

  bool complete() const { return closed && committed == reserved; }

  void finish(std::exception_ptr why) {
    error = std::move(why);
    done = 1;
    futex_wake_all(done);
  }
};

Batcher::Batcher(std::unique_ptr<Device> device, const BatcherSettings& settings)
    : device_(std::move(device)),
      settings_(settings),
      words_(static_cast<std::size_t>(device_->shape().input.words())),
      players_(static_cast<std::size_t>(device_->shape().players)),
      in_lane_(static_cast<std::size_t>(device_->lanes()), nullptr),
      started_(in_lane_.size()),
      begin_(now()) {
  settings_.limit = std::clamp(settings_.limit, 1, device_->max_batch());
  // About as many as are filled, computed and read at a time: memory that a device can read takes
  // long to make.
  for (int i = 0; i < 2 * device_->lanes() + 4; ++i) add_batch();
  launcher_ = std::thread([this] { serve_launches(); });
  try {
    completer_ = std::thread([this] { serve_completions(); });
  } catch (...) {  // the system has no more threads: the first must end before it is destroyed
    stop_serving();
    throw;
  }
}

void Batcher::stop_serving() {
  {
    const Lock lock(mutex_);
    stopping_ = true;
    launch_.notify_all();
    completion_.notify_all();
  }
  launcher_.join();
  if (completer_.joinable()) completer_.join();
}

Batcher::~Batcher() {
  stop_serving();
  {
    const Lock lock(mutex_);
    for (const auto& batch : batches_)
      if (!batch->left_lane) batch->finish(closed_error());
  }
  while (callers_ != 0) std::this_thread::sleep_for(std::chrono::microseconds(100));
}

BatcherStatistics Batcher::statistics() const {
  const Lock lock(mutex_);
  BatcherStatistics out = statistics_;
  const double time = now();
  out.seconds = time - begin_;
  out.requests = requests_;
  if (busy_lanes_ > 0) out.busy_seconds += time - busy_since_;
  return out;
}

std::string Batcher::state() const {
  const Lock lock(mutex_);
  std::string out = "callers " + std::to_string(callers_) + ", lanes at work " +
                    std::to_string(busy_lanes_) + " of " + std::to_string(in_lane_.size()) +
                    " (waited for " + std::to_string(running_.size()) + "), batches ready " +
                    std::to_string(ready_.size()) + ", free " + std::to_string(free_.size()) +
                    (paused_ ? ", paused" : "") + (stopping_ ? ", stopping" : "");
  for (const auto& batch : batches_) {
    if (batch->readers == 0) continue;
    const bool lane = std::ranges::find(in_lane_, batch.get()) != in_lane_.end();
    out += "; batch " + std::to_string(batch->committed) + "/" + std::to_string(batch->reserved) +
           " for " + std::to_string(batch->readers) + " readers:";
    const std::pair<bool, const char*> marks[] = {{batch.get() == open_, " open"},
                                                  {batch->closed, " closed"},
                                                  {batch->queued, " queued"},
                                                  {lane, " in a lane"},
                                                  {batch->done != 0, " done"}};
    for (const auto& [holds, what] : marks)
      if (holds) out += what;
  }
  return out;
}

void Batcher::add_batch() {
  auto made = std::make_unique<Batch>();
  made->memory = device_->make_batch();
  const Lock lock(mutex_);
  free_.push_back(made.get());
  batches_.push_back(std::move(made));
}

// Rare: memory for another batch, made without the lock and by one caller for all who want it.
void Batcher::make_room(Lock& lock) {
  if (making_) {
    made_.wait_for(lock, kLook);
    return;
  }
  making_ = true;
  lock.unlock();
  std::exception_ptr error;
  try {
    add_batch();
  } catch (...) {
    error = std::current_exception();
  }
  lock.lock();
  making_ = false;
  made_.notify_all();
  if (error) std::rethrow_exception(error);
}

// Places in the open batch, as many as are wanted or left in it; none when the batcher is closing.
Batcher::Part Batcher::reserve(Lock& lock, int wanted) {
  while (!open_ && free_.empty() && !stopping_) make_room(lock);
  if (stopping_) return {};  // nobody would launch it
  if (!open_) {
    open_ = free_.back();
    free_.pop_back();
    open_->reset();
    open_->opened = now();
  }
  Batch& batch = *open_;
  const Part part{&batch, batch.reserved, std::min(wanted, settings_.limit - batch.reserved)};
  batch.reserved += part.count;
  ++batch.readers;
  if (batch.reserved >= settings_.limit) close_open();
  return part;
}

void Batcher::close_open() {
  Batch& batch = *open_;
  open_ = nullptr;
  batch.closed = true;
  queue_if_complete(batch);
}

void Batcher::queue_if_complete(Batch& batch) {
  if (!batch.complete() || batch.queued) return;
  batch.queued = true;
  ready_.push_back(&batch);
  launch_.notify_one();
}

// Only an open batch that is written: closing it queues it.
bool Batcher::should_close_open() const {
  if (!open_ || open_->committed < open_->reserved) return false;
  return busy_lanes_ == 0 || now() >= dry_ - settings_.lead;
}

void Batcher::lane_started(int lane) {
  const double time = now();
  const Batch& batch = *in_lane_[static_cast<std::size_t>(lane)];
  if (busy_lanes_++ == 0) busy_since_ = time;
  started_[static_cast<std::size_t>(lane)] = time;
  dry_ = std::max(time, dry_) + time_(batch.reserved);
  statistics_.queued_seconds += time - batch.opened;
}

void Batcher::lane_ended(int lane) {
  const double time = now();
  Batch*& place = in_lane_[static_cast<std::size_t>(lane)];
  time_.add(place->reserved, time - std::max(ended_, started_[static_cast<std::size_t>(lane)]));
  ended_ = dry_ = time;
  place = nullptr;
  for (const Batch* batch : in_lane_)
    if (batch != nullptr) dry_ += time_(batch->reserved);
  if (--busy_lanes_ == 0) statistics_.busy_seconds += time - busy_since_;
}

// Launches the oldest ready batch on an idle lane, if there are both. The lock is open while the
// device is called.
bool Batcher::launch_ready(Lock& lock) {
  if (paused_ || stopping_) return false;
  const auto lane = std::ranges::find(in_lane_, nullptr);
  if (lane == in_lane_.end()) return false;
  if (ready_.empty()) {
    if (!should_close_open()) return false;
    close_open();
  }
  Batch& batch = *ready_.front();
  ready_.erase(ready_.begin());
  *lane = &batch;
  const int number = static_cast<int>(lane - in_lane_.begin());
  lane_started(number);
  lock.unlock();
  std::exception_ptr error;
  try {
    device_->launch(number, *batch.memory, batch.reserved);
  } catch (...) {
    error = std::current_exception();
  }
  lock.lock();
  if (error) {
    complete(lock, number, error);
  } else {
    running_.push_back(number);
    completion_.notify_one();
  }
  return true;
}

// The lane's batch is computed, or has failed: the next one is launched first, then the callers are
// woken.
void Batcher::complete(Lock& lock, int lane, std::exception_ptr error) {
  Batch& batch = *in_lane_[static_cast<std::size_t>(lane)];
  lane_ended(lane);
  batch.left_lane = true;
  ++statistics_.batches;
  statistics_.positions += static_cast<std::uint64_t>(batch.reserved);
  if (busy_lanes_ == 0) {
    idle_.notify_all();
    if (stopping_) completion_.notify_all();
  }
  launch_ready(lock);
  launch_.notify_one();
  lock.unlock();
  batch.finish(std::move(error));
  lock.lock();
}

// The only caller, an idle device: nobody else is needed. Returns false when others are about.
bool Batcher::compute_alone(Lock& lock, Batch& batch) {
  if (callers_ != 1 || busy_lanes_ != 0 || paused_ || stopping_ || !ready_.empty() ||
      open_ != &batch)
    return false;
  close_open();
  ready_.clear();
  in_lane_[0] = &batch;
  lane_started(0);
  lock.unlock();
  std::exception_ptr error;
  try {
    device_->launch(0, *batch.memory, batch.reserved);
    device_->wait(0);
  } catch (...) {
    error = std::current_exception();
  }
  lock.lock();
  complete(lock, 0, error);
  return true;
}

void Batcher::evaluate(std::span<const std::uint64_t> planes, std::span<float> values) {
  const std::size_t count = planes.size() / words_;
  if (planes.size() != count * words_ || values.size() != count * players_)
    throw Error("planes and values do not fit the network", Error::Kind::failed);
  ++callers_;
  ++requests_;
  std::exception_ptr error;
  for (std::size_t at = 0; at < count && !error;) {
    const std::size_t whole = std::min(count - at, 4 * static_cast<std::size_t>(settings_.limit));
    at += whole;
    error = compute(planes.subspan((at - whole) * words_, whole * words_),
                    values.data() + (at - whole) * players_);
  }
  --callers_;
  if (error) std::rethrow_exception(error);
}

// All parts are written before the first is waited for.
std::exception_ptr Batcher::compute(std::span<const std::uint64_t> planes, float* values) {
  constexpr std::size_t kMost =
      8;  // parts: 4 limits and what a batch had left, and what a batch closed early took
  std::array<Part, kMost> parts;
  std::size_t used = 0, written = 0, done = 0;
  const std::size_t count = planes.size() / words_;
  std::exception_ptr error;
  while (done < count) {
    try {
      while (!error && used < kMost && written < count) {
        parts[used] = write(planes.subspan(written * words_));
        if (parts[used].count == 0) error = closed_error();
        written += static_cast<std::size_t>(parts[used++].count);
      }
    } catch (...) {
      error = std::current_exception();
    }
    for (std::size_t i = 0; i < used; ++i) {
      if (parts[i].count > 0) read(parts[i], values + done * players_, error);
      done += static_cast<std::size_t>(parts[i].count);
    }
    used = 0;
    if (error) break;
  }
  return error;
}

// Reserves places for the first of these positions and fills them; none when the batcher is
// closing.
Batcher::Part Batcher::write(std::span<const std::uint64_t> planes) {
  Part part{};
  {
    Lock lock(mutex_);
    part = reserve(lock, static_cast<int>(std::min<std::size_t>(planes.size() / words_, 1 << 20)));
    if (part.batch == nullptr) return part;
  }
  Batch& batch = *part.batch;
  std::memcpy(batch.memory->planes + static_cast<std::size_t>(part.first) * words_, planes.data(),
              static_cast<std::size_t>(part.count) * words_ * sizeof(std::uint64_t));
  batch.committed += part.count;
  if (batch.complete()) {
    const Lock lock(mutex_);
    queue_if_complete(batch);
  } else if (part.first == 0 || busy_lanes_ == 0) {
    Lock lock(mutex_);
    if (!compute_alone(lock, batch)) launch_.notify_one();
  }
  return part;
}

// Waits for the part's batch and copies its values. Keeps the first error.
void Batcher::read(const Part& part, float* values, std::exception_ptr& error) {
  Batch& batch = *part.batch;
  while (!batch.done) futex_wait(batch.done, 0, kLookAtDone);
  if (!error) error = batch.error;
  if (!error)
    std::memcpy(values, batch.memory->values + static_cast<std::size_t>(part.first) * players_,
                static_cast<std::size_t>(part.count) * players_ * sizeof(float));
  if (--batch.readers == 0) {
    const Lock lock(mutex_);
    free_.push_back(&batch);
  }
}

void Batcher::set_weights(const Net& net) {
  Lock lock(mutex_);
  while (paused_) idle_.wait_for(lock, kLook);
  paused_ = true;
  while (busy_lanes_ != 0) idle_.wait_for(lock, kLook);
  std::exception_ptr error;
  lock.unlock();
  try {
    device_->set_weights(net);
  } catch (...) {
    error = std::current_exception();
  }
  lock.lock();
  paused_ = false;
  idle_.notify_all();
  launch_.notify_one();
  if (error) std::rethrow_exception(error);
}

std::chrono::milliseconds Batcher::longest_sleep() const {
  return callers_ == 0 ? kLookIdle : kLook;
}

void Batcher::serve_launches() {
  Lock lock(mutex_);
  while (!stopping_) {
    while (!stopping_ && launch_ready(lock)) {
    }
    if (stopping_) break;
    Seconds longest = longest_sleep();
    const bool lane_idle = busy_lanes_ < static_cast<int>(in_lane_.size());
    if (open_ && lane_idle && !paused_)
      longest = std::clamp(Seconds(dry_ - settings_.lead - now()), Seconds(kShortest), longest);
    launch_.wait_for(lock, longest);
  }
}

void Batcher::serve_completions() {
  Lock lock(mutex_);
  for (;;) {
    while (running_.empty() && !(stopping_ && busy_lanes_ == 0))
      completion_.wait_for(lock, longest_sleep());
    if (running_.empty()) return;
    const int lane = running_.front();
    running_.erase(running_.begin());
    lock.unlock();
    std::exception_ptr error;
    try {
      device_->wait(lane);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    complete(lock, lane, error);
  }
}

}  // namespace polymax

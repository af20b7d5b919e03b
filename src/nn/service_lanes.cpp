// The device's side of the service: which batch is next, launching, completing, the two threads.
#include <algorithm>

#include "nn/service.inl"

namespace polymax {

namespace {

using Seconds = std::chrono::duration<double>;

constexpr double kShortest = 5e-5;  // seconds between looks at an open batch
constexpr double kCopyRate = 20e9;  // bytes a second to a device, at least

}  // namespace

void NetService::close_open(Queue& queue) {
  Batch& batch = *queue.open;
  queue.open = nullptr;
  std::erase(opened_, &batch);
  batch.closed = true;
  queue_if_complete(batch);
}

void NetService::queue_if_complete(Batch& batch) {
  if (!batch.complete() || batch.queued) return;
  batch.queued = true;
  ready_.push_back(&batch);
  launch_.notify_one();
}

// How long before the device runs dry the batch is launched: it must have been copied by then.
double NetService::lead_of(const Batch& batch) const {
  const auto bytes = static_cast<double>(batch.shape->words * sizeof(std::uint64_t));
  return settings_.lead + batch.reserved * bytes / kCopyRate;
}

// Since when the network has waited for a lane. A network with many batches waits anew for each.
double NetService::waits_since(const Batch& batch) {
  return std::max(batch.opened, batch.queue->launched);
}

// When it has waited as long as a full batch takes. Small ones alone tell little about that, hence
// the limit. Shorter waits make smaller batches.
double NetService::due(const Batch& batch) const {
  const double full = batch.shape->time_of(batch.shape->device->most());
  return waits_since(batch) + std::min(full, settings_.patience);
}

// The idle lane for a batch, -1 when it must wait for one. Lanes that take small batches alone come
// last in the device's order, and first here; a lone network has no use for them, since its next
// batch grows while it waits.
int NetService::lane_for(const Batch& batch, bool several) const {
  const DeviceShape& shape = *batch.shape->device;
  const int positions = several ? batch.reserved : shape.most();
  for (int lane = static_cast<int>(in_lane_.size()); lane-- > 0;)
    if (in_lane_[static_cast<std::size_t>(lane)] == nullptr && shape.takes(lane, positions))
      return lane;
  return -1;
}

// The batch that should be computed next, and the idle lane for it; no batch when it is better to
// wait. Even a lone network may have company for a moment: callers and networks are counted one
// after the other. Hence a lane is looked for on behalf of each batch.
NetService::Choice NetService::choose(double time, bool several) const {
  Choice longest, fullest, oldest;
  const auto look = [&](Batch* batch) {
    const Choice here{batch, lane_for(*batch, several)};
    if (here.lane < 0) return;
    if (several && time >= due(*batch) &&
        (!longest.batch || waits_since(*batch) < waits_since(*longest.batch)))
      longest = here;
    if (!fullest.batch || batch->reserved > fullest.batch->reserved) fullest = here;
    if (!oldest.batch) oldest = here;
  };
  for (Batch* batch : ready_) look(batch);
  const bool full = fullest.batch != nullptr;
  for (Batch* batch : opened_)
    if (batch->written()) look(batch);
  if (longest.batch) return longest;
  if (full) return several ? fullest : oldest;
  if (!fullest.batch) return {};
  return busy_lanes_ == 0 || time >= idle_at_ - lead_of(*fullest.batch) ? fullest : Choice{};
}

NetService::Choice NetService::take_next(bool several) {
  const Choice out = choose(wall_seconds(), several);
  if (out.batch == nullptr) return out;
  if (!out.batch->closed) close_open(*out.batch->queue);
  std::erase(ready_, out.batch);
  return out;
}

void NetService::lane_started(int lane) {
  const double time = wall_seconds();
  const auto place = static_cast<std::size_t>(lane);
  const Batch& batch = *in_lane_[place];
  if (busy_lanes_++ == 0) busy_since_ = time;
  started_[place] = batch.queue->launched = time;
  idle_at_ = std::max(time, idle_at_) + batch.shape->time_of(batch.reserved);
  statistics_.queued_seconds += time - batch.opened;
  statistics_.swaps += last_in_lane_[place] != batch.weights.get();
  last_in_lane_[place] = batch.weights.get();
}

void NetService::lane_ended(int lane) {
  const double time = wall_seconds();
  Batch*& place = in_lane_[static_cast<std::size_t>(lane)];
  const double spent = time - std::max(ended_, started_[static_cast<std::size_t>(lane)]);
  place->shape->time.add(place->shape->device->computed(place->reserved), spent);
  ended_ = idle_at_ = time;
  place = nullptr;
  for (const Batch* batch : in_lane_)
    if (batch != nullptr) idle_at_ += batch->shape->time_of(batch->reserved);
  if (--busy_lanes_ == 0) statistics_.busy_seconds += time - busy_since_;
}

// Puts the batch into the idle lane. The lock is open while the device is called. Returns what the
// device threw.
std::exception_ptr NetService::launch(Lock& lock, int lane, Batch& batch) {
  in_lane_[static_cast<std::size_t>(lane)] = &batch;
  batch.weights = batch.queue->weights;
  batch.memory->moves = batch.moves;
  lane_started(lane);
  lock.unlock();
  std::exception_ptr error;
  try {
    DeviceShape& shape = *batch.shape->device;
    device_->launch(lane, shape, memory_.place(batch.weights, shape), *batch.memory,
                    batch.reserved);
  } catch (...) {
    error = std::current_exception();
  }
  lock.lock();
  return error;
}

bool NetService::launch_next(Lock& lock) {
  if (!wanted_.empty() || stopping_) return false;
  const auto [batch, lane] = take_next(networks_ > 1);
  if (batch == nullptr) return false;
  if (const auto error = launch(lock, lane, *batch)) {
    complete(lock, lane, error);
  } else {
    running_.push_back(lane);
    completion_.notify_one();
  }
  return true;
}

// The lane's batch is computed, or has failed: the next one is launched first, then the callers are
// woken.
void NetService::complete(Lock& lock, int lane, std::exception_ptr error) {
  Batch& batch = *in_lane_[static_cast<std::size_t>(lane)];
  lane_ended(lane);
  batch.left_lane = true;
  batch.weights.reset();
  ++statistics_.batches;
  statistics_.positions += static_cast<std::uint64_t>(batch.reserved);
  batch.shape->positions += static_cast<std::uint64_t>(batch.reserved);
  statistics_.computed += static_cast<std::uint64_t>(batch.shape->device->computed(batch.reserved));
  if (busy_lanes_ == 0) {
    idle_.notify_all();
    if (stopping_) completion_.notify_all();
  }
  launch_next(lock);
  launch_.notify_one();
  lock.unlock();
  batch.finish(std::move(error));
  lock.lock();
}

Seconds NetService::longest_sleep() const {
  return callers_ == 0 ? kLookIdle : kLook;
}

// Graphs are made while no lane is at work: what is chosen by measuring is measured alone.
void NetService::prepare_wanted(Lock& lock) {
  while (!wanted_.empty() && !stopping_) {
    if (busy_lanes_ != 0) {
      idle_.wait_for(lock, kLook);
      continue;
    }
    Shape& shape = *wanted_.front();
    lock.unlock();
    std::unique_ptr<DeviceShape> made;
    std::exception_ptr error;
    try {
      if (!shape.device) made = memory_.prepare(shape.settings);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    if (made) shape.device = std::move(made);
    shape.usable = shape.device != nullptr;
    shape.error = error;
    ++shape.attempts;
    std::erase(wanted_, &shape);
    made_.notify_all();
  }
}

void NetService::serve_launches() {
  Lock lock(mutex_);
  while (!stopping_) {
    prepare_wanted(lock);
    while (!stopping_ && launch_next(lock)) {
    }
    if (stopping_) break;
    if (!wanted_.empty()) continue;
    Seconds longest = longest_sleep();
    const double time = wall_seconds();
    const bool several = networks_ > 1;
    for (const Batch* batch : opened_) {
      if (lane_for(*batch, several) < 0) continue;
      double wait = idle_at_ - lead_of(*batch) - time;
      if (several) wait = std::min(wait, due(*batch) - time);
      longest = std::min(longest, Seconds(std::max(wait, kShortest)));
    }
    launch_.wait_for(lock, longest);
  }
}

void NetService::serve_completions() {
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

// The callers' side of the service; service_lanes.cpp is the device's.
#include "nn/service.hpp"

#include <array>
#include <cstring>

#include "core/thread.hpp"
#include "nn/service.inl"

namespace polymax {

ServiceStatistics operator-(const ServiceStatistics& now, const ServiceStatistics& before) {
  return {now.batches - before.batches,
          now.positions - before.positions,
          now.requests - before.requests,
          now.computed - before.computed,
          now.swaps - before.swaps,
          now.queued_seconds - before.queued_seconds,
          now.busy_seconds - before.busy_seconds,
          now.seconds - before.seconds};
}

NetService::NetService(std::unique_ptr<Device> device, const ServiceSettings& settings)
    : device_(std::move(device)),
      settings_(settings),
      memory_(*device_, settings.memory),
      in_lane_(static_cast<std::size_t>(device_->lanes()), nullptr),
      last_in_lane_(in_lane_.size()),
      started_(in_lane_.size()),
      begin_(wall_seconds()) {
  launcher_ = start_thread([this] { serve_launches(); });
  try {
    for (std::size_t lane = 0; lane < in_lane_.size(); ++lane)
      completers_.push_back(start_thread([this] { serve_completions(); }));
  } catch (...) {  // the system has no more threads: those that run end before they are destroyed
    stop_serving();
    throw;
  }
}

void NetService::stop_serving() {
  {
    const Lock lock(mutex_);
    stopping_ = true;
    launch_.notify_all();
    completion_.notify_all();
    made_.notify_all();
  }
  launcher_.join();
  for (auto& completer : completers_) completer.join();
}

NetService::~NetService() {
  stop_serving();
  {
    const Lock lock(mutex_);
    for (const auto& shape : shapes_)
      for (const auto& batch : shape->batches)
        if (!batch->left_lane) batch->finish(closed_error());
  }
  while (callers_ != 0) std::this_thread::sleep_for(std::chrono::microseconds(100));
}

NetService::Shape& NetService::shape_of(const BatchShape& wanted) {
  const Lock lock(mutex_);
  for (const auto& shape : shapes_)
    if (shape->settings == wanted) return *shape;
  return *shapes_.emplace_back(std::make_unique<Shape>(wanted));
}

std::unique_ptr<ServedNet> NetService::serve(const Net& net, int most, BatchMode mode) {
  check_shape(net.shape);
  const auto weights = packed(net);
  const auto queue = [&](bool moves) {
    const BatchShape shape{
        .net = net.shape, .most = most, .fixed = mode == BatchMode::fixed, .moves = moves};
    return std::shared_ptr<Queue>(new Queue{shape_of(shape), weights});
  };
  return std::unique_ptr<ServedNet>(
      new ServedNet(*this, queue(false), net.shape.move_planes > 0 ? queue(true) : nullptr));
}

ServiceStatistics NetService::statistics() const {
  const Lock lock(mutex_);
  ServiceStatistics out = statistics_;
  const double time = wall_seconds();
  out.seconds = time - begin_;
  out.requests = requests_;
  if (busy_lanes_ > 0) out.busy_seconds += time - busy_since_;
  return out;
}

std::uint64_t NetService::positions_of(const NetShape& wanted) const {
  const Lock lock(mutex_);
  std::uint64_t out = 0;
  for (const auto& shape : shapes_)
    if (shape->settings.net == wanted) out += shape->positions;
  return out;
}

std::string NetService::state() const {
  const Lock lock(mutex_);
  std::string out = "callers " + std::to_string(callers_) + ", lanes at work " +
                    std::to_string(busy_lanes_) + " of " + std::to_string(in_lane_.size()) +
                    " (waited for " + std::to_string(running_.size()) + "), batches ready " +
                    std::to_string(ready_.size()) + ", open " + std::to_string(opened_.size()) +
                    ", shapes wanted " + std::to_string(wanted_.size()) +
                    (stopping_ ? ", stopping" : "");
  for (const auto& shape : shapes_)
    for (const auto& batch : shape->batches) {
      if (batch->readers == 0) continue;
      const bool lane = std::ranges::find(in_lane_, batch.get()) != in_lane_.end();
      const bool open = std::ranges::find(opened_, batch.get()) != opened_.end();
      out += "; batch " + std::to_string(batch->committed) + "/" + std::to_string(batch->reserved) +
             " for " + std::to_string(batch->readers) + " readers:";
      const std::pair<bool, const char*> marks[] = {{open, " open"},
                                                    {batch->closed, " closed"},
                                                    {batch->queued, " queued"},
                                                    {lane, " in a lane"},
                                                    {batch->done != 0, " done"}};
      for (const auto& [holds, what] : marks)
        if (holds) out += what;
    }
  return out;
}

// Asks the launcher for the shape and waits until it is there.
void NetService::prepare(Lock& lock, Shape& shape) {
  while (!shape.device) {
    if (stopping_) std::rethrow_exception(closed_error());
    if (std::ranges::find(wanted_, &shape) == wanted_.end()) wanted_.push_back(&shape);
    launch_.notify_one();
    const auto attempt = shape.attempts;
    while (shape.attempts == attempt && !stopping_) made_.wait_for(lock, kLookIdle);
    if (!shape.device && shape.error) std::rethrow_exception(shape.error);
  }
}

void NetService::add_batch(Shape& shape) {
  auto made = std::make_unique<Batch>();
  made->shape = &shape;
  made->memory = shape.device->make_batch();
  const Lock lock(mutex_);
  shape.free.push_back(made.get());
  shape.batches.push_back(std::move(made));
}

// Rare: memory for another batch, made without the lock and by one caller for all who want it.
void NetService::make_room(Lock& lock, Shape& shape) {
  if (shape.making) {
    made_.wait_for(lock, kLook);
    return;
  }
  shape.making = true;
  lock.unlock();
  std::exception_ptr error;
  try {
    add_batch(shape);
  } catch (...) {
    error = std::current_exception();
  }
  lock.lock();
  shape.making = false;
  made_.notify_all();
  if (error) std::rethrow_exception(error);
}

namespace {

// How many of the next positions have no more moves than there is room for.
int fitting(const MoveQuery& moves, std::size_t next, int positions, std::size_t room) {
  const std::size_t begin = moves.begin(next);
  int out = 0;
  while (out < positions && moves.ends[next + static_cast<std::size_t>(out)] - begin <= room) ++out;
  return out;
}

// Of the positions from `first` on.
std::size_t moves_of(const MoveQuery& moves, std::size_t first, int count) {
  return moves.begin(first + static_cast<std::size_t>(count)) - moves.begin(first);
}

}  // namespace

// Places in the network's open batch, as many as are wanted or left in it; none when the service is
// closing.
NetService::Part NetService::reserve(Lock& lock, Queue& queue, const Request& request, int wanted) {
  Shape& shape = queue.shape;
  while (!queue.open && shape.free.empty() && !stopping_) make_room(lock, shape);
  if (stopping_) return {};  // nobody would launch it
  if (!queue.open) {
    queue.open = shape.free.back();
    shape.free.pop_back();
    queue.open->reset(queue);
    opened_.push_back(queue.open);
  }
  Batch& batch = *queue.open;
  Part part{&batch, batch.reserved, std::min(wanted, queue.limit() - batch.reserved), batch.moves};
  if (request.moves != nullptr) {
    const std::size_t room = shape.settings.room() - static_cast<std::size_t>(batch.moves);
    part.count = fitting(*request.moves, request.done, part.count, room);
    if (part.count == 0) {  // the next batch has room
      close_open(queue);
      return reserve(lock, queue, request, wanted);
    }
    batch.moves += static_cast<int>(moves_of(*request.moves, request.done, part.count));
  }
  batch.reserved += part.count;
  ++batch.readers;
  if (batch.reserved >= queue.limit()) close_open(queue);
  return part;
}

// The only caller, an idle device: nobody else is needed. Returns false when others are about.
bool NetService::compute_alone(Lock& lock, Batch& batch) {
  if (callers_ != 1 || busy_lanes_ != 0 || !wanted_.empty() || stopping_ || !ready_.empty() ||
      batch.closed)
    return false;
  close_open(*batch.queue);
  ready_.clear();
  const auto failed = launch(lock, 0, batch);
  std::exception_ptr error = failed;
  if (!failed) {
    lock.unlock();
    try {
      device_->wait(0);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
  }
  complete(lock, 0, error);
  return true;
}

void NetService::evaluate(Queue& queue, std::span<const std::uint64_t> planes,
                          std::span<float> values, const MoveQuery* moves) {
  const Shape& shape = queue.shape;
  const std::size_t count = planes.size() / shape.words;
  if (planes.size() != count * shape.words || values.size() != count * shape.players)
    throw Error("planes and values do not fit the network", Error::Kind::failed);
  if (moves != nullptr) {
    check_query(shape.settings.net, planes.size(), *moves);
    for (std::size_t i = 0; i < count; ++i)
      if (moves_of(*moves, i, 1) > shape.settings.room())
        throw Error("a position has more moves than places", Error::Kind::failed);
  }
  ++callers_;
  ++requests_;
  if (queue.callers++ == 0) ++networks_;
  std::exception_ptr error;
  try {
    if (!shape.usable) {
      Lock lock(mutex_);
      prepare(lock, queue.shape);
    }
  } catch (...) {
    error = std::current_exception();
  }
  for (std::size_t at = 0; at < count && !error;) {
    const std::size_t whole = std::min(count - at, 4 * static_cast<std::size_t>(queue.limit()));
    error = compute(queue, {planes, values.data(), moves, at}, whole);
    at += whole;
  }
  if (!error) queue.evaluated += count;
  if (--queue.callers == 0) --networks_;
  --callers_;
  if (error) std::rethrow_exception(error);
}

// The next `count` positions. All parts are written before the first is waited for.
std::exception_ptr NetService::compute(Queue& queue, const Request& request, std::size_t count) {
  // Parts: 4 limits and what a batch had left, and what a batch closed early took.
  constexpr std::size_t kMost = 8;
  std::array<Part, kMost> parts;
  std::size_t used = 0;
  Request writing = request, reading = request;
  const std::size_t end = request.done + count;
  std::exception_ptr error;
  while (reading.done < end) {
    try {
      while (!error && used < kMost && writing.done < end) {
        parts[used] = write(queue, writing, end - writing.done);
        if (parts[used].count == 0) error = closed_error();
        writing.done += static_cast<std::size_t>(parts[used++].count);
      }
    } catch (...) {
      error = std::current_exception();
    }
    for (std::size_t i = 0; i < used; ++i) {
      if (parts[i].count > 0) read(parts[i], reading, error);
      reading.done += static_cast<std::size_t>(parts[i].count);
    }
    used = 0;
    if (error) break;
  }
  return error;
}

// Reserves places for the first of the next `count` positions and fills them; none when the service
// is closing.
NetService::Part NetService::write(Queue& queue, const Request& request, std::size_t count) {
  const std::size_t words = queue.shape.words;
  Part part{};
  {
    Lock lock(mutex_);
    part = reserve(lock, queue, request, static_cast<int>(std::min<std::size_t>(count, 1 << 20)));
    if (part.batch == nullptr) return part;
  }
  Batch& batch = *part.batch;
  std::memcpy(batch.memory->planes + static_cast<std::size_t>(part.first) * words,
              request.planes.data() + request.done * words,
              static_cast<std::size_t>(part.count) * words * sizeof(std::uint64_t));
  if (request.moves != nullptr) write_moves(part, *request.moves, request.done);
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

void NetService::write_moves(const Part& part, const MoveQuery& moves, std::size_t first) {
  const auto places = static_cast<std::uint32_t>(part.batch->shape->settings.net.places());
  std::uint32_t* to = part.batch->memory->asked + part.first_move;
  for (int i = 0; i < part.count; ++i) {
    const auto position = static_cast<std::uint32_t>(part.first + i);
    const std::size_t at = first + static_cast<std::size_t>(i);
    for (std::size_t k = moves.begin(at); k < moves.ends[at]; ++k)
      *to++ = position * places + moves.places[k];
  }
}

// Waits for the part's batch and copies its values. Keeps the first error.
void NetService::read(const Part& part, const Request& request, std::exception_ptr& error) {
  Batch& batch = *part.batch;
  const std::size_t players = batch.shape->players;
  while (!batch.done) futex_wait(batch.done, 0, kLookAtDone);
  if (!error) error = batch.error;
  if (!error)
    std::memcpy(request.values + request.done * players,
                batch.memory->values + static_cast<std::size_t>(part.first) * players,
                static_cast<std::size_t>(part.count) * players * sizeof(float));
  if (!error && request.moves != nullptr)
    std::copy_n(batch.memory->logits + part.first_move,
                moves_of(*request.moves, request.done, part.count),
                request.moves->logits.data() + request.moves->begin(request.done));
  if (--batch.readers == 0) {
    const Lock lock(mutex_);
    batch.shape->free.push_back(&batch);
  }
}

std::shared_ptr<NetWeights> NetService::packed(const Net& net) const {
  auto out = std::make_shared<NetWeights>();
  out->packed = device_->pack(net);
  return out;
}

void NetService::set_weights(std::span<Queue* const> queues, const Net& net) {
  const auto next = packed(net);
  std::vector<std::shared_ptr<NetWeights>> before;  // freed without the lock
  const Lock lock(mutex_);
  for (Queue* queue : queues) before.push_back(std::exchange(queue->weights, next));
}

double NetService::raw_rate(ServedNet& net, std::span<const std::uint64_t> planes, double seconds) {
  Lock lock(mutex_);
  Shape& shape = net.queue_->shape;
  prepare(lock, shape);
  if (callers_ != 0 || busy_lanes_ != 0)
    throw Error("the device is measured while others use it", Error::Kind::failed);
  const auto weights = net.queue_->weights;
  lock.unlock();
  const auto batch = shape.device->make_batch();
  const auto most = static_cast<std::size_t>(shape.device->most());
  for (std::size_t at = 0, words = most * shape.words; at < words; at += planes.size())
    std::copy_n(planes.begin(), std::min(planes.size(), words - at), batch->planes + at);
  return device_->raw_rate(*shape.device, memory_.place(weights, *shape.device), *batch,
                           shape.device->most(), seconds);
}

void ServedNet::evaluate(std::span<const std::uint64_t> planes, std::span<float> values) {
  service_->evaluate(*queue_, planes, values, nullptr);
}

void ServedNet::evaluate(std::span<const std::uint64_t> planes, std::span<float> values,
                         const MoveQuery& moves) {
  if (!with_moves_) check_query(shape(), planes.size(), moves);  // says that it has no second head
  service_->evaluate(*with_moves_, planes, values, &moves);
}

void ServedNet::set_weights(const Net& net) {
  if (!(net.shape == shape())) throw Error("new weights are of another shape", Error::Kind::failed);
  NetService::Queue* const queues[] = {queue_.get(), with_moves_.get()};
  service_->set_weights(std::span(queues).first(with_moves_ ? 2 : 1), net);
}

const NetShape& ServedNet::shape() const {
  return queue_->shape.settings.net;
}

int ServedNet::most() const {
  return queue_->shape.settings.most;
}

std::uint64_t ServedNet::evaluated() const {
  return queue_->evaluated + (with_moves_ ? with_moves_->evaluated.load() : 0);
}

}  // namespace polymax

#include "learn/worker.hpp"

#include <thread>
#include <utility>

#include "core/error.hpp"

namespace polymax::learn {

namespace {

using Seconds = std::chrono::duration<double>;
constexpr std::size_t kFileBytes = std::size_t{16}
                                   << 20;  // of samples, after which a file is written
constexpr Seconds kLookEvery{1};           // for a newer network, a sign of life, what lies unread
constexpr Seconds kOverGrace{30};          // a trainer that goes on may come as late as this
constexpr std::chrono::milliseconds kMoment{50};  // in which a stop is noticed

}  // namespace

std::optional<Net> first_net(NetWatch& watch, const WorkerFolder& folder,
                             const std::stop_token& stop, const std::function<void()>& waits,
                             double seconds) {
  const auto begin = std::chrono::steady_clock::now();
  const auto waited = [&] { return Seconds(std::chrono::steady_clock::now() - begin); };
  bool told = false;
  Pauses pauses(kMoment, 10 * kMoment);
  while (!stop.stop_requested()) {
    const bool over = folder.over();
    if (over && waited() >= kOverGrace) return std::nullopt;
    if (!over)
      if (auto net = watch.newer()) return net;
    if (!told) waits();
    told = true;
    if (seconds > 0 && waited() >= Seconds(seconds)) return std::nullopt;
    std::this_thread::sleep_for(pauses.next());
  }
  return std::nullopt;
}

Worker::Worker(const Subject& subject, WorkerPlan plan, WorkerFolder& folder, NetWatch& watch,
               SelfPlay& matches, const Net& net)
    : plan_(std::move(plan)),
      folder_(folder),
      watch_(watch),
      matches_(matches),
      shape_(net.shape),
      lessons_(lesson_file(subject, net)),
      begin_(Clock::now()),
      written_(begin_),
      looked_(begin_),
      reported_(begin_) {
  report_.net_steps = lessons_.net_steps;
}

bool Worker::enough() const {
  return plan_.matches > 0 && report_.matches >= plan_.matches;
}

bool Worker::planned_end() const {
  return enough() || (plan_.seconds > 0 && Clock::now() - begin_ >= Seconds(plan_.seconds));
}

WorkerEnd Worker::run() {
  while (!planned_end() && !over_ && !plan_.stop.stop_requested()) {
    const bool waited =
        std::exchange(report_.waits, report_.unread + lessons_.lessons.size() >= plan_.unread);
    if (report_.waits && !waited) {
      pauses_.begin_again();
      count_at_ = {};
    }
    if (report_.waits)
      std::this_thread::sleep_for(kMoment);
    else
      take(kMoment);
    const auto now = Clock::now();
    if (report_.waits || lessons_.lessons.size() >= plan_.in_a_file || bytes_ >= kFileBytes ||
        now - written_ >= Seconds(plan_.file_every))
      write();
    look();
    report_.seconds = Seconds(now - begin_).count();
    if (plan_.on_report && now - reported_ >= Seconds(plan_.report_every)) {
      plan_.on_report(report_);
      reported_ = now;
    }
  }
  const bool planned = planned_end();
  for (std::size_t done = matches_.ready(); done > 0 && !enough(); --done)
    take(std::chrono::milliseconds(0));
  write();
  report_.seconds = Seconds(Clock::now() - begin_).count();
  return planned ? WorkerEnd::planned : over_ ? WorkerEnd::over : WorkerEnd::stopped;
}

void Worker::take(std::chrono::milliseconds wait) {
  auto lesson = matches_.next(wait);
  if (!lesson) return;
  ++report_.matches;
  report_.evaluations += lesson->evaluations;
  bytes_ += 8 * lesson->samples.planes.size() + 4 * lesson->samples.points.size();
  lessons_.lessons.push_back(std::move(*lesson));
}

void Worker::write() {
  written_ = Clock::now();
  if (lessons_.lessons.empty()) return;
  folder_.write(lessons_);
  report_.unread += lessons_.lessons.size();
  lessons_.lessons.clear();
  bytes_ = 0;
}

// What the trainer has taken: soon when that is waited for, rarer the longer nothing changes.
void Worker::look_at_unread(Clock::time_point now) {
  if (now < count_at_) return;
  const std::size_t before = std::exchange(report_.unread, folder_.unread());
  if (before != report_.unread) pauses_.begin_again();
  const Seconds pause = report_.waits ? Seconds(pauses_.next()) : kLookEvery;
  count_at_ = now + std::chrono::duration_cast<Clock::duration>(pause);
}

// A newer network, the end, what the trainer has taken; and a sign of life.
void Worker::look() {
  const auto now = Clock::now();
  look_at_unread(now);
  if (now - looked_ < kLookEvery) return;
  looked_ = now;
  folder_.beat();
  over_ = folder_.over();
  auto net = watch_.newer();
  if (!net) return;
  if (net->shape != shape_ || net->turned != lessons_.turned)
    throw Error(
        watch_.path() + ": the network has another shape or turning now; start the worker again",
        Error::Kind::failed);
  write();  // a file names one network
  matches_.set_weights(*net);
  report_.net_steps = lessons_.net_steps = net->training.steps;
}

}  // namespace polymax::learn

#include "learn/folder_source.hpp"

#include <algorithm>
#include <filesystem>

#include "core/error.hpp"
#include "core/file.hpp"
#include "core/json.hpp"
#include "core/thread.hpp"
#include "learn/pauses.hpp"
#include "nn/net_file.hpp"

namespace polymax::learn {

namespace {

namespace fs = std::filesystem;
constexpr std::size_t kReadAhead = 2;                // files
constexpr std::chrono::milliseconds kLookSoon{20};   // between looks when lessons just came
constexpr std::chrono::milliseconds kLookRare{500};  // when none came for long
constexpr std::chrono::milliseconds kLookLate{
    1000};                    // when something waits: a new worker is soon served
constexpr int kReadings = 5;  // times that a file may not be readable

}  // namespace

FolderSource::FolderSource(const Subject& subject, FolderSourceSettings settings, const Net& first,
                           std::uint64_t first_match)
    : subject_(subject),
      settings_(std::move(settings)),
      first_match_(first_match),
      turned_(first.turned),
      unpublished_(first) {
  if (!settings_.note) settings_.note = [](const std::string&) {};
  const std::string folder = lessons_folder(settings_.exchange);
  make_folder(folder);
  held_ = std::make_unique<Held>(folder + "/lock",
                                 settings_.exchange + ": another trainer takes its lessons");
  remove_file(over_file(settings_.exchange));
  publish();
  reader_ = start_thread([this](const std::stop_token& stop) { read(stop); });
}

FolderSource::~FolderSource() {
  reader_.request_stop();
  reader_.join();
  std::error_code problem;
  for (const auto& path : undead_) fs::remove(path, problem);
  if (batches_.empty() || batches_.front().next == 0) return;
  auto& [path, file, next] = batches_.front();
  file.lessons.erase(file.lessons.begin(),
                     file.lessons.begin() + static_cast<std::ptrdiff_t>(next));
  try {
    save_lessons(file, path);  // what was not learned waits for the next trainer
  } catch (const Error& error) {
    settings_.note(std::string("lessons already learned may come again: ") + error.what());
  }
}

void FolderSource::read(const std::stop_token& stop) {
  try {
    auto looked = Clock::now() - kLookLate;
    bool full = false;
    Pauses pauses(kLookSoon, kLookRare);
    while (!stop.stop_requested()) {
      if ((found_.empty() && !full) || Clock::now() - looked >= kLookLate) {
        look();
        looked = Clock::now();
      }
      const auto file = full ? std::nullopt : choose();
      auto batch = file ? load(*file) : std::nullopt;
      const bool loaded = batch.has_value();  // else a pause: a disk may come back
      std::unique_lock lock(mutex_);
      if (loaded) {
        pauses.begin_again();
        open_.insert(batch->path);
        batches_.push_back(std::move(*batch));
        ready_.notify_one();
      }
      const auto has_room = [&] { return batches_.size() < kReadAhead; };
      if (!has_room()) room_.wait_for(lock, stop, kLookLate, has_room);
      if (!loaded && !full) room_.wait_for(lock, stop, pauses.next(), [] { return false; });
      full = !has_room();
    }
  } catch (...) {
    const std::scoped_lock lock(mutex_);
    failure_ = std::current_exception();
    ready_.notify_one();
  }
}

// The folders of the workers; none when they cannot be seen now.
std::vector<FolderEntry> FolderSource::workers() {
  const std::string folder = lessons_folder(settings_.exchange);
  try {
    auto out = files_in(folder);
    unreadable_.erase(folder);
    std::erase_if(out, [](const FolderEntry& entry) { return !entry.is_folder; });
    return out;
  } catch (const Error& error) {
    if (++unreadable_[folder] >= kReadings) throw;
    settings_.note(std::string(error.what()) + "; it is tried again");
    return {};
  }
}

void FolderSource::look() {
  found_.clear();
  std::size_t unread = 0;
  for (const auto& [name, path, is_folder] : workers()) {
    look_at_worker(name);
    const auto files = waiting_files(path);
    const std::scoped_lock lock(mutex_);
    for (const auto& file : files) {
      if (open_.contains(file.path)) continue;
      found_[name].push_back(file);
      unread += file.lessons;
    }
  }
  const std::scoped_lock lock(mutex_);
  unread_ = unread;
}

void FolderSource::look_at_worker(const std::string& name) {
  std::string state;
  try {
    state = read_file(lessons_folder(settings_.exchange) + "/" + name + "/worker.json");
  } catch (const Error&) {
    return;  // it is just coming
  }
  const std::scoped_lock lock(mutex_);
  const auto [at, first] = seen_.try_emplace(name, Seen{state, Clock::now(), false});
  if (first || at->second.state == state) return;  // one that is seen once may have died long ago
  const auto told = Json::parse_or_null(state);
  const Json* alive = told.find("alive");
  at->second = {state, Clock::now(), alive && alive->is_bool() && alive->get<bool>()};
}

// The oldest file of the next worker.
std::optional<WaitingFile> FolderSource::choose() {
  if (found_.empty()) return std::nullopt;
  auto at = found_.upper_bound(last_worker_);
  if (at == found_.end()) at = found_.begin();
  last_worker_ = at->first;
  const WaitingFile out = at->second.front();
  at->second.pop_front();
  if (at->second.empty()) found_.erase(at);
  const std::scoped_lock lock(mutex_);
  unread_ -= std::min(unread_, out.lessons);
  return out;
}

// The bytes of a file; nothing when it is gone or cannot be read now, which is not its own fault.
std::optional<std::string> FolderSource::bytes_of(const std::string& path) {
  try {
    auto out = read_file(path);
    unreadable_.erase(path);
    return out;
  } catch (const Error& error) {
    std::error_code problem;
    if (!fs::exists(path, problem) && !problem) return std::nullopt;
    if (++unreadable_[path] >= kReadings) throw;
    settings_.note(std::string(error.what()) + "; it is tried again");
    return std::nullopt;
  }
}

// Nothing for a file that cannot be read now, or is damaged and now out of the way.
std::optional<FolderSource::Batch> FolderSource::load(const WaitingFile& from) {
  Batch out{from.path, {}, 0};
  const auto bytes = bytes_of(from.path);
  if (!bytes) return std::nullopt;
  try {
    out.file = parse_lessons(*bytes, from.path);
  } catch (const Error& error) {
    std::error_code gone;
    fs::rename(from.path, from.path + ".bad", gone);
    if (gone && exists(from.path))
      throw Error(std::string(error.what()) + ", and it cannot be renamed: " + gone.message(),
                  Error::Kind::failed);
    if (!gone) settings_.note(std::string(error.what()) + "; left out and renamed to .bad");
    return std::nullopt;
  }
  if (!out.file.is_of(subject_))
    throw Error(from.path + ": lessons of " + out.file.game + " (rules " +
                    std::to_string(out.file.rules_version) + "), not of " + subject_.game +
                    " (rules " + std::to_string(subject_.rules_version) + ")",
                Error::Kind::failed);
  if (out.file.turned != turned_)
    throw Error(from.path +
                    ": lessons for a network with turned=" + (out.file.turned ? "on" : "off") +
                    ", the network learned here has turned=" + (turned_ ? "on" : "off"),
                Error::Kind::failed);
  if (out.file.lessons.empty()) {
    const std::scoped_lock lock(mutex_);
    open_.insert(from.path);
    remove(from.path);
    return std::nullopt;
  }
  return out;
}

void FolderSource::publish() {
  save_net(*unpublished_, settings_.net, NetPrecision::fp32);
  unpublished_.reset();
  published_ = Clock::now();
}

void FolderSource::set_weights(const Net& net) {
  unpublished_ = net;
  if (Clock::now() - published_ >= std::chrono::duration<double>(settings_.publish_every))
    publish();
}

std::optional<Lesson> FolderSource::next(std::chrono::milliseconds wait) {
  if (unpublished_ &&
      Clock::now() - published_ >= std::chrono::duration<double>(settings_.publish_every))
    publish();
  std::unique_lock lock(mutex_);
  ready_.wait_for(lock, wait, [&] { return !batches_.empty() || failure_; });
  if (failure_) std::rethrow_exception(failure_);
  if (batches_.empty()) return std::nullopt;
  Batch& batch = batches_.front();
  Lesson out = std::move(batch.file.lessons[batch.next++]);
  evaluated_ += out.evaluations;
  if (batch.next == batch.file.lessons.size()) take_front();
  return out;
}

// The file's last lesson was taken.
void FolderSource::take_front() {
  const std::string path = std::move(batches_.front().path);
  batches_.pop_front();
  remove(path);
  room_.notify_one();
}

// An open file, with the lock. One that cannot be removed stays open: it is not read again here.
void FolderSource::remove(const std::string& path) {
  try {
    remove_file(path);
    open_.erase(path);
  } catch (const Error& error) {
    undead_.push_back(path);
    settings_.note(std::string(error.what()) + "; its lessons may come again with the next start");
  }
}

std::size_t FolderSource::waiting() const {
  const std::scoped_lock lock(mutex_);
  std::size_t out = unread_;
  for (const auto& batch : batches_) out += batch.file.lessons.size() - batch.next;
  return out;
}

int FolderSource::alive() const {
  const std::scoped_lock lock(mutex_);
  int out = 0;
  for (const auto& [name, seen] : seen_)
    out += seen.alive &&
           Clock::now() - seen.changed < std::chrono::duration<double>(settings_.alive_for);
  return out;
}

void FolderSource::finish() {
  write_file(over_file(settings_.exchange), "the trainer has all the lessons it wanted\n");
}

}  // namespace polymax::learn

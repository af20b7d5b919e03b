#include "learn/exchange.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "core/error.hpp"
#include "core/file.hpp"
#include "core/json.hpp"
#include "core/number.hpp"
#include "core/rng.hpp"
#include "learn/container.hpp"
#include "nn/net_file.hpp"

namespace polymax::learn {

namespace {

constexpr const char* kLesson = "lesson";
constexpr const char* kLessonEnd = ".lesson";
constexpr int kLooks = 5;  // looks at a network that cannot be read

void put_lesson(const Lesson& lesson, const std::string& number, Json& list, Container& out) {
  Json recall = Json::array();
  Recall::each([&](const char*, auto member) { recall.push_back(lesson.recall.*member); });
  list.push_back({{"finished", lesson.finished},
                  {"length", lesson.length},
                  {"solved_roots", lesson.solved_roots},
                  {"end", lesson.end},
                  {"evaluations", lesson.evaluations},
                  {"seconds", lesson.seconds},
                  {"recall", std::move(recall)}});
  put_priors(lesson.samples.priors, number, out);
  out.put("planes" + number, lesson.samples.planes);
  out.put("points" + number, lesson.samples.points);
  std::vector<Scores> scores{lesson.gain, lesson.points};
  scores.insert(scores.end(), lesson.predicted.begin(), lesson.predicted.end());
  out.put("scores" + number, scores);
}

// Files of before do not say what was lost.
Recall get_recall(const Json& told) {
  constexpr std::size_t kBefore = 5;
  Recall out;
  std::size_t i = 0;
  Recall::each([&](const char*, auto member) {
    if (i < kBefore || told.size() > kBefore) told.at(i).get_to(out.*member);
    ++i;
  });
  return out;
}

Lesson get_lesson(const Json& told, const std::string& number, const LessonFile& file,
                  const Container& from) {
  Lesson out;
  out.samples = {from.get<std::uint64_t>("planes" + number), from.get<float>("points" + number),
                 get_priors(number, from)};
  const auto scores = from.get<Scores>("scores" + number);
  const auto words = static_cast<std::size_t>(file.words),
             players = static_cast<std::size_t>(file.players);
  const std::size_t positions = out.samples.points.size() / players;
  told.get_to("finished", out.finished);
  if (scores.size() < 2 || out.samples.planes.size() != positions * words ||
      out.samples.points.size() != positions * players || out.finished > positions)
    throw Error("its numbers do not fit together", Error::Kind::failed);
  out.samples.priors.check(positions);
  for (const auto place : out.samples.priors.places)
    if (place >= file.places) throw Error("a move lies nowhere", Error::Kind::failed);
  if (told.contains("recall")) out.recall = get_recall(told.at("recall"));
  out.gain = scores[0];
  out.points = scores[1];
  out.predicted.assign(scores.begin() + 2, scores.end());
  told.get_to("length", out.length);
  told.get_to("solved_roots", out.solved_roots);
  out.end = told.value("end", std::uint64_t{0});
  told.get_to("evaluations", out.evaluations);
  told.get_to("seconds", out.seconds);
  return out;
}

}  // namespace

bool LessonFile::is_of(const Subject& subject) const {
  return game == subject.game && rules_version == subject.rules_version &&
         players == subject.players && words == subject.planes.words() &&
         (places == 0 || places == subject.move_planes * subject.planes.cells());
}

LessonFile lesson_file(const Subject& subject, const Net& net) {
  return {subject.game,
          subject.rules_version,
          subject.players,
          subject.planes.words(),
          net.training.steps,
          net.turned,
          {},
          net.shape.places()};
}

void save_lessons(const LessonFile& file, const std::string& path) {
  Container out{kLesson, "", {}};
  Json list = Json::array();
  for (std::size_t i = 0; i < file.lessons.size(); ++i)
    put_lesson(file.lessons[i], std::to_string(i), list, out);
  out.header = Json{{"game", file.game},           {"rules_version", file.rules_version},
                    {"players", file.players},     {"words", file.words},
                    {"net_steps", file.net_steps}, {"turned", file.turned},
                    {"places", file.places},       {"lessons", std::move(list)}}
                   .dump();
  out.save(path);
}

LessonFile parse_lessons(const std::string& bytes, const std::string& path) {
  const Container from = Container::parse(bytes, path, kLesson);
  try {
    const Json header = Json::parse(from.header);
    LessonFile out{header.get<std::string>("game"),
                   header.get<int>("rules_version"),
                   header.get<int>("players"),
                   header.get<int>("words"),
                   header.get<std::uint64_t>("net_steps"),
                   header.value("turned", false),
                   {},
                   header.value("places", 0)};
    if (out.players < 1 || out.players > kMaxPlayers || out.words < 1)
      throw Error("bad sizes", Error::Kind::failed);
    const auto& list = header.at("lessons");
    for (std::size_t i = 0; i < list.size(); ++i)
      out.lessons.push_back(get_lesson(list[i], std::to_string(i), out, from));
    return out;
  } catch (const Error& error) {
    throw Error(path + ": " + error.what(), Error::Kind::failed);
  }
}

std::vector<WaitingFile> waiting_files(const std::string& worker_folder) {
  std::vector<WaitingFile> out;
  std::vector<FolderEntry> all;
  try {
    all = files_in(worker_folder);
  } catch (const Error&) {  // it is gone, or is looked at again
  }
  for (const auto& [name, path, is_folder] : all) {
    if (!name.ends_with(kLessonEnd)) continue;
    const auto stem = std::string_view(name).substr(0, name.size() - std::strlen(kLessonEnd));
    // the last number of the name; a name of another kind is looked at all the same
    const auto dash = stem.rfind('-');
    const auto lessons = dash == std::string_view::npos
                             ? std::nullopt
                             : number_of<std::uint64_t>(stem.substr(dash + 1));
    out.push_back({path, lessons.value_or(1)});
  }
  return out;
}

void remove_parts(const std::string& folder) {
  try {
    for (const auto& entry : files_in(folder))
      if (entry.name.ends_with(".part")) remove_file(entry.path);
  } catch (const Error&) {  // it harms nobody
  }
}

std::string lessons_folder(const std::string& exchange) {
  return exchange + "/lessons";
}

std::string over_file(const std::string& exchange) {
  return exchange + "/over";
}

std::uint64_t worker_seed(std::uint64_t seed, const PartName& name, std::uint64_t start) {
  const auto index = static_cast<std::uint64_t>(name.index),
             count = static_cast<std::uint64_t>(name.count);
  return mix64(mix64(mix64(seed ^ mix64(count)) ^ index) ^ start);
}

WorkerFolder::WorkerFolder(const std::string& exchange, const PartName& name)
    : exchange_(exchange), path_(lessons_folder(exchange) + "/" + name.file_stem()), name_(name) {
  make_folder(path_);
  held_ = std::make_unique<Held>(path_ + "/lock", path_ + ": another process is this worker");
  remove_parts(path_);
  const std::string state = path_ + "/worker.json";
  if (exists(state)) {
    const auto told = Json::parse_or_null(read_file(state));
    if (!told.is_object() || !told.contains("starts") || !told["starts"].is_count())
      throw Error(state + " is not the state of a worker", Error::Kind::failed);
    start_ = told["starts"].get<std::uint64_t>() + 1;
  }
  write_state(State::alive);
}

void WorkerFolder::write(const LessonFile& lessons) {
  char name[96];
  std::snprintf(name, sizeof name, "/%06llu-%09llu-%zu%s", static_cast<unsigned long long>(start_),
                static_cast<unsigned long long>(written_++), lessons.lessons.size(), kLessonEnd);
  save_lessons(lessons, path_ + name);
  lessons_ += lessons.lessons.size();
}

std::size_t WorkerFolder::unread() const {
  std::size_t out = 0;
  for (const auto& file : waiting_files(path_)) out += file.lessons;
  return out;
}

void WorkerFolder::write_state(State state) {
  const Json told{{"format", "polymax-worker-1"},
                  {"worker", std::to_string(name_.index) + "/" + std::to_string(name_.count)},
                  {"starts", start_},
                  {"lessons", lessons_},
                  {"beats", beats_++},
                  {"alive", state == State::alive}};
  write_file(path_ + "/worker.json", told.dump() + "\n");
}

void WorkerFolder::beat() {
  write_state(State::alive);
}

void WorkerFolder::end() {
  write_state(State::ended);
}

bool WorkerFolder::over() const {
  struct stat about {};
  return ::stat(over_file(exchange_).c_str(), &about) == 0;
}

std::optional<Net> NetWatch::newer() {
  struct stat now {};
  if (::stat(path_.c_str(), &now) != 0) return std::nullopt;
  const Stamp stamp{now.st_mtim.tv_sec, now.st_mtim.tv_nsec, now.st_size, now.st_ino};
  if (stamp == last_) return std::nullopt;
  std::optional<Net> out;
  try {
    out = load_net(path_);
  } catch (const Error&) {  // it may have been replaced while it was read
    if (++failures_ >= kLooks) throw;
    return std::nullopt;
  }
  check_net_for(*out, subject_.purpose(), path_);
  last_ = stamp;
  failures_ = 0;
  return out;
}

}  // namespace polymax::learn

// Lessons as files between workers and a trainer: round trips, damage, order, foreign games, seeds,
// restarts.
#include "learn/exchange.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <set>
#include <thread>

#include "core/error.hpp"
#include "core/file.hpp"
#include "learn/folder_source.hpp"
#include "learn/worker.hpp"
#include "nn/net_file.hpp"
#include "tests/temporary_folder.hpp"

namespace polymax::learn::exchange_test {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

const Subject kSubject{{"made(n=3)", 2, {3, 3, 3}, 2}};  // 3 words a position

Net made_net(std::uint64_t steps) {
  Net net = untrained_net({kSubject.planes, kSubject.players, 2, 0, 4}, kSubject.game,
                          kSubject.rules_version, steps);
  net.training.steps = steps;
  return net;
}

// A lesson that can be told from others by its length.
Lesson made_lesson(int length) {
  Lesson out;
  out.samples = {{1, 2, 3, ~0ull, 5, 6}, {0.1f, -0.1f, 1, -1}};
  out.finished = 1;
  out.end = ~0ull - 7;
  out.gain[0] = 1;
  out.points[1] = -0.3f;
  out.length = length;
  out.solved_roots = 2;
  out.evaluations = 1000;
  out.seconds = 0.1;
  out.predicted.resize(2);
  out.predicted[1][0] = 1.0f / 3;
  return out;
}

// What workers with a second head say of moves: places of one plane.
Lesson with_moves(Lesson out) {
  Rng rng(1);
  std::vector<ValuedPlace> children{{0, 1.0f}, {8, 0.5f}, {4, 0.25f}};
  out.samples.priors.add(children, 0.5f, rng);
  out.samples.priors.add({}, 0.5f, rng);
  out.recall = {5, 2, 3, 4, 40, 1.5, 7.25};
  return out;
}

LessonFile load_lessons(const std::string& path) {
  return parse_lessons(read_file(path), path);
}

LessonFile made_file(std::vector<int> lengths, const Subject& subject = kSubject) {
  LessonFile out = lesson_file(subject, made_net(7));
  for (const int length : lengths) out.lessons.push_back(made_lesson(length));
  return out;
}

TEST(exchange, WhatIsKnownOfMovesTravels) {
  const TemporaryFolder folder;
  LessonFile file = made_file({});
  file.places = 9;
  file.lessons.push_back(with_moves(made_lesson(3)));
  save_lessons(file, folder / "a.lesson");
  const LessonFile read = load_lessons(folder / "a.lesson");
  EXPECT_EQ(read.lessons, file.lessons);
  EXPECT_EQ(read.places, 9);
  Subject subject = kSubject;
  EXPECT_FALSE(read.is_of(subject)) << "the game has no move planes";
  subject.move_planes = 1;
  EXPECT_TRUE(read.is_of(subject));
  file.places = 8;  // a move lies at 8
  save_lessons(file, folder / "a.lesson");
  EXPECT_THROW(load_lessons(folder / "a.lesson"), Error);
}

struct Meeting {
  TemporaryFolder folder;
  std::vector<std::string> notes;

  Meeting() { fs::create_directory(run()); }
  std::string run() const { return folder / "run"; }
  std::string worker(const std::string& name) const {
    return lessons_folder(folder / "") + "/" + name;
  }
  FolderSourceSettings settings() {
    FolderSourceSettings out;
    out.exchange = (folder / "");
    out.net = run() + "/net.safetensors";
    out.publish_every = 0.05;
    out.note = [this](const std::string& text) { notes.push_back(text); };
    return out;
  }
  std::size_t files(const std::string& name) const { return waiting_files(worker(name)).size(); }
};

int next_length(FolderSource& source) {
  const auto lesson = source.next(std::chrono::hours(1));
  return lesson ? lesson->length : -1;
}

TEST(exchange, LessonsRoundTrip) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.lesson";
  const LessonFile file = made_file({3, 4, 5});
  save_lessons(file, path);
  const LessonFile back = load_lessons(path);
  EXPECT_EQ(back.lessons, file.lessons);
  EXPECT_EQ(back.net_steps, 7u);
  EXPECT_FALSE(back.turned);
  EXPECT_TRUE(back.is_of(kSubject));
  Subject other = kSubject;
  other.rules_version = 3;
  EXPECT_FALSE(back.is_of(other));
}

TEST(exchange, DamageIsAnErrorThatNamesTheFile) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.lesson";
  save_lessons(made_file({3}), path);
  const std::string whole = read_file(path);
  for (std::size_t at = 0; at < whole.size(); at += 1 + whole.size() / 53) {
    std::string broken = whole;
    broken[at] = static_cast<char>(broken[at] ^ 16);
    for (const std::string& text : {broken, whole.substr(0, at)}) {
      write_file(path, text);
      try {
        load_lessons(path);
        FAIL() << "damage at byte " << at << " was not noticed";
      } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
      }
    }
  }
  LessonFile odd = made_file({3});
  odd.lessons[0].samples.planes.pop_back();  // whole, but its numbers do not fit together
  save_lessons(odd, path);
  EXPECT_THROW(load_lessons(path), Error);
}

TEST(exchange, WorkersTakeTurnsAndTheOldestComesFirst) {
  Meeting meeting;
  {
    WorkerFolder a((meeting.folder / ""), {0, 2}), b((meeting.folder / ""), {1, 2});
    for (int i = 0; i < 12; ++i) a.write(made_file({100 + i}));
    for (int i = 0; i < 3; ++i) b.write(made_file({200 + i}));
    EXPECT_EQ(a.unread(), 12u);
  }
  FolderSource source(kSubject, meeting.settings(), made_net(0), 5);
  std::vector<int> taken;
  for (int i = 0; i < 15; ++i) taken.push_back(next_length(source));
  EXPECT_EQ(taken, (std::vector{100, 200, 101, 201, 102, 202, 103, 104, 105, 106, 107, 108, 109,
                                110, 111}));
  EXPECT_EQ(meeting.files("0-of-2"), 0u) << "taken lessons are removed";
  EXPECT_FALSE(source.next(milliseconds(1)));
  EXPECT_EQ(source.evaluated(), 15'000u);
  EXPECT_EQ(source.begun(), 5u);
  EXPECT_EQ(source.waiting(), 0u);
}

TEST(exchange, ALateWorkerIsFoundAndItsLifeSeen) {
  Meeting meeting;
  FolderSource source(kSubject, meeting.settings(), made_net(0), 0);
  EXPECT_FALSE(source.next(milliseconds(30)));
  WorkerFolder late((meeting.folder / ""), {3, 9});
  late.write(made_file({1}));
  EXPECT_EQ(next_length(source), 1);
  while (source.alive() == 0) {
    late.beat();
    std::this_thread::sleep_for(milliseconds(10));
  }
  EXPECT_EQ(source.alive(), 1);
  late.end();
  while (source.alive() != 0) std::this_thread::sleep_for(milliseconds(10));
  EXPECT_FALSE(late.over());
  source.finish();
  EXPECT_TRUE(late.over());
}

TEST(exchange, ADamagedFileIsPutAsideAndNamed) {
  Meeting meeting;
  std::string first;
  {
    WorkerFolder worker((meeting.folder / ""), {0, 1});
    worker.write(made_file({1}));
    worker.write(made_file({2}));
    first = waiting_files(meeting.worker("0-of-1"))[0].path;
    write_file(first, read_file(first).substr(0, 200));
  }
  {
    FolderSource source(kSubject, meeting.settings(), made_net(0), 0);
    EXPECT_EQ(next_length(source), 2);
  }
  ASSERT_EQ(meeting.notes.size(), 1u);
  EXPECT_NE(meeting.notes[0].find(first), std::string::npos) << meeting.notes[0];
  EXPECT_TRUE(fs::exists(first + ".bad"));
  EXPECT_FALSE(fs::exists(first));
}

TEST(exchange, AFileThatCannotBeReadNowIsTriedAgain) {
  Meeting meeting;
  fs::create_directories(meeting.worker("0-of-1"));
  const std::string path = meeting.worker("0-of-1") + "/000001-000000000-1.lesson";
  fs::create_directory(path);  // reading it fails, whoever reads
  std::atomic<int> told = 0;
  std::chrono::steady_clock::time_point first;
  auto settings = meeting.settings();
  settings.note = [&](const std::string& text) {
    const auto now = std::chrono::steady_clock::now();
    told += text.find("it is tried again") != std::string::npos;
    if (told == 1) first = now;
    if (told != 2) return;
    EXPECT_GE(now - first, milliseconds(20)) << "a disk needs time to come back";
    fs::remove(path);  // the disk is back
    save_lessons(made_file({5}), path);
  };
  FolderSource source(kSubject, settings, made_net(1), 0);
  EXPECT_EQ(next_length(source), 5);
  EXPECT_FALSE(fs::exists(path + ".bad"));
}

TEST(exchange, AFileThatCannotBeRemovedIsSaidAndNotReadAgain) {
  const auto before = fs::current_path();
  Meeting meeting;
  fs::current_path(meeting.run());
  fs::create_directories(meeting.worker("0-of-1"));
  const std::string path = meeting.worker("0-of-1") + "/000001-000000000-2.lesson";
  save_lessons(made_file({5, 6}), path);
  {
    FolderSource source(kSubject, meeting.settings(), made_net(1), 0);
    EXPECT_EQ(next_length(source), 5);
    fs::remove(path);
    fs::create_directories(path + "/kept");  // removing it fails, whoever removes
    EXPECT_EQ(next_length(source), 6);
    EXPECT_FALSE(source.next(milliseconds(100)).has_value());
    ASSERT_EQ(meeting.notes.size(), 1u);
    EXPECT_NE(meeting.notes[0].find("cannot remove"), std::string::npos) << meeting.notes[0];
  }
  for (const auto& entry : fs::directory_iterator(meeting.run()))
    EXPECT_NE(entry.path().extension(), ".part") << "a stray file " << entry.path();
  fs::current_path(before);
}

TEST(exchange, PausesGrowAndBeginAgain) {
  Pauses pauses(milliseconds(50), milliseconds(2000));
  int looks = 0;
  for (milliseconds waited(0); waited < milliseconds(60'000); ++looks) waited += pauses.next();
  EXPECT_LE(looks, 45) << "in a minute, instead of 1,200";
  EXPECT_EQ(pauses.next(), milliseconds(2000));
  pauses.begin_again();
  EXPECT_EQ(pauses.next(), milliseconds(50));
}

TEST(exchange, AForeignGameIsAnErrorThatNamesTheFile) {
  Meeting meeting;
  Subject other = kSubject;
  other.game = "made(n=4)";
  WorkerFolder worker((meeting.folder / ""), {0, 1});
  worker.write(made_file({1}, other));
  FolderSource source(kSubject, meeting.settings(), made_net(0), 0);
  try {
    source.next(milliseconds(5000));
    FAIL();
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find(waiting_files(meeting.worker("0-of-1"))[0].path + ": lessons of made(n=4)"),
              std::string::npos)
        << text;
  }
}

// A trainer and a worker that do not agree on turning the boards are told so.
TEST(exchange, LessonsOfTheOtherTurningAreRefused) {
  for (const bool turned : {false, true}) {
    Meeting meeting;
    WorkerFolder worker((meeting.folder / ""), {0, 1});
    LessonFile file = made_file({1});
    file.turned = turned;
    worker.write(file);
    EXPECT_EQ(load_lessons(waiting_files(meeting.worker("0-of-1"))[0].path).turned, turned);
    Net net = made_net(0);
    net.turned = turned;
    EXPECT_EQ(lesson_file(kSubject, net).turned, turned);
    {
      net.turned = !turned;
      FolderSource other(kSubject, meeting.settings(), net, 0);
      try {
        other.next(milliseconds(5000));
        FAIL();
      } catch (const Error& error) {
        EXPECT_NE(std::string(error.what())
                      .find(turned ? "network with turned=on" : "network with turned=off"),
                  std::string::npos)
            << error.what();
      }
    }
    net.turned = turned;
    FolderSource same(kSubject, meeting.settings(), net, 0);
    EXPECT_EQ(next_length(same), 1);
  }
}

TEST(exchange, ATrainerThatEndsLeavesWhatItDidNotTake) {
  Meeting meeting;
  WorkerFolder worker((meeting.folder / ""), {0, 1});
  worker.write(made_file({1, 2, 3}));
  worker.write(made_file({4}));
  {
    FolderSource source(kSubject, meeting.settings(), made_net(0), 0);
    EXPECT_EQ(next_length(source), 1);
    EXPECT_THROW(FolderSource(kSubject, meeting.settings(), made_net(0), 0), Error)
        << "one trainer for a folder";
  }
  FolderSource source(kSubject, meeting.settings(), made_net(0), 0);
  for (const int expected : {2, 3, 4}) EXPECT_EQ(next_length(source), expected);
  EXPECT_EQ(worker.unread(), 0u);
}

TEST(exchange, WorkersSeeTheNewestNetwork) {
  Meeting meeting;
  NetWatch watch(meeting.run(), kSubject);
  EXPECT_FALSE(watch.newer()) << "there is none";
  FolderSource source(kSubject, meeting.settings(), made_net(1), 0);
  auto net = watch.newer();
  ASSERT_TRUE(net);
  EXPECT_EQ(net->tensors, made_net(1).tensors);
  EXPECT_FALSE(watch.newer()) << "it is known";
  source.set_weights(made_net(2));
  source.set_weights(made_net(3));
  std::this_thread::sleep_for(milliseconds(60));
  source.next(milliseconds(0));  // the last one is not kept back
  net = watch.newer();
  ASSERT_TRUE(net);
  EXPECT_EQ(net->training.steps, 3u);

  Subject other = kSubject;
  other.game = "made(n=4)";
  EXPECT_THROW(NetWatch(meeting.run(), other).newer(), Error);
  write_file(meeting.run() + "/net.safetensors", "nothing");
  EXPECT_THROW(
      {
        for (int i = 0; i < 10; ++i) EXPECT_FALSE(watch.newer());
      },
      Error);
}

TEST(exchange, SeedsNeverRepeat) {
  const TemporaryFolder folder;
  std::set<std::uint64_t> seeds;
  std::size_t matches = 0;
  for (const PartName name : {PartName{0, 2}, {1, 2}, {0, 3}, {1, 3}, {2, 3}})
    for (int start = 1; start <= 4; ++start) {
      const WorkerFolder worker((folder / ""), name);
      EXPECT_EQ(worker.start(), static_cast<std::uint64_t>(start));
      for (std::uint64_t i = 0; i < 1000; ++i, ++matches)
        seeds.insert(match_seed(worker.seed(0), i));
    }
  EXPECT_EQ(seeds.size(), matches);
}

TEST(exchange, AWorkerThatSaysNonsenseOfItselfIsNotAlive) {
  Meeting meeting;
  const std::string worker = meeting.worker("0-of-1");
  fs::create_directories(worker);
  FolderSource source(kSubject, meeting.settings(), made_net(1), 0);
  for (int i = 0; i < 40; ++i) {  // every look sees another state
    write_file(worker + "/worker.json",
               R"({"beats":)" + std::to_string(i) + (i % 2 == 0 ? R"(,"alive":"yes"})" : ",]"));
    EXPECT_FALSE(source.next(milliseconds(50)).has_value());
    EXPECT_EQ(source.alive(), 0);
  }
  save_lessons(made_file({5}), worker + "/000001-000000000-1.lesson");
  EXPECT_EQ(next_length(source), 5) << "its lessons are taken all the same";
}

TEST(exchange, ARestartedWorkerGoesOnBehindItsFiles) {
  const TemporaryFolder folder;
  const std::string own = lessons_folder(folder / "") + "/0-of-1";
  {
    WorkerFolder first((folder / ""), {0, 1});
    EXPECT_THROW(WorkerFolder((folder / ""), {0, 1}), Error) << "one process for a worker";
    first.write(made_file({1, 2}));
  }
  write_file(own + "/x.lesson.part", "torn");
  WorkerFolder again((folder / ""), {0, 1});
  EXPECT_FALSE(fs::exists(own + "/x.lesson.part"));
  again.write(made_file({3}));
  const auto files = waiting_files(own);
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(load_lessons(files[0].path).lessons[0].length, 1);
  EXPECT_EQ(files[0].lessons, 2u);
  EXPECT_EQ(load_lessons(files[1].path).lessons[0].length, 3);
  EXPECT_EQ(again.unread(), 3u);
  write_file(lessons_folder(folder / "") + "/1-of-1", "a file where a folder should be");
  EXPECT_THROW(WorkerFolder((folder / ""), {1, 1}), Error);
}

// Matches that take no time: the worker must put several in a file, and wait when they are not
// taken.
TEST(exchange, AQuickWorkerFillsFilesAndWaits) {
  Meeting meeting;
  save_net(made_net(4), meeting.run() + "/net.safetensors", NetPrecision::fp32);
  NetWatch watch(meeting.run(), kSubject);
  WorkerFolder folder((meeting.folder / ""), {0, 1});
  const auto net = first_net(watch, folder, {}, [] { FAIL() << "it is there"; });
  ASSERT_TRUE(net);
  SelfPlay matches(
      make_live_net(*net, {}, 1),
      [](std::shared_ptr<const LoadedNet>, std::uint64_t, std::stop_token) {
        return made_lesson(1);
      },
      2, 2, 1, 0);
  std::stop_source stop;
  WorkerPlan plan;
  plan.unread = 30;
  plan.in_a_file = 8;
  plan.report_every = 0;
  plan.stop = stop.get_token();
  bool waited = false;
  plan.on_report = [&](const WorkerReport& report) {
    waited = waited || report.waits;
    if (report.waits) stop.request_stop();
  };
  Worker worker(kSubject, plan, folder, watch, matches, *net);
  EXPECT_EQ(worker.run(), WorkerEnd::stopped);
  EXPECT_TRUE(waited);
  EXPECT_GE(folder.unread(), 30u);
  EXPECT_LE(folder.unread(), 34u) << "the matches that were done are written";
  EXPECT_EQ(folder.unread(), worker.report().matches);
  const auto files = waiting_files(meeting.worker("0-of-1"));
  EXPECT_LE(files.size(), 6u);
  EXPECT_EQ(load_lessons(files[0].path).net_steps, 4u);
  write_file(over_file((meeting.folder / "")), "");
  plan.stop = {};
  plan.unread = 1'000'000;
  EXPECT_EQ(Worker(kSubject, plan, folder, watch, matches, *net).run(), WorkerEnd::over);
}

// At the end of its time a worker has lessons that it did not take yet.
TEST(exchange, AWorkerWhoseTimeIsUpWritesWhatIsDone) {
  Meeting meeting;
  const Net net = made_net(4);
  NetWatch watch(meeting.run(), kSubject);
  WorkerFolder folder((meeting.folder / ""), {0, 1});
  SelfPlay matches(
      make_live_net(net, {}, 1),
      [](std::shared_ptr<const LoadedNet>, std::uint64_t, std::stop_token) {
        return made_lesson(1);
      },
      1, 6, 1, 0);
  ASSERT_TRUE(matches.next(std::chrono::hours(1)));
  const auto all_done = [&] {
    while (matches.ready() < 6) std::this_thread::sleep_for(milliseconds(1));
  };
  all_done();
  WorkerPlan plan;
  plan.seconds = 1e-9;
  Worker timed(kSubject, plan, folder, watch, matches, net);
  EXPECT_EQ(timed.run(), WorkerEnd::planned);
  EXPECT_EQ(timed.report().matches, 6u);
  EXPECT_EQ(folder.unread(), 6u);
  all_done();
  plan.matches = 2;
  Worker counted(kSubject, plan, folder, watch, matches, net);
  EXPECT_EQ(counted.run(), WorkerEnd::planned);
  EXPECT_EQ(counted.report().matches, 2u) << "no more than were asked for";
}

}  // namespace
}  // namespace polymax::learn::exchange_test

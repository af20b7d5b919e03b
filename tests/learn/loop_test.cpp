// The loop: learns for real, goes on after a stop as if nothing had happened.
// Skipped where there is no torch module.
#include "learn/loop.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>

#include "arena/tournament.hpp"
#include "catalog/catalog.hpp"
#include "core/error.hpp"
#include "nn/net_file.hpp"
#include "nn/torch_engine.hpp"
#include "tests/long_tests.hpp"
#include "tests/temporary_folder.hpp"

namespace polymax::learn::loop_test {
namespace {

struct Lessons {
  std::string game, search = "descent";
  NetSettings net{16, 1, 0};
  Settings settings{};
  std::uint64_t matches = 100;
  int evaluations = 20, parallel = 2;
  std::uint64_t seed = 1;
};

// Learns in the folder, from `from` when given; returns the counters.
Counters learn_in(const std::string& folder, const Lessons& lessons,
                  std::optional<Checkpoint> from = {}) {
  const auto game = catalog::open_game(lessons.game);
  const Subject subject = game->subject();
  Checkpoint begin =
      from ? *from
           : begin_run(subject, lessons.net, lessons.seed,
                       game->random_samples(lessons.seed,
                                            {.matches = 200, .turned = lessons.net.turned}));
  Budget budget;
  budget.evaluations = static_cast<std::uint64_t>(lessons.evaluations);
  const Spec search = Spec::parse(lessons.search);
  const auto play = [&](std::shared_ptr<const LoadedNet> net, std::uint64_t seed,
                        std::stop_token stop) {
    Budget own = budget;
    own.stop = stop;
    return game->self_play(std::move(net), search, own, seed);
  };
  SelfPlay source(make_live_net(begin.net, {}, 64), play, lessons.parallel, 4, lessons.seed,
                  begin.counters.seeds);
  Plan plan;
  plan.folder = folder;
  plan.matches = lessons.matches;
  plan.journal_every = 1;
  Loop loop(subject, lessons.settings, {false, 1}, plan, std::move(begin), source);
  loop.run();
  return loop.counters();
}

#define NEEDS_TORCH() \
  if (!torch_built()) GTEST_SKIP() << "no torch module"

// What exact play gives to a seat: -1, 0 or 1, by searching to the end.
int exact(const AnyGame& game, const AnyMatch& match, int seat) {
  if (match.over()) return static_cast<int>(match.gain()[seat]);
  const auto player = game.player(Spec::parse("unbounded_maxn(eval=zero)"), 0);
  const float value = player->think(match, Budget{}).value[seat];
  return value > 0 ? 1 : value < 0 ? -1 : 0;
}

// Follows `player` in one seat against all moves of the others; counts the moves that give away the
// result which exact play has from the start.
int mistakes(const AnyGame& game, AnyPlayer& player, const AnyMatch& match, int seat, int result,
             std::set<std::uint64_t>& seen) {
  if (match.over() || !seen.insert(match.hash()).second) return 0;
  int out = 0;
  std::vector<std::string> moves = match.legal();
  if (match.to_move() == seat) {
    Budget budget;
    budget.evaluations = 1000;
    moves = {player.think(match, budget).best};
    const auto after = match.clone();
    after->play(moves[0]);
    if (exact(game, *after, seat) < std::min(result, exact(game, match, seat))) ++out;
  }
  for (const auto& move : moves) {
    const auto next = match.clone();
    next->play(move);
    out += mistakes(game, player, *next, seat, result, seen);
  }
  return out;
}

int mistakes_of(const std::string& spec, const std::string& net) {
  const auto game = catalog::open_game(spec);
  int out = 0;
  for (int seat = 0; seat < game->players(); ++seat) {
    const auto player = game->player(Spec::parse("greedy(eval=network(file=\"" + net + "\"))"), 0);
    std::set<std::uint64_t> seen;
    out +=
        mistakes(*game, *player, *game->start(0), seat, exact(*game, *game->start(0), seat), seen);
  }
  return out;
}

// Learns in rounds of lessons.matches, each going on from the checkpoint of the last with `fall` of
// its rate, until `enough` or `limit` more matches.
template <class Enough>
bool learn_until(const std::string& folder, Lessons lessons, std::uint64_t limit, double fall,
                 Enough enough) {
  const std::uint64_t round = lessons.matches;
  const auto checkpoint = CheckpointFolder(folder).newest();
  const std::uint64_t begin = checkpoint ? checkpoint->counters.matches : 0;
  for (lessons.matches = begin + round; lessons.matches <= begin + limit;
       lessons.matches += round) {
    learn_in(folder, lessons, CheckpointFolder(folder).newest());
    if (enough()) return true;
    lessons.settings.rate = std::max(fall * lessons.settings.rate, 1e-4);
  }
  return false;
}

Lessons small_game(const std::string& game, int opening) {
  Lessons out{game, "descent(law=uniform,share=0.3,opening=" + std::to_string(opening) + ")"};
  out.net = {32, 2, 0};
  out.settings.schedule = Schedule::constant;
  out.settings.rate = 2e-3;
  out.settings.batch = 250;
  out.settings.memory = 600;
  out.evaluations = 100;
  out.matches = 500;
  return out;
}

// How many seeds must learn.
std::uint64_t seeds() {
  return long_tests() ? 8 : 1;
}

void expect_exact_play(Lessons lessons) {
  for (lessons.seed = 1; lessons.seed <= seeds(); ++lessons.seed) {
    const TemporaryFolder folder;
    EXPECT_TRUE(
        learn_until((folder / ""), lessons, 10000, 0.5,
                    [&] { return mistakes_of(lessons.game, folder / "net.safetensors") == 0; }))
        << "seed " << lessons.seed;
    EXPECT_EQ(load_net(folder / "net.safetensors").turned, lessons.net.turned);
  }
}

TEST(loop, LearnsTictactoeToExactPlay) {
  NEEDS_TORCH();
  NOT_UNDER_SANITIZERS();
  expect_exact_play(small_game("tictactoe", 3));
}

TEST(loop, LearnsHex3OfSideTwoToExactPlay) {
  NEEDS_TORCH();
  NOT_UNDER_SANITIZERS();
  expect_exact_play(small_game("hex3(side=2)", 2));
}

// If the search and the samples did not turn alike, it could not.
TEST(loop, LearnsHex3OfSideTwoToExactPlayOnTurnedBoards) {
  NEEDS_TORCH();
  NOT_UNDER_SANITIZERS();
  Lessons lessons = small_game("hex3(side=2)", 2);
  lessons.net.turned = true;
  expect_exact_play(lessons);
}

// Recall of a network's prior on new matches.
Recall recall_of(const std::string& spec, const std::string& file) {
  const auto game = catalog::open_game(spec);
  const auto net = make_live_net(load_net(file), {}, 64);
  Budget budget;
  budget.evaluations = 50;
  Recall out;
  const Spec search = Spec::parse("descent(opening=1,share=0.2)");
  for (std::uint64_t seed = 900; seed < 912; ++seed)
    out.add(game->self_play(net, search, budget, seed)->recall);
  return out;
}

// The second head learns which moves are best, far better than an untrained one knows; searches
// that value two children of a position by its prior go on learning. A network of this size and
// rate has better and worse moments: it is looked at after every round.
TEST(loop, LearnsWhichMovesDeserveALook) {
  NEEDS_TORCH();
  NOT_UNDER_SANITIZERS();
  const TemporaryFolder folder;
  Lessons lessons = small_game("quadrothello(n=6)", 2);
  lessons.net = {16, 2, 0, true, true};
  lessons.matches = 150;
  const auto found_first = [&](const char* name) {
    return recall_of(lessons.game, folder / name).share(&Recall::first);
  };
  const auto game = catalog::open_game(lessons.game);
  save_net(begin_run(game->subject(), lessons.net, 1, {}).net, folder / "untrained.safetensors",
           NetPrecision::fp32);
  const double before = found_first("untrained.safetensors");
  EXPECT_LT(before, 0.5);
  const auto learned = [&] {
    return found_first("net.safetensors") > std::max(0.65, before + 0.2);
  };
  EXPECT_TRUE(learn_until((folder / ""), lessons, 1500, 1, learned));
  lessons.search = "descent(width=2,share=0.3,opening=2)";
  EXPECT_TRUE(learn_until((folder / ""), lessons, 1500, 0.8, learned));
}

TEST(loop, ASecondHeadIsAddedToANetworkOfValues) {
  const auto game = catalog::open_game("hex3(side=3)");
  const Subject subject = game->subject();
  const Checkpoint plain = begin_run(subject, {8, 1, 0}, 1, game->random_samples(1, {5}));
  Checkpoint with = plain;
  with.optimiser = {3, std::vector<float>(parameter_count(plain.net.shape), 1.0f),
                    std::vector<float>(parameter_count(plain.net.shape), 1.0f)};
  add_second_head(with, subject, 7);
  EXPECT_EQ(with.net.shape.move_planes, 1);
  EXPECT_EQ(values_only(with.net), plain.net);
  EXPECT_EQ(with.optimiser.first.size(), parameter_count(with.net.shape));
  EXPECT_EQ(with.optimiser.first.back(), 0);
  const Checkpoint once = with;
  add_second_head(with, subject, 8);
  EXPECT_EQ(with, once) << "it has one already";
}

TEST(loop, TurnedBoardsNeedASymmetryForEverySeat) {
  const auto game = catalog::open_game("tictactoe");
  NetSettings net;
  net.turned = true;
  EXPECT_THROW(begin_run(game->subject(), net, 1, game->random_samples(1, {5})), Error);
}

// Of 200 matches, learned and untrained players in turn around the board, those with a learned
// winner and no other.
int won_by_learned(const AnyGame& game, const std::string& folder) {
  const auto greedy = [&](const char* name) {
    return Spec::parse("greedy(eval=network(file=\"" + folder + "/" + name + "\"))");
  };
  const Spec learned = greedy("net.safetensors"), untrained = greedy("untrained.safetensors");
  arena::TournamentSettings settings;
  settings.game = &game;
  settings.players = {learned, untrained, learned, untrained};
  settings.budgets = {Budget{}};
  settings.rotate = true;
  settings.starts = 50;
  settings.opening = 2;
  settings.threads = 2;
  const auto result = arena::tournament(settings);
  int won = 0;
  for (std::size_t m = 0; m < result.gains.size(); ++m) {
    bool learned_wins = false, untrained_wins = false;
    for (int seat = 0; seat < 4; ++seat) {
      const bool is_learned = result.seatings[m][static_cast<std::size_t>(seat)] % 2 == 0;
      if (result.gains[m][seat] > 0) (is_learned ? learned_wins : untrained_wins) = true;
    }
    won += learned_wins && !untrained_wins;
  }
  return won;
}

TEST(loop, LearnedQuadrothelloBeatsUntrained) {
  NEEDS_TORCH();
  NOT_UNDER_SANITIZERS();
  Lessons lessons = small_game("quadrothello(n=6)", 2);
  lessons.net = {32, 1, 0};
  lessons.evaluations = 20;
  lessons.settings.memory = 75;
  lessons.matches = 300;
  const auto game = catalog::open_game(lessons.game);
  for (lessons.seed = 1; lessons.seed <= seeds(); ++lessons.seed) {
    const TemporaryFolder folder;
    const auto begin = begin_run(game->subject(), lessons.net, lessons.seed,
                                 game->random_samples(lessons.seed, {200}));
    save_net(begin.net, folder / "untrained.safetensors", NetPrecision::fp32);
    EXPECT_TRUE(learn_until((folder / ""), lessons, 6000, 0.9,
                            [&] { return won_by_learned(*game, (folder / "")) >= 180; }))
        << "seed " << lessons.seed;
  }
}

TEST(loop, GoesOnFromItsCheckpoint) {
  NEEDS_TORCH();
  const TemporaryFolder folder;
  Lessons lessons{"tictactoe"};
  lessons.matches = 30;
  const Counters first = learn_in((folder / ""), lessons);
  EXPECT_EQ(first.matches, 30u);
  auto from = CheckpointFolder(folder / "").newest();
  ASSERT_TRUE(from.has_value());
  EXPECT_EQ(from->counters.matches, 30u);
  EXPECT_EQ(from->replay.size(), 30u);
  const Net before = from->net;
  lessons.matches = 50;
  const Counters second = learn_in((folder / ""), lessons, std::move(from));
  EXPECT_EQ(second.matches, 50u);
  EXPECT_GT(second.steps, first.steps);
  EXPECT_GE(second.seeds, first.seeds + 20);
  EXPECT_NE(CheckpointFolder(folder / "").newest()->net, before);
}

TEST(loop, DivergedWeightsReplaceNoCheckpoint) {
  NEEDS_TORCH();
  const TemporaryFolder folder;
  Lessons lessons{"tictactoe"};
  lessons.matches = 30;
  learn_in((folder / ""), lessons);
  auto from = CheckpointFolder(folder / "").newest();
  ASSERT_TRUE(from.has_value());
  from->net.tensors[0].values[0] = std::numeric_limits<float>::infinity();
  lessons.matches = 50;
  try {
    learn_in((folder / ""), lessons, from);
    ADD_FAILURE() << "it learned with an infinite weight";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("learning has diverged"), std::string::npos)
        << error.what();
  }
  EXPECT_EQ(CheckpointFolder(folder / "").newest()->counters.matches, 30u);
}

// A run that is often interrupted keeps its history all the same.
TEST(loop, HistoryGoesOnOverRestarts) {
  NEEDS_TORCH();
  const TemporaryFolder folder;
  Lessons lessons{"tictactoe"};
  for (lessons.matches = 20; lessons.matches <= 80; lessons.matches += 5)
    learn_in((folder / ""), lessons, CheckpointFolder(folder / "").newest());
  std::set<std::string> kept;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "history"))
    kept.insert(entry.path().filename());
  EXPECT_EQ(kept, (std::set<std::string>{"net-20.safetensors", "net-30.safetensors",
                                         "net-45.safetensors", "net-70.safetensors"}));
}

TEST(loop, GoesOnAtAnotherSize) {
  const auto small = catalog::open_game("quadrothello(n=6)")->subject(),
             large = catalog::open_game("quadrothello(n=12)")->subject();
  const NetSettings settings{.channels = 8, .blocks = 1, .dense = 16, .turned = true};
  // ends of matches: points whose mean and spread are 9 and 2, and 36 and 4
  const Checkpoint begun = begin_run(small, settings, 1, {{}, {11, 11, 11, 11, 7, 7, 7, 7}});
  const Checkpoint fresh = begin_run(large, settings, 2, {{}, {40, 40, 40, 40, 32, 32, 32, 32}});
  Checkpoint from = begun;
  from.counters.matches = 7;
  for (auto& tensor : from.net.tensors)
    if (tensor.name == "dense2.bias") tensor.values = {5, 6, 7, 8};
  const Checkpoint out = at_other_size(from, begun, fresh);
  EXPECT_EQ(out.net.game, large.game);
  EXPECT_EQ(out.net.shape, fresh.net.shape);
  EXPECT_EQ(out.net.scale, 4);
  EXPECT_EQ(out.counters.matches, 7u);
  EXPECT_EQ(out.net.tensor("stem.weight"), from.net.tensor("stem.weight"));
  EXPECT_EQ(out.net.tensor("dense2.weight"), from.net.tensor("dense2.weight"));
  // a sum over a board four times as large
  const auto &before = from.net.tensor("dense1.weight").values,
             &after = out.net.tensor("dense1.weight").values;
  for (std::size_t i = 0; i < before.size(); ++i) ASSERT_EQ(after[i], before[i] / 4);
  // 36 / 4 instead of 9 / 2
  EXPECT_EQ(out.net.tensor("dense2.bias").values, (std::vector<float>{9.5, 10.5, 11.5, 12.5}));

  const auto other = catalog::open_game("triinversion")->subject();
  EXPECT_THROW(at_other_size(from, begun, begin_run(other, settings, 2, {})), Error);
  const NetSettings wider{.channels = 16, .blocks = 1, .dense = 16, .turned = true};
  EXPECT_THROW(at_other_size(from, begun, begin_run(large, wider, 2, {})), Error);
}

TEST(loop, PacedStepsAreFullAndNoMoreThanDeltaAllows) {
  NEEDS_TORCH();
  const TemporaryFolder folder;
  Lessons lessons{"tictactoe"};
  lessons.matches = 60;
  lessons.settings.pace = 1e6;
  lessons.settings.batch = 64;
  lessons.settings.duplication = 2;
  const Counters after = learn_in((folder / ""), lessons);
  EXPECT_EQ(after.learned, 64 * after.steps);
  EXPECT_LE(after.learned, 2 * after.samples);
  EXPECT_GT(after.steps, 0u);
}

// A source that breaks after some lessons.
class Breaking final : public Source {
 public:
  explicit Breaking(Lesson lesson) : lesson_(std::move(lesson)) {}
  std::optional<Lesson> next(std::chrono::milliseconds) override {
    if (++given_ > 5) throw Error("the folder is gone", Error::Kind::failed);
    return lesson_;
  }
  void set_weights(const Net&) override {}
  std::uint64_t evaluated() const override { return 0; }
  std::optional<double> busy() const override { return std::nullopt; }
  std::uint64_t begun() const override { return 5; }

 private:
  Lesson lesson_;
  int given_ = 0;
};

TEST(loop, AnErrorOfTheSourceLeavesACheckpoint) {
  NEEDS_TORCH();
  const TemporaryFolder folder;
  const auto game = catalog::open_game("tictactoe");
  Lesson lesson;
  lesson.samples = game->random_samples(1, {.matches = 20});
  Breaking source(lesson);
  Plan plan;
  plan.folder = folder / "";
  plan.matches = 1000;
  Settings settings;
  settings.batch = 10;
  Loop loop(game->subject(), settings, {false, 1}, plan,
            begin_run(game->subject(), {4, 0, 0}, 1, lesson.samples), source);
  try {
    loop.run();
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("the folder is gone; what was learned is in a"),
              std::string::npos)
        << error.what();
  }
  const auto kept = CheckpointFolder(folder / "").newest();
  ASSERT_TRUE(kept.has_value());
  EXPECT_EQ(kept->counters.matches, 5u);
}

}  // namespace
}  // namespace polymax::learn::loop_test

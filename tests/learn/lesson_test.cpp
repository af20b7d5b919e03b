// Lessons of real matches: targets against a recomputation, samples each once, stops.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "catalog/catalog.hpp"
#include "core/error.hpp"
#include "eval/network.hpp"
#include "games/hex3.hpp"
#include "games/quadrothello.hpp"
#include "games/tictactoe.hpp"
#include "learn/play_lesson.hpp"
#include "nn/engines.hpp"
#include "search/descent.hpp"
#include "tests/games/uniform.hpp"

namespace polymax::lesson_test {
namespace {

using Rules = tictactoe::Rules;

// A cheap evaluator that tells positions apart.
struct Guess {
  const Rules* game;
  void evaluate(std::span<const Rules::State> states, std::span<Scores> out) {
    for (std::size_t i = 0; i < states.size(); ++i) out[i] = value(states[i]);
  }
  Scores value(const Rules::State& state) const {
    Scores out;
    out[0] = static_cast<float>(game->hash(state) % 1000) / 1000 - 0.5f;
    out[1] = -out[0];
    return out;
  }
};

using Key = std::vector<std::uint64_t>;

Key planes_of(const Rules& game, const Rules::State& state) {
  Key out(static_cast<std::size_t>(game.planes().words()));
  game.write_planes(state, out);
  return out;
}

using Table = std::map<Key, Scores>;

// The value of an expanded position recomputed from what the tree's edges say: the best for the
// mover. A finished position behind an edge is worth its points, one that was never expanded what
// the evaluator said.
void check_node(const Rules& game, Guess& guess, const auto& search, NodeIndex i,
                const Table& targets) {
  const Arena& tree = search.tree();
  const auto& state = search.kept(i);
  const Edges edges = tree.edges(i);
  const int mover = game.to_move(state);
  MoveList<Rules> moves;
  game.moves(state, moves);
  ASSERT_EQ(moves.size(), edges.count);
  float best = -10;
  for (std::size_t e = 0; e < edges.count; ++e) {
    Rules::State next = state;
    game.play(next, moves[e]);
    if (game.over(next)) {
      EXPECT_EQ(edges.value(e), terminal_points(game, next, Points::gain));
    } else if (tree.find(game.hash(next)) == kNoNode) {
      EXPECT_EQ(edges.value(e), guess.value(next));
    }
    best = std::max(best, edges.value(e)[mover]);
  }
  const Scores target = targets.at(planes_of(game, state));
  EXPECT_EQ(target[mover], best);
  bool some = false;
  for (std::size_t e = 0; e < edges.count; ++e)
    some |= edges.value(e)[mover] == best && edges.value(e) == target;
  EXPECT_TRUE(some) << "the target is the vector of a best edge";
}

TEST(lesson, TargetsAreRecomputedFromTheTable) {
  const Rules game{Rules::Options{}};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Guess guess{&game};
    descent::Search<Rules> search(Task<Rules>{&game, Points::gain, guess, seed}, {});
    Budget budget;
    budget.evaluations = 30;
    const auto lesson = learn::play_lesson(game, Points::gain, search, budget, game.start(seed));
    ASSERT_TRUE(lesson.has_value());
    Table targets;
    const auto words = static_cast<std::size_t>(game.planes().words());
    const std::size_t count = lesson->samples.planes.size() / words;
    for (std::size_t i = 0; i < count; ++i) {
      const auto begin = lesson->samples.planes.begin() + static_cast<std::ptrdiff_t>(i * words);
      Scores value;
      for (std::size_t p = 0; p < 2; ++p) value.seats[p] = lesson->samples.points[2 * i + p];
      EXPECT_TRUE(
          targets.emplace(Key(begin, begin + static_cast<std::ptrdiff_t>(words)), value).second)
          << "a position twice";
    }
    const auto& tree = search.tree().tree();
    EXPECT_EQ(count, tree.size() + lesson->finished);
    EXPECT_GT(lesson->finished, 0u);
    for (NodeIndex i = 0; i < tree.end(); ++i) check_node(game, guess, search.tree(), i, targets);
    EXPECT_EQ(static_cast<std::size_t>(lesson->length), lesson->predicted.size());
  }
}

// What exact play of the rest gives, by the rules alone.
Scores exact(const Rules& game, const Rules::State& state) {
  if (game.over(state)) return game.gain(state);
  MoveList<Rules> moves;
  game.moves(state, moves);
  const int mover = game.to_move(state);
  Scores out = all_seats(2, -2);
  for (const auto& move : moves) {
    Rules::State next = state;
    game.play(next, move);
    const Scores behind = exact(game, next);
    if (behind[mover] > out[mover]) out = behind;
  }
  return out;
}

void collect(const Rules& game, const Rules::State& state, std::map<Key, Rules::State>& to) {
  if (!to.emplace(planes_of(game, state), state).second || game.over(state)) return;
  MoveList<Rules> moves;
  game.moves(state, moves);
  for (const auto& move : moves) {
    Rules::State next = state;
    game.play(next, move);
    collect(game, next, to);
  }
}

// Later matches use what earlier ones have solved: it is right, and there is less and less to do.
TEST(lesson, ResolvedPositionsAreKeptFromMatchToMatch) {
  const Rules game{Rules::Options{}};
  ResolvedPositions resolved(std::size_t{1} << 20);
  std::uint64_t evaluations[2] = {0, 0};
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Guess guess{&game};
    descent::Search<Rules> search(Task<Rules>{&game, Points::gain, guess, seed, &resolved},
                                  {.law = descent::Law::uniform});
    Budget budget;
    budget.evaluations = 60;
    const auto lesson = learn::play_lesson(game, Points::gain, search, budget, game.start(seed));
    if (seed < 20) evaluations[0] += lesson->evaluations;
    if (seed >= 380) evaluations[1] += lesson->evaluations;
  }
  EXPECT_LT(evaluations[1], evaluations[0] / 10);
  std::map<Key, Rules::State> states;
  collect(game, game.start(0), states);
  std::size_t known = 0;
  for (const auto& [key, state] : states)
    if (const auto found = resolved.find(game.hash(state))) {
      ++known;
      EXPECT_EQ(found->value, exact(game, state));
    }
  EXPECT_GT(known, 300u);
}

// Mean gain of random play from here.
Scores expectation(const Rules& game, const Rules::State& state) {
  if (game.over(state)) return game.gain(state);
  MoveList<Rules> moves;
  game.moves(state, moves);
  Scores out;
  for (const auto& move : moves) {
    Rules::State next = state;
    game.play(next, move);
    const Scores behind = expectation(game, next);
    for (int p = 0; p < 2; ++p) out[p] += behind[p] / static_cast<float>(moves.size());
  }
  return out;
}

TEST(lesson, RandomMatchesAreValuedByRandomPlay) {
  const Rules game{Rules::Options{}};
  std::map<Key, Rules::State> states;
  collect(game, game.start(0), states);
  constexpr int kPlayouts = 400;
  const learn::RandomMatches asked{50, 3, kPlayouts};
  const auto any = catalog::open_game("tictactoe(points=gain)");
  const auto samples = any->random_samples(7, asked);
  EXPECT_EQ(samples, any->random_samples(7, asked));
  const auto words = static_cast<std::size_t>(game.planes().words());
  const std::size_t count = samples.planes.size() / words;
  ASSERT_EQ(count, 50u * 4);
  ASSERT_EQ(samples.points.size(), count * 2);
  std::size_t finished = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto begin = samples.planes.begin() + static_cast<std::ptrdiff_t>(i * words);
    const auto& state = states.at(Key(begin, begin + static_cast<std::ptrdiff_t>(words)));
    finished += game.over(state) ? 1 : 0;
    const double close = game.over(state) ? 1e-6 : 5 / std::sqrt(kPlayouts);
    for (std::size_t p = 0; p < 2; ++p)
      EXPECT_NEAR(samples.points[2 * i + p], expectation(game, state).seats[p], close);
  }
  EXPECT_EQ(finished, 50u);
}

template <Learnable G>
void check_turned_samples(const G& game) {
  const auto turns = mover_turns(game);
  const auto by_seat = turns_of(game);
  const auto played = uniform::random_game(game, 3);
  for (const auto& state : played.states) {
    Scores points;
    for (int p = 0; p < game.players(); ++p) points[p] = static_cast<float>(10 + p);
    learn::Samples out;
    learn::add_sample(game, state, points, turns.get(), out);
    const Symmetry& by = by_seat[static_cast<std::size_t>(game.to_move(state))];
    ASSERT_EQ(out.planes, uniform::turned_planes(game, uniform::planes_of(game, state), by));
    ASSERT_EQ(out.points.size(), static_cast<std::size_t>(game.players()));
    for (int p = 0; p < game.players(); ++p)
      EXPECT_EQ(out.points[by.seats[static_cast<std::size_t>(p)]], points[p]);
    EXPECT_EQ(out.points[0], points[game.to_move(state)]) << "the mover comes first";
  }
}

TEST(lesson, TurnedSamplesAreTurnedByTheirMover) {
  check_turned_samples(quadrothello::Rules({.n = 8}));
  check_turned_samples(hex3::Rules());
}

// Of the samples, how many say that seat p moves (quadrothello: plane 4 + p is full).
int moved_by(const learn::Samples& samples, const PlaneShape& shape, int p) {
  int out = 0;
  for (std::size_t i = static_cast<std::size_t>(4 + p); i < samples.planes.size();
       i += static_cast<std::size_t>(shape.words()))
    out += samples.planes[i] == (1ull << shape.cells()) - 1;
  return out;
}

TEST(lesson, WhatANetworkWantsIsWhatTheLessonHas) {
  const auto game = catalog::open_game("quadrothello(n=6)");
  const auto subject = game->subject();
  ASSERT_EQ(subject.planes.words_per_plane(), 1);
  Net net = untrained_net({subject.planes, subject.players, 4, 0, 4}, subject.game,
                          subject.rules_version, 1);
  Budget budget;
  budget.evaluations = 30;
  for (const bool turned : {false, true}) {
    net.turned = turned;
    const auto lesson =
        game->self_play(make_live_net(net, {}, 64), Spec::parse("descent"), budget, 5);
    const auto random = game->random_samples(4, {20, 3, 1, turned});
    for (const auto* samples : {&lesson->samples, &random}) {
      const int all = static_cast<int>(samples->points.size()) / 4;
      EXPECT_EQ(moved_by(*samples, subject.planes, 0) == all, turned);
      for (int p = 1; p < 4; ++p) EXPECT_EQ(moved_by(*samples, subject.planes, p) == 0, turned);
    }
  }
}

// What a lesson says of moves, against the tree: the places are those of the moves, turned as the
// planes are, and the shares a softmax of the mover's values behind them.
template <MoveMapped G>
void check_lesson_of_moves(const G& game, bool turned) {
  Net net = untrained_net({game.planes(), game.players(), 4, 0, 4, game.move_planes()}, "g", 1, 5);
  net.turned = turned;
  const auto turns = turned ? mover_turns(game) : nullptr;
  network::Eval<G> eval(game, make_live_net(net, {}, 64), turns);
  descent::Search<G> search(Task<G>{&game, Points::gain, eval, 1}, {});
  Budget budget;
  budget.evaluations = 40;
  const EvaluatorRef<G> ref(eval);
  const auto lesson =
      learn::play_lesson(game, Points::gain, search, budget, game.start(1), turns.get(), &ref);
  const auto& samples = lesson->samples;
  const std::size_t count = samples.points.size() / static_cast<std::size_t>(game.players());
  samples.priors.check(count);
  ASSERT_EQ(samples.priors.positions.size(), count);
  EXPECT_GT(lesson->recall.positions, 0u);
  EXPECT_LE(lesson->recall.positions, 16u);
  std::size_t at = 0, moving = 0;
  search.harvest([&](const typename G::State& state, const Scores&, const ValuedMoves<G>& valued) {
    const std::size_t begin = at == 0 ? 0 : samples.priors.positions[at - 1].end,
                      end = samples.priors.positions[at].end;
    ++at;
    ASSERT_EQ(end - begin, valued.moves.size());
    std::map<std::uint16_t, float> wanted;
    for (std::size_t i = 0; i < valued.moves.size(); ++i)
      wanted[turned_place(game, state, valued.moves[i], turns.get())] = valued.values[i];
    EXPECT_EQ(valued.moves.size(), uniform::legal(game, state).size()) << "all were valued";
    moving += valued.moves.empty() ? 0 : 1;
    for (std::size_t i = begin; i < end; ++i)
      for (std::size_t j = begin; j < end; ++j) {
        const float a = wanted.at(samples.priors.places[i]),
                    b = wanted.at(samples.priors.places[j]);
        if (a > b) {
          EXPECT_GE(samples.priors.shares[i], samples.priors.shares[j]);
        }
      }
  });
  EXPECT_EQ(at, count);
  EXPECT_EQ(moving + lesson->finished, count);
}

TEST(lesson, SaysWhatIsKnownOfMoves) {
  check_lesson_of_moves(hex3::Rules({.side = 3}), false);
  check_lesson_of_moves(hex3::Rules({.side = 3}), true);
  check_lesson_of_moves(quadrothello::Rules({.n = 6}), true);
}

TEST(lesson, OfANetworkWithoutSecondHeadSaysNothingOfMoves) {
  const auto game = catalog::open_game("hex3(side=3)");
  const auto subject = game->subject();
  Budget budget;
  budget.evaluations = 30;
  const auto play = [&](int move_planes) {
    const Net net = untrained_net({subject.planes, subject.players, 4, 0, 4, move_planes},
                                  subject.game, subject.rules_version, 1);
    return game->self_play(make_live_net(net, {}, 64), Spec::parse("descent"), budget, 5);
  };
  const auto with = play(1), without = play(0);
  EXPECT_TRUE(without->samples.priors.positions.empty());
  EXPECT_FALSE(with->samples.priors.positions.empty());
  EXPECT_EQ(with->samples.planes, without->samples.planes) << "nothing else changes";
  EXPECT_EQ(with->samples.points, without->samples.points);
  EXPECT_EQ(with->evaluations, without->evaluations);
}

// docs/reference/learning.md lists them.
TEST(lesson, GamesThatCanBeTurned) {
  std::vector<std::string> cannot;
  for (const auto& entry : catalog::games()) {
    const auto game = catalog::open_game(entry.entry.name);
    if (game->planes() && !game->subject().purpose().turns) cannot.push_back(entry.entry.name);
  }
  EXPECT_EQ(cannot, (std::vector<std::string>{"teamhex", "tictactoe"}));
  EXPECT_THROW(catalog::open_game("tictactoe")->random_samples(1, {.matches = 1, .turned = true}),
               Error);
}

TEST(lesson, EveryGameGivesSamplesInItsPlanes) {
  for (const char* spec : {"hex3(side=2)", "quadrothello(n=6)", "fish", "hex(n=4)"}) {
    const auto game = catalog::open_game(spec);
    const auto subject = game->subject();
    const Net net = untrained_net({subject.planes, subject.players, 4, 0, 4}, subject.game,
                                  subject.rules_version, 1);
    const std::shared_ptr<LiveNet> live = make_live_net(net, {}, 64);
    Budget budget;
    budget.evaluations = 1;
    const auto lesson = game->self_play(live, Spec::parse("descent(share=0.3)"), budget, 5);
    ASSERT_TRUE(lesson.has_value());
    const std::size_t count =
        lesson->samples.points.size() / static_cast<std::size_t>(subject.players);
    EXPECT_EQ(lesson->samples.planes.size(),
              count * static_cast<std::size_t>(subject.planes.words()))
        << spec;
    EXPECT_GE(count, static_cast<std::size_t>(lesson->length)) << spec;
    EXPECT_EQ(lesson->evaluations, live->evaluated()) << spec;
    EXPECT_EQ(
        *lesson->samples.points.data(),
        *game->self_play(live, Spec::parse("descent(share=0.3)"), budget, 5)->samples.points.data())
        << "the same seed, the same match";
    std::stop_source stop;
    stop.request_stop();
    budget.stop = stop.get_token();
    EXPECT_FALSE(game->self_play(live, Spec::parse("descent"), budget, 5).has_value());
    budget.stop = {};
    EXPECT_THROW(game->self_play(live, Spec::parse("mcts"), budget, 5), Error)
        << "mcts does not teach";
  }
}

}  // namespace
}  // namespace polymax::lesson_test

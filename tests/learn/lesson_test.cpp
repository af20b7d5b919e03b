// Lessons of real matches: targets against a recomputation, samples each once, stops.
#include <gtest/gtest.h>

#include <map>

#include "catalog/bind_learn.hpp"
#include "catalog/catalog.hpp"
#include "games/tictactoe.hpp"
#include "nn/engines.hpp"
#include "search/descent.hpp"

namespace polymax {
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
  std::string label() const { return "guess"; }
};

using Key = std::vector<std::uint64_t>;

Key planes_of(const Rules& game, const Rules::State& state) {
  Key out(static_cast<std::size_t>(game.planes().words()));
  game.write_planes(state, out);
  return out;
}

// The value of a position over the positions that the match expanded: exact at the end, the best child for the mover,
// the guess where nothing was expanded.
struct Recomputation {
  const Rules& game;
  const Guess& guess;
  const std::map<Key, Scores>& expanded;
  std::map<Key, Scores> known{};

  Scores value(const Rules::State& state) {
    if (game.over(state)) return terminal_points(game, state, Points::gain);
    const Key key = planes_of(game, state);
    if (!expanded.contains(key)) return guess.value(state);
    if (const auto found = known.find(key); found != known.end()) return found->second;
    MoveList<Rules> moves;
    game.moves(state, moves);
    const int mover = game.to_move(state);
    Scores best;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      Rules::State next = state;
      game.play(next, moves[i]);
      const Scores child = value(next);
      if (i == 0 || child[mover] > best[mover]) best = child;
    }
    return known[key] = best;
  }
};

TEST(lesson, TargetsAreTheValuesOfTheTable) {
  const Rules game{Rules::Options{}};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Guess guess{&game};
    descent::Search<Rules> search(Task<Rules>{&game, Points::gain, guess, seed}, {});
    Budget budget;
    budget.evaluations = 30;
    std::vector<Rules::State> met;
    const auto lesson = catalog::play_lesson(game, Points::gain, search, budget, game.start(seed));
    ASSERT_TRUE(lesson.has_value());
    std::map<Key, Scores> expanded;
    search.harvest([&](const Rules::State& state, const Scores& value) {
      met.push_back(state);
      EXPECT_TRUE(expanded.emplace(planes_of(game, state), value).second) << "a position twice";
    });
    ASSERT_EQ(lesson->samples.points.size(), 2 * met.size());
    Recomputation again{game, guess, expanded};
    std::size_t finished = 0;
    for (std::size_t i = 0; i < met.size(); ++i) {
      const Scores expected = again.value(met[i]);
      finished += game.over(met[i]) ? 1 : 0;
      const Key key = planes_of(game, met[i]);
      EXPECT_EQ(Key(lesson->samples.planes.begin() + static_cast<std::ptrdiff_t>(i * key.size()),
                    lesson->samples.planes.begin() + static_cast<std::ptrdiff_t>((i + 1) * key.size())),
                key);
      for (int p = 0; p < 2; ++p)
        EXPECT_FLOAT_EQ(lesson->samples.points[2 * i + static_cast<std::size_t>(p)], expected[p]) << seed << " " << i;
    }
    EXPECT_EQ(lesson->finished, finished);
    EXPECT_GT(finished, 0u);
    EXPECT_EQ(static_cast<std::size_t>(lesson->length), lesson->predicted.size());
  }
}

TEST(lesson, EveryGameGivesSamplesInItsPlanes) {
  for (const char* spec : {"hex3(side=2)", "quadrothello(n=6)", "fish", "teamhex(side=2)"}) {
    const auto game = catalog::open_game(spec);
    const auto subject = game->subject();
    const Net net = untrained_net({subject.planes, subject.players, 4, 0, 4}, subject.game, subject.rules_version, 1);
    const std::shared_ptr<LiveNet> live = make_live_net(net, {}, 64);
    Budget budget;
    budget.evaluations = 1;
    const auto lesson = game->self_play(live, Spec::parse("descent(share=0.3)"), budget, 5);
    ASSERT_TRUE(lesson.has_value());
    const std::size_t count = lesson->samples.points.size() / static_cast<std::size_t>(subject.players);
    EXPECT_EQ(lesson->samples.planes.size(), count * static_cast<std::size_t>(subject.planes.words())) << spec;
    EXPECT_GE(count, static_cast<std::size_t>(lesson->length)) << spec;
    EXPECT_EQ(lesson->evaluations, live->evaluated()) << spec;
    EXPECT_EQ(*lesson->samples.points.data(),
              *game->self_play(live, Spec::parse("descent(share=0.3)"), budget, 5)->samples.points.data())
        << "the same seed, the same match";
    std::stop_source stop;
    stop.request_stop();
    budget.stop = stop.get_token();
    EXPECT_FALSE(game->self_play(live, Spec::parse("descent"), budget, 5).has_value());
    budget.stop = {};
    EXPECT_THROW(game->self_play(live, Spec::parse("mcts"), budget, 5), Error) << "mcts does not teach";
  }
}

}  // namespace
}  // namespace polymax

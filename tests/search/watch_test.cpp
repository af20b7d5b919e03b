// Looking on while a search thinks changes nothing and tells the truth.
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "catalog/catalog.hpp"
#include "tests/search/verdicts.hpp"

namespace polymax::watch_test {
namespace {

constexpr const char* kGames[] = {"quadrothello", "hex3(side=5)", "hex(n=6)"};

bool answers_at_once(const std::string& search) {
  return search == "greedy" || search == "random";
}

template <class F>
void each_search(F f) {
  for (const char* spec : kGames) {
    const auto game = catalog::open_game(spec);
    const auto& entries = catalog::games();
    const auto entry =
        std::ranges::find(entries, game->name(), [](const GameEntry& e) { return e.entry.name; });
    for (const auto& search : entry->searches) f(*game, search.name);
  }
}

void expect_growing(const std::vector<AnyVerdict>& seen) {
  for (std::size_t i = 1; i < seen.size(); ++i) {
    const Cost &a = seen[i - 1].cost, &b = seen[i].cost;
    EXPECT_TRUE(a.evaluations <= b.evaluations && a.nodes <= b.nodes && a.depth <= b.depth &&
                a.seconds <= b.seconds);
  }
}

// Some moves of a match, with a watched and an unwatched player.
TEST(watch, ChangesNothing) {
  each_search([](const AnyGame& game, const std::string& search) {
    SCOPED_TRACE(game.spec() + " " + search);
    const auto alone = game.player(Spec::parse(search), 1),
               watched = game.player(Spec::parse(search), 1);
    const auto match = game.start(1);
    for (int move = 0; move < 3; ++move) {
      const auto legal = match->legal();
      std::vector<AnyVerdict> seen;
      const Watch watch{0, [&](const AnyVerdict& now) {
                          EXPECT_NE(std::ranges::find(legal, now.best), legal.end());
                          EXPECT_EQ(now.children.size(), legal.size());
                          EXPECT_EQ(now.pv.front(), now.best);
                          seen.push_back(now);
                        }};
      const Budget budget = catalog::parse_budget("evals=1000,nodes=20000");
      const AnyVerdict a = alone->think(*match, budget), b = watched->think(*match, budget, watch);
      EXPECT_TRUE(same(a, b));
      EXPECT_EQ(seen.empty(), answers_at_once(search));
      seen.push_back(b);
      expect_growing(seen);
      match->play(b.best);
    }
  });
}

TEST(watch, EndsASearchByItsStop) {
  each_search([](const AnyGame& game, const std::string& search) {
    if (answers_at_once(search)) return;
    SCOPED_TRACE(game.spec() + " " + search);
    std::stop_source source;
    Budget budget;
    budget.stop = source.get_token();
    int looks = 0;
    const auto match = game.start(1);
    const auto verdict =
        game.player(Spec::parse(search), 1)->think(*match, budget, {0, [&](const AnyVerdict&) {
                                                                      if (++looks == 3)
                                                                        source.request_stop();
                                                                    }});
    EXPECT_EQ(looks, 3);
    EXPECT_TRUE(std::ranges::count(match->legal(), verdict.best) == 1);
  });
}

TEST(watch, PassesOnWhatTheWatcherThrows) {
  each_search([](const AnyGame& game, const std::string& search) {
    if (answers_at_once(search)) return;
    SCOPED_TRACE(game.spec() + " " + search);
    const auto player = game.player(Spec::parse(search), 1);
    const auto match = game.start(1);
    const Budget budget = catalog::parse_budget("evals=500,nodes=20000");
    const Watch watch{0, [](const AnyVerdict&) { throw Error("enough"); }};
    EXPECT_THROW(player->think(*match, budget, watch), Error);
    EXPECT_EQ(std::ranges::count(match->legal(), player->think(*match, budget).best), 1);
  });
}

// However long a look takes: so many looks need so many times `every`.
TEST(watch, LooksNoMoreOftenThanAsked) {
  const auto game = catalog::open_game("hex");
  for (const char* search : {"unbounded_maxn", "mcts", "paranoid"}) {
    std::stop_source source;
    Budget budget;
    budget.stop = source.get_token();
    std::vector<double> seen;
    const Watch watch{0.05, [&](const AnyVerdict& now) {
                        seen.push_back(now.cost.seconds);
                        if (seen.size() == 4) source.request_stop();
                      }};
    game->player(Spec::parse(search), 1)->think(*game->start(1), budget, watch);
    ASSERT_EQ(seen.size(), 4u) << search;
    for (std::size_t i = 0; i < seen.size(); ++i)
      EXPECT_GE(seen[i], 0.05 * static_cast<double>(i + 1)) << search;
  }
}

// With several threads one of them tells, the one that was asked to think.
TEST(watch, SeesSeveralThreads) {
  const auto game = catalog::open_game("hex");
  for (const char* search : {"unbounded_maxn(threads=4)", "mcts(threads=4)"}) {
    std::stop_source source;
    Budget budget;
    budget.stop = source.get_token();
    std::vector<AnyVerdict> seen;
    const auto here = std::this_thread::get_id();
    const Watch watch{0, [&](const AnyVerdict& now) {
                        EXPECT_EQ(std::this_thread::get_id(), here);
                        seen.push_back(now);
                        if (seen.size() == 20) source.request_stop();
                      }};
    seen.push_back(game->player(Spec::parse(search), 1)->think(*game->start(1), budget, watch));
    EXPECT_EQ(seen.size(), 21u) << search;
    expect_growing(seen);
  }
}

}  // namespace
}  // namespace polymax::watch_test

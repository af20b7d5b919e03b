// Searches run on games in boxes (catalog/boxed.hpp): they find what the same search finds on the
// game's own type, and states of every size find a box.
#include "catalog/boxed.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <new>

#include "catalog/all_searches.hpp"
#include "catalog/bind_rules.hpp"
#include "catalog/catalog.hpp"
#include "catalog/search_kit.hpp"
#include "games/hex.hpp"
#include "games/quadrothello.hpp"
#include "games/tictactoe.hpp"

namespace polymax::boxed_test {
namespace {

using catalog::BoundRules;
using catalog::Boxed;

static_assert(Game<Boxed<64>> && TurnSkipping<Boxed<64>> && Estimating<Boxed<64>> &&
              MoveMapped<Boxed<64>> && Symmetric<Boxed<64>>);
static_assert(Game<Boxed<64, 0>> && !TurnSkipping<Boxed<64, 0>> && !Estimating<Boxed<64, 0>> &&
              !Learnable<Boxed<64, 0>> && !Symmetric<Boxed<64, 0>>);

template <class M>
MoveCode code_of(const M& move) {
  MoveCode out;
  std::memcpy(&out.bits, &move, sizeof move);
  return out;
}

template <class A, class B>
void expect_same(const Verdict<A>& a, const Verdict<B>& b) {
  EXPECT_EQ(code_of(a.best), b.best);
  EXPECT_EQ(a.value, b.value);
  EXPECT_EQ(a.proof, b.proof);
  EXPECT_EQ(a.cost.evaluations, b.cost.evaluations);
  EXPECT_EQ(a.cost.nodes, b.cost.nodes);
  ASSERT_EQ(a.children.size(), b.children.size());
  for (std::size_t i = 0; i < a.children.size(); ++i) {
    EXPECT_EQ(code_of(a.children[i].move), b.children[i].move);
    EXPECT_EQ(a.children[i].value, b.children[i].value);
    EXPECT_EQ(a.children[i].visits, b.children[i].visits);
  }
}

// A match of the search on the type against the search in a box, by every offered search.
template <Game G>
void compare() {
  const typename G::Options options{};
  const G game(options);
  const BoundRules<G> rules(options);
  const auto& kit = catalog::kit_for(sizeof(typename G::State));
  int searches = 0;
  catalog::each_search([&]<class Tag>(Tag) {
    if constexpr (requires { typename Tag::template type<G>; }) {
      using S = typename Tag::template type<G>;
      SCOPED_TRACE(Tag::name);
      ++searches;
      Spec spec;
      const auto evaluator = rules.evaluator(word("playouts"), {Points::gain, 5}, spec);
      const auto boxed = kit.make({&rules, Points::gain, evaluator.get(), 9}, word(Tag::name));
      ASSERT_TRUE(boxed);
      playouts::Eval<G> direct({&game, Points::gain, 5});
      S search(Task<G>{&game, Points::gain, direct, 9}, typename S::Params{});
      auto state = game.start(3);
      Budget budget;
      budget.evaluations = 60;
      for (int ply = 0; ply < 4 && !game.over(state); ++ply) {
        const auto found = search.think(state, budget);
        const auto* bytes = reinterpret_cast<const std::byte*>(&state);
        expect_same(found, boxed->think(bytes, budget, {}));
        game.play(state, found.best);
        search.advance(found.best);
        boxed->advance(code_of(found.best));
      }
    }
  });
  EXPECT_GE(searches, 8);
}

TEST(boxed, EverySearchFindsWhatItFindsOnTheGameItself) {
  compare<tictactoe::Rules>();
  compare<quadrothello::Rules>();
}

TEST(boxed, AGameTellsWhetherPositionsAreTheSame) {
  const BoundRules<hex::Rules> rules(hex::Rules::Options{});
  using State = hex::Rules::State;
  alignas(16) std::array<std::byte, sizeof(State)> a{}, b;
  b.fill(std::byte{0xff});  // padding differs
  const State start = hex::Rules(hex::Rules::Options{}).start(0);
  new (b.data()) State(start);
  rules.start(0, a.data());
  EXPECT_TRUE(rules.same(a.data(), b.data()));
  List<MoveCode> moves;
  rules.moves(b.data(), moves);
  rules.play(b.data(), moves[0]);
  EXPECT_FALSE(rules.same(a.data(), b.data()));
}

TEST(boxed, AStateTooLargeForAllBoxesIsRefused) {
  EXPECT_NO_THROW(catalog::kit_for(1));
  EXPECT_THROW(catalog::kit_for(1 << 20), Error);
}

TEST(boxed, WhatASearchNeedsOfAGame) {
  for (const auto& offer : catalog::search_offers())
    EXPECT_EQ(offer.needs, offer.name == "brs" ? Can::kSkipTurns : 0u) << offer.name;
}

TEST(boxed, AMatchOfAnotherGameIsRefused) {
  const auto hex = catalog::open_game("hex"), othello = catalog::open_game("othello");
  EXPECT_THROW(hex->perft(*othello->start(0), 1), Error);
}

}  // namespace
}  // namespace polymax::boxed_test

// A match of one game type behind AnyMatch.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "catalog/any.hpp"
#include "core/game.hpp"

namespace polymax::catalog {

template <Game G>
class BoundMatch final : public AnyMatch {
 public:
  BoundMatch(std::shared_ptr<const G> game, Points points, typename G::State start,
             std::uint64_t seed)
      : game_(std::move(game)), points_(points), seed_(seed), states_{start} {}

  const typename G::State& state() const { return states_.back(); }
  const std::vector<typename G::Move>& moves() const { return moves_; }
  const G& game() const { return *game_; }
  const typename G::State& first_state() const { return states_.front(); }

  std::unique_ptr<AnyMatch> clone() const override { return std::make_unique<BoundMatch>(*this); }
  std::uint64_t seed() const override { return seed_; }
  int to_move() const override { return game_->to_move(state()); }
  bool over() const override { return game_->over(state()); }
  Scores score() const override { return game_->score(state()); }
  Scores gain() const override { return game_->gain(state()); }
  Scores points() const override { return terminal_points(*game_, state(), points_); }
  std::uint64_t hash() const override { return game_->hash(state()); }
  Drawing draw() const override { return game_->draw(state()); }
  const std::vector<std::string>& history() const override { return history_; }

  std::vector<std::uint64_t> planes() const override {
    std::vector<std::uint64_t> out;
    if constexpr (Learnable<G>) {
      out.resize(static_cast<std::size_t>(game_->planes().words()));
      game_->write_planes(state(), out);
    }
    return out;
  }

  std::vector<std::string> legal() const override {
    MoveList<G> list;
    game_->moves(state(), list);
    return texts(list);
  }

  std::vector<std::uint32_t> legal_places() const override {
    std::vector<std::uint32_t> out;
    if constexpr (MoveMapped<G>) {
      MoveList<G> list;
      game_->moves(state(), list);
      for (const auto& move : list) out.push_back(place_of(move));
    }
    return out;
  }

  std::string match_move(std::string_view typed) const override {
    const auto all = legal();
    return all[find(all, typed)];
  }

  void play(std::string_view typed) override {
    MoveList<G> list;
    game_->moves(state(), list);
    play_move(list[find(texts(list), typed)]);
  }

  bool play_at(std::uint32_t place) override {
    if constexpr (MoveMapped<G>) {
      if (over()) return false;
      MoveList<G> list;
      game_->moves(state(), list);
      const auto at =
          std::ranges::find_if(list, [&](const auto& move) { return place_of(move) == place; });
      if (at == list.end()) return false;
      play_move(*at);
      return true;
    }
    return false;
  }

  bool undo() override {
    if (moves_.empty()) return false;
    states_.pop_back();
    moves_.pop_back();
    history_.pop_back();
    return true;
  }

 private:
  std::uint32_t place_of(const typename G::Move& move) const requires MoveMapped<G> {
    return turned_place(*game_, state(), move, nullptr);
  }

  void play_move(const typename G::Move& move) {
    history_.push_back(game_->move_text(state(), move));
    moves_.push_back(move);
    states_.push_back(state());
    game_->play(states_.back(), move);
  }

  std::vector<std::string> texts(const MoveList<G>& list) const {
    std::vector<std::string> out;
    for (const auto& move : list) out.push_back(game_->move_text(state(), move));
    return out;
  }

  // Index of the one move meant among all legal ones; the whole text wins over beginnings.
  std::size_t find(const std::vector<std::string>& all, std::string_view typed) const {
    if (over()) throw Error("the game is over: no move can be played");
    if (const auto exact = std::ranges::find(all, typed); exact != all.end()) {
      if (std::find(exact + 1, all.end(), typed) != all.end())
        throw Error("two moves are called '" + std::string(typed) +
                    "': nobody can tell them apart");
      return static_cast<std::size_t>(exact - all.begin());
    }
    std::vector<std::size_t> begun;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (!typed.empty() && all[i].starts_with(std::string(typed) + '-')) begun.push_back(i);
    if (begun.size() == 1) return begun[0];
    throw Error(begun.empty()
                    ? "'" + std::string(typed) + "' is no legal move here; legal: " + some(all, {})
                    : "'" + std::string(typed) + "' is ambiguous: " + some(all, begun));
  }

  // The first moves of a list (those of `chosen`, or all), as text.
  static std::string some(const std::vector<std::string>& all, std::vector<std::size_t> chosen) {
    constexpr std::size_t kShown = 12;
    if (chosen.empty())
      for (std::size_t i = 0; i < all.size(); ++i) chosen.push_back(i);
    std::string out;
    for (std::size_t i = 0; i < std::min(kShown, chosen.size()); ++i)
      out += (i == 0 ? "" : " ") + all[chosen[i]];
    if (chosen.size() > kShown) out += " and " + std::to_string(chosen.size() - kShown) + " more";
    return out;
  }

  std::shared_ptr<const G> game_;
  Points points_;
  std::uint64_t seed_;
  std::vector<typename G::State> states_;  // [0] = start; one more for every move
  std::vector<typename G::Move> moves_;
  std::vector<std::string> history_;
};

}  // namespace polymax::catalog

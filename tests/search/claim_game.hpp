// A small board for searches that hand the turn to other seats: seats claim cells that are worth
// something to them; some cells are closed to some seats, so that a seat may have no move; some
// cells give another turn. Positions are reached in several orders, guesses are small whole numbers
// so that ties happen.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/game.hpp"
#include "core/rng.hpp"

namespace polymax::claim_game {

struct Options {
  int seats = 3, cells = 6, seed = 1;
  int target = 1000;  // a seat that has so much ends the game

  static Fields fields() {
    return {field("seats", &Options::seats, "seats", 2, kMaxPlayers),
            field("cells", &Options::cells, "cells", 1, 12),
            field("seed", &Options::seed, "seed", 0, 2000000000),
            field("target", &Options::target, "score that ends the game", 1, 1000)};
  }
};

class Rules {
 public:
  using Options = claim_game::Options;

  struct State {
    std::array<std::int8_t, 12> owner{-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
    std::int8_t turn = 0;
    friend bool operator==(const State&, const State&) = default;
  };

  struct Move {
    std::uint8_t cell = 0;
    friend bool operator==(Move, Move) = default;
  };

  static constexpr About about{"claim cells", 1, ""};
  static constexpr Points default_points = Points::score;

  explicit Rules(const Options& options = {}) : options_(options) {
    Rng rng(static_cast<std::uint64_t>(options.seed));
    for (auto& cell : cells_) {
      for (auto& worth : cell.worth) worth = static_cast<float>(rng.below(5)) - 1;
      for (auto& open : cell.open) open = rng.below(4) != 0;
      cell.open[0] = cell.open[0] || std::ranges::count(cell.open, true) == 0;
      cell.again = rng.below(5) == 0;
    }
    cells_[0].open[0] = true;  // seat 0 can begin
  }

  int players() const { return options_.seats; }
  State start(std::uint64_t) const { return {}; }
  int to_move(const State& s) const { return s.turn; }
  int played(const State& s) const {
    return static_cast<int>(std::ranges::count_if(s.owner, [](auto owner) { return owner >= 0; }));
  }
  int max_length() const { return options_.cells; }

  bool over(const State& s) const { return !can_move(s, s.turn); }

  void moves(const State& s, MoveList<Rules>& out) const {
    if (ended(s)) return;
    for (int i = 0; i < options_.cells; ++i)
      if (open(s, i, s.turn)) out.push_back({static_cast<std::uint8_t>(i)});
  }

  void play(State& s, Move m) const {
    s.owner[m.cell] = s.turn;
    const int first = cells_[m.cell].again ? 0 : 1;
    for (int next = first; next < first + players(); ++next) {
      const int seat = (s.turn + next) % players();
      if (!can_move(s, seat)) continue;
      s.turn = static_cast<std::int8_t>(seat);
      return;
    }
  }

  Scores score(const State& s) const {
    Scores out;
    for (std::size_t i = 0; i < s.owner.size(); ++i)
      if (s.owner[i] >= 0) out[s.owner[i]] += cells_[i].worth[static_cast<std::size_t>(s.owner[i])];
    return out;
  }
  Scores gain(const State& s) const { return leaders_win(score(s), players()); }

  std::uint64_t hash(const State& s) const {
    std::uint64_t out = mix64(static_cast<std::uint64_t>(s.turn));
    for (const auto owner : s.owner) out = mix64(out ^ static_cast<std::uint64_t>(owner + 1));
    return out;
  }
  std::string move_text(const State&, Move m) const { return "c" + std::to_string(m.cell); }
  Drawing draw(const State&) const { return {}; }

  // Knows little: the score so far and noise.
  Scores estimate(const State& s) const {
    Scores out = score(s);
    Rng rng(hash(s));
    for (int p = 0; p < players(); ++p) out[p] += static_cast<float>(rng.below(4));
    return out;
  }

  std::optional<State> give_turn(const State& s, int seat) const {
    if (!can_move(s, seat)) return std::nullopt;
    State out = s;
    out.turn = static_cast<std::int8_t>(seat);
    return out;
  }

 private:
  struct Cell {
    std::array<float, kMaxPlayers> worth{};
    std::array<bool, kMaxPlayers> open{};
    bool again = false;
  };

  bool open(const State& s, int cell, int seat) const {
    const auto i = static_cast<std::size_t>(cell);
    return s.owner[i] < 0 && cells_[i].open[static_cast<std::size_t>(seat)];
  }
  bool ended(const State& s) const {
    return std::ranges::any_of(score(s).seats,
                               [&](float x) { return x >= static_cast<float>(options_.target); });
  }
  bool can_move(const State& s, int seat) const {
    if (ended(s)) return false;
    for (int i = 0; i < options_.cells; ++i)
      if (open(s, i, seat)) return true;
    return false;
  }

  Options options_;
  std::array<Cell, 12> cells_{};
};

static_assert(TurnSkipping<Rules>);

}  // namespace polymax::claim_game

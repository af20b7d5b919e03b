// Hex on an n x n rhombus (11 x 11), no swap. Seat 0 joins top and bottom, seat 1 left and right.
// A connection is found by an incremental flood: each seat keeps its stones that are connected with
// its first edge.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "board/bitboard.hpp"
#include "board/cell_moves.hpp"
#include "board/hex_distance.hpp"
#include "board/hex_grid.hpp"
#include "board/planes.hpp"
#include "core/game.hpp"
#include "core/hash.hpp"

namespace polymax::hex {

struct Options {
  int n = 11;
  static Fields fields() { return {field("n", &Options::n, "cells on a side", 2, 20)}; }
};

class Rules {
 public:
  using Options = hex::Options;

  struct State {
    std::array<Cells, 2> stones{}, reached{};
    std::uint64_t hash = 0;
    std::uint16_t played = 0;
    std::uint8_t turn = 0;
    std::int8_t winner = -1;
    friend bool operator==(const State&, const State&) = default;
  };

  using Move = CellMove;

  static constexpr About about{"Hex, 11 x 11, no swap", 1,
                               "https://www.hexwiki.net/index.php/Rules"};
  static constexpr Points default_points = Points::depth;
  static constexpr std::array<std::string_view, 1> size_options{"n"};

  explicit Rules(Options options = {}) : grid_(HexGrid::rhombus(options.n)) {}

  int players() const { return 2; }
  State start(std::uint64_t) const { return {}; }
  int to_move(const State& s) const { return s.turn; }
  int played(const State& s) const { return s.played; }
  int max_length() const { return grid_.count(); }
  bool over(const State& s) const { return s.winner >= 0; }

  void moves(const State& s, MoveList<Rules>& out) const {
    if (over(s)) return;
    append_cells(grid_.words(), out, [&](std::size_t w) {
      return grid_.cells().words[w] & ~(s.stones[0].words[w] | s.stones[1].words[w]);
    });
  }

  void play(State& s, Move m) const {
    const int p = s.turn;
    auto& stones = s.stones[s.turn];
    auto& reached = s.reached[s.turn];
    stones.set(m.cell);
    s.hash ^= zobrist(s.turn, m.cell) ^ zobrist(2, 0);
    ++s.played;
    s.turn ^= 1;
    if (extend_reach(grid_, stones, from(p), m.cell, reached) && reached.intersects(to(p)))
      s.winner = static_cast<std::int8_t>(p);
  }

  Scores score(const State& s) const { return gain(s); }
  Scores gain(const State& s) const { return one_winner(s.winner, 2); }
  std::uint64_t hash(const State& s) const { return s.hash; }
  std::string move_text(const State&, Move m) const { return grid_.name(m.cell); }

  Drawing draw(const State& s) const {
    Drawing out = grid_.draw();
    for (auto& cell : out.cells)
      cell.owner = s.stones[0].test(cell.index) ? 0 : s.stones[1].test(cell.index) ? 1 : -1;
    for (int i = 0; i < 4; ++i) out.sides.push_back(grid_.drawn_side(grid_.side(i), i % 2));
    return out;
  }

  // Stones 0, 1; to move 0, 1; real cells.
  PlaneShape planes() const { return {5, grid_.width(), grid_.width()}; }

  void write_planes(const State& s, std::span<std::uint64_t> bits) const {
    PlaneWriter out(bits, planes());
    for (const auto& stones : s.stones) out.cells(stones);
    for (int p = 0; p < 2; ++p) out.flag(s.turn == p, grid_.cells());
    out.cells(grid_.cells());
  }

  int move_planes() const { return 1; }
  MovePlace move_place(const State&, Move m) const { return {0, m.cell}; }

  // The half turn keeps the seats; the reflections in the two diagonals exchange them.
  std::vector<Symmetry> symmetries() const {
    std::vector<Symmetry> out{{grid_.turn(0), {0, 1}, {0, 1, 2, 3, 4}},
                              {grid_.turn(3), {0, 1}, {0, 1, 2, 3, 4}}};
    const int n = grid_.width();
    for (const int flip : {0, grid_.box() - 1}) {
      Symmetry transpose{{}, {1, 0}, {1, 0, 3, 2, 4}};
      for (int i = 0; i < grid_.box(); ++i) {
        const int to = i % n * n + i / n;
        transpose.cells.push_back(static_cast<std::uint16_t>(flip == 0 ? to : flip - to));
      }
      out.push_back(transpose);
    }
    return out;
  }

  // Fewest stones still needed: the seat with the shorter way is ahead.
  Scores estimate(const State& s) const {
    std::array<int, 2> needed{};
    for (int p = 0; p < 2; ++p) {
      const auto i = static_cast<std::size_t>(p);
      const Cells open = grid_.cells().without(s.stones[1 - i]);
      needed[i] = stones_needed(grid_, s.stones[i], open, from(p), to(p));
    }
    const float lead = static_cast<float>(needed[1] - needed[0]) + (s.turn == 0 ? 0.5f : -0.5f);
    const float value = lead / static_cast<float>(grid_.width());
    return {{value, -value}};
  }

 private:
  // Sides of the rhombus: 0 top, 1 right, 2 bottom, 3 left.
  const Cells& from(int p) const { return grid_.side(p == 0 ? 0 : 3); }
  const Cells& to(int p) const { return grid_.side(p == 0 ? 2 : 1); }

  HexGrid grid_;
};

static_assert(Game<Rules>);

}  // namespace polymax::hex

// Threehex on a hexagon of side 7: seat p joins sides p and p+3, and may put a piece on an empty
// cell or on a single piece of seat p-1. A covered piece still connects. Paper: section "Games",
// Threehex. Nobody can move: a draw. So a cell with two pieces holds some seat q below and q+1
// above, seat p may take a cell where neither p nor p+1 has a piece, and a seat's pieces as one set
// of cells say everything. Chosen: points = additive depth.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "board/bitboard.hpp"
#include "board/cell_moves.hpp"
#include "board/hex_distance.hpp"
#include "board/hex_grid.hpp"
#include "board/planes.hpp"
#include "board/race.hpp"
#include "board/three_sides.hpp"
#include "core/game.hpp"
#include "core/hash.hpp"

namespace polymax::threehex {

struct Options {
  int side = 7;
  static Fields fields() { return {field("side", &Options::side, "cells on a side", 2, 10)}; }
};

class Rules {
 public:
  using Options = threehex::Options;

  struct State {
    std::array<Cells, 3> pieces{};   // covered or not
    std::array<Cells, 3> reached{};  // own pieces connected with the first own side
    std::uint64_t hash = 0;
    std::uint16_t played = 0;
    std::uint8_t turn = 0;
    bool over = false;
    std::int8_t winner = -1;
    friend bool operator==(const State&, const State&) = default;
  };

  using Move = CellMove;

  static constexpr About about{"Threehex, hexagon of side 7", 1,
                               "https://arxiv.org/abs/2604.17378, section Games"};
  static constexpr Points default_points = Points::depth;
  static constexpr std::array<std::string_view, 1> size_options{"side"};

  explicit Rules(Options options = {}) : grid_(HexGrid::hexagon(options.side)) {}

  int players() const { return 3; }
  State start(std::uint64_t) const { return {}; }
  int to_move(const State& s) const { return s.turn; }
  int played(const State& s) const { return s.played; }
  int max_length() const { return 2 * grid_.count(); }
  bool over(const State& s) const { return s.over; }

  void moves(const State& s, MoveList<Rules>& out) const {
    if (s.over) return;
    const auto &own = s.pieces[s.turn], &next = s.pieces[kSeatOfThree[s.turn + 1u]];
    append_cells(grid_.words(), out, [&](std::size_t w) {
      return grid_.cells().words[w] & ~(own.words[w] | next.words[w]);
    });
  }

  void play(State& s, Move m) const {
    const unsigned p = s.turn;
    s.pieces[p].set(m.cell);
    s.hash ^= zobrist(p, m.cell);
    ++s.played;
    if (extend_reach(grid_, s.pieces[p], grid_.side(static_cast<int>(p)), m.cell, s.reached[p]) &&
        s.reached[p].intersects(grid_.side(static_cast<int>(p) + 3))) {
      s.over = true;
      s.winner = static_cast<std::int8_t>(p);
    }
    unsigned next = kSeatOfThree[p + 1];
    while (next != p && !can_move(s, next)) next = kSeatOfThree[next + 1];
    s.over |= next == p && !can_move(s, p);
    set_turn_of_three(s, next);
  }

  Scores score(const State& s) const { return gain(s); }
  Scores gain(const State& s) const { return s.winner < 0 ? Scores{} : one_winner(s.winner, 3); }
  std::uint64_t hash(const State& s) const { return s.hash; }
  std::string move_text(const State&, Move m) const { return grid_.name(m.cell); }

  std::optional<State> give_turn(const State& s, int seat) const {
    if (s.over || !can_move(s, static_cast<unsigned>(seat))) return std::nullopt;
    State out = s;
    set_turn_of_three(out, static_cast<unsigned>(seat));
    return out;
  }

  Drawing draw(const State& s) const {
    Drawing out = grid_.draw();
    tint_sides(grid_, out);
    for (auto& cell : out.cells)
      for (int p = 0; p < 3; ++p) {
        if (!s.pieces[static_cast<std::size_t>(p)].test(cell.index)) continue;
        const bool covered =
            s.pieces[static_cast<std::size_t>(kSeatOfThree[p + 1])].test(cell.index);
        (covered ? cell.under : cell.owner) = p;
      }
    return out;
  }

  // A plane for each seat: pieces, to move, sides; then real cells.
  PlaneShape planes() const { return {10, grid_.width(), grid_.width()}; }

  void write_planes(const State& s, std::span<std::uint64_t> bits) const {
    PlaneWriter out(bits, planes());
    for (const auto& pieces : s.pieces) out.cells(pieces);
    for (int p = 0; p < 3; ++p) out.flag(s.turn == p, grid_.cells());
    for (int p = 0; p < 3; ++p) out.cells(grid_.side(p) | grid_.side(p + 3));
    out.cells(grid_.cells());
  }

  int move_planes() const { return 1; }
  MovePlace move_place(const State&, Move m) const { return {0, m.cell}; }

  std::vector<Symmetry> symmetries() const { return sixth_turns(grid_, 3, 1); }

  // The fewer pieces a seat needs, the better its chance; the draw has the weight of a seat that is
  // a whole board away.
  Scores estimate(const State& s) const {
    Scores weight;
    for (int p = 0; p < 3; ++p) {
      const auto& own = s.pieces[static_cast<std::size_t>(p)];
      const Cells open =
          own | grid_.cells().without(s.pieces[static_cast<std::size_t>(kSeatOfThree[p + 1])]);
      weight[p] = race_weight(stones_needed(grid_, own, open, grid_.side(p), grid_.side(p + 3)),
                              tempo_of_three(p, s.turn));
    }
    return race_gains(weight, 3, race_weight(grid_.width()));
  }

 private:
  bool can_move(const State& s, unsigned p) const {
    return grid_.cells().without(s.pieces[p] | s.pieces[kSeatOfThree[p + 1]]).any();
  }

  HexGrid grid_;
};

static_assert(Game<Rules>);

}  // namespace polymax::threehex

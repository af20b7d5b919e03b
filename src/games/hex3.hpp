// 3-Player Hex on a hexagon of side 7: seat p joins sides p and p+3. Paper: section "Games",
// 3-Player Hex. blocked=draw (the paper's): a draw as soon as no seat can connect. blocked=out (the
// other variant it names, and Ludii's): a seat that can no longer connect is skipped from then on,
// and the last seat left wins. A seat is cut off exactly when the stones of the two others join the
// two arcs of border between its sides (the theorem that Hex has no draws); so both questions,
// connected and cut off, are answered by incremental floods. Only others cut a seat off: never its
// own move.
#pragma once

#include <array>
#include <bit>
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

namespace polymax::hex3 {

enum class Blocked { draw, out };

struct Options {
  int side = 7;
  Blocked blocked = Blocked::draw;
  static Fields fields() {
    return {field("side", &Options::side, "cells on a side", 2, 10),
            field("blocked", &Options::blocked,
                  "seats that cannot connect: a draw when no seat can | out at once, the "
                  "last one left wins",
                  std::array<std::string_view, 2>{"draw", "out"})};
  }
};

class Rules {
 public:
  using Options = hex3::Options;

  // Of a seat that is cut off, `reached` and `walls` stay empty: nobody needs them.
  struct State {
    std::array<Cells, 3> stones{};
    std::array<Cells, 3> reached{};  // own stones connected with the first own side
    std::array<Cells, 3> walls{};    // stones of the two others connected with the first arc
    std::uint64_t hash = 0;
    std::uint16_t played = 0;
    std::uint8_t turn = 0;
    std::uint8_t cut = 0;  // bit p: seat p cannot connect any more
    bool over = false;
    std::int8_t winner = -1;
    friend bool operator==(const State&, const State&) = default;
  };

  using Move = CellMove;

  static constexpr About about{"3-Player Hex, hexagon of side 7", 1,
                               "https://ludii.games/details.php?keyword=Three-Player%20Hex"};
  static constexpr Points default_points = Points::depth;
  static constexpr std::array<std::string_view, 1> size_options{"side"};
  static constexpr std::array<std::string_view, 1> variant_options{"blocked"};

  explicit Rules(Options options = {})
      : grid_(HexGrid::hexagon(options.side)), blocked_(options.blocked) {
    for (int i = 0; i < 6; ++i)
      arcs_[static_cast<std::size_t>(i)] = grid_.side((i + 1) % 6) | grid_.side((i + 2) % 6);
  }

  int players() const { return 3; }
  State start(std::uint64_t) const { return {}; }
  int to_move(const State& s) const { return s.turn; }
  int played(const State& s) const { return s.played; }
  int max_length() const { return grid_.count(); }
  bool over(const State& s) const { return s.over; }

  void moves(const State& s, MoveList<Rules>& out) const {
    if (s.over) return;
    append_cells(grid_.words(), out, [&](std::size_t w) {
      return grid_.cells().words[w] &
             ~(s.stones[0].words[w] | s.stones[1].words[w] | s.stones[2].words[w]);
    });
  }

  void play(State& s, Move m) const {
    const unsigned p = s.turn;
    s.stones[p].set(m.cell);
    s.hash ^= zobrist(p, m.cell);
    ++s.played;
    build_walls(s, p, m.cell);
    if (!is_cut(s, p) &&
        extend_reach(grid_, s.stones[p], grid_.side(static_cast<int>(p)), m.cell, s.reached[p]) &&
        s.reached[p].intersects(grid_.side(static_cast<int>(p) + 3)))
      win(s, p);
    else if (s.cut == 7)
      s.over = true;
    else if (blocked_ == Blocked::out && std::popcount(s.cut) == 2)
      win(s, p);
    pass_turn(s, p);
  }

  Scores score(const State& s) const { return gain(s); }
  Scores gain(const State& s) const { return s.winner < 0 ? Scores{} : one_winner(s.winner, 3); }
  std::uint64_t hash(const State& s) const { return s.hash; }
  std::string move_text(const State&, Move m) const { return grid_.name(m.cell); }

  // Nothing for a seat that is out.
  std::optional<State> give_turn(const State& s, int seat) const {
    if (s.over || is_out(s, static_cast<unsigned>(seat))) return std::nullopt;
    State out = s;
    set_turn_of_three(out, static_cast<unsigned>(seat));
    return out;
  }

  Drawing draw(const State& s) const {
    Drawing out = grid_.draw();
    tint_sides(grid_, out);
    for (auto& cell : out.cells)
      for (int p = 0; p < 3; ++p)
        if (s.stones[static_cast<std::size_t>(p)].test(cell.index)) cell.owner = p;
    for (unsigned p = 0; p < 3; ++p)
      if (is_out(s, p)) out.out.push_back(static_cast<int>(p));
    for (unsigned p = 0; p < 3; ++p)
      if (is_cut(s, p))
        out.notes.push_back("seat " + std::to_string(p + 1) +
                            (is_out(s, p) ? ": out" : ": cannot connect"));
    return out;
  }

  // A plane for each seat: stones, to move, cut off, sides; then real cells.
  PlaneShape planes() const { return {13, grid_.width(), grid_.width()}; }

  void write_planes(const State& s, std::span<std::uint64_t> bits) const {
    PlaneWriter out(bits, planes());
    for (const auto& stones : s.stones) out.cells(stones);
    for (int p = 0; p < 3; ++p) out.flag(s.turn == p, grid_.cells());
    for (unsigned p = 0; p < 3; ++p) out.flag(is_cut(s, p), grid_.cells());
    for (int p = 0; p < 3; ++p) out.cells(grid_.side(p) | grid_.side(p + 3));
    out.cells(grid_.cells());
  }

  int move_planes() const { return 1; }
  MovePlace move_place(const State&, Move m) const { return {0, m.cell}; }

  std::vector<Symmetry> symmetries() const { return sixth_turns(grid_, 4, 1); }

  // The fewer stones a seat needs, the better its chance; with blocked=draw the draw has the weight
  // of a seat that would have to begin.
  Scores estimate(const State& s) const {
    Scores weight;
    for (int p = 0; p < 3; ++p) {
      if (is_cut(s, static_cast<unsigned>(p))) continue;
      const auto& own = s.stones[static_cast<std::size_t>(p)];
      const Cells open = grid_.cells().without(others(s, static_cast<unsigned>(p)));
      weight[p] = race_weight(stones_needed(grid_, own, open, grid_.side(p), grid_.side(p + 3)),
                              tempo_of_three(p, s.turn));
    }
    return race_gains(weight, 3,
                      blocked_ == Blocked::draw ? race_weight(grid_.width() / 2 + 1) : 0);
  }

 private:
  static bool is_cut(const State& s, unsigned p) { return s.cut >> p & 1; }
  bool is_out(const State& s, unsigned p) const { return blocked_ == Blocked::out && is_cut(s, p); }
  static Cells others(const State& s, unsigned p) {
    return s.stones[kSeatOfThree[p + 1]] | s.stones[kSeatOfThree[p + 2]];
  }

  // After seat p put a stone on `cell`: which of the others it cuts off.
  void build_walls(State& s, unsigned p, int cell) const {
    for (const unsigned q : {kSeatOfThree[p + 1], kSeatOfThree[p + 2]}) {
      if (is_cut(s, q)) continue;
      auto& wall = s.walls[q];
      if (!joins_reach(grid_, arcs_[q], cell, wall)) continue;
      flood_reach(grid_, others(s, q), cell, wall);
      if (!wall.intersects(arcs_[q + 3])) continue;
      s.cut = static_cast<std::uint8_t>(s.cut | 1u << q);
      wall = s.reached[q] = {};
    }
  }

  static void win(State& s, unsigned p) {
    s.over = true;
    s.winner = static_cast<std::int8_t>(p);
  }

  void pass_turn(State& s, unsigned p) const {
    unsigned next = kSeatOfThree[p + 1];
    if (is_out(s, next)) next = kSeatOfThree[p + 2];
    set_turn_of_three(s, is_out(s, next) ? p : next);
  }

  HexGrid grid_;
  Blocked blocked_;
  std::array<Cells, 6> arcs_;  // arc i = sides i+1 and i+2: seat p lies between the arcs p and p+3
};

static_assert(Game<Rules>);

}  // namespace polymax::hex3

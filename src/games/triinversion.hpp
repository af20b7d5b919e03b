// Triinversion (Cohen-Solal): Othello's kin for three seats on a hexagon of side 6 whose centre is
// no cell; lines go on behind the centre. A stone encloses a run of the direct opponent's stones,
// seat (p+2) mod 3, between itself and a stone of its own or of the indirect opponent, seat (p+1)
// mod 3. The score is the own stones and the indirect opponent's; the best score wins, ties are
// joint wins. Chosen: the six cells around the centre start with seats 0,1,2,0,1,2 clockwise from
// the top left one. A seat without stones is not out.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "board/bitboard.hpp"
#include "board/brackets.hpp"
#include "board/cell_moves.hpp"
#include "board/flip_guess.hpp"
#include "board/flipping.hpp"
#include "board/hex_grid.hpp"
#include "board/planes.hpp"
#include "board/three_sides.hpp"
#include "core/game.hpp"

namespace polymax::triinversion {

struct Options {
  int side = 6;
  static Fields fields() { return {field("side", &Options::side, "cells on a side", 3, 10)}; }
};

class Rules {
 public:
  using Options = triinversion::Options;
  using State = FlipPosition<3>;

  using Move = CellMove;

  static constexpr About about{"Triinversion, side 6", 1,
                               "https://arxiv.org/abs/2604.17378, section Games"};
  static constexpr Points default_points = Points::score;
  static constexpr std::array<std::string_view, 1> size_options{"side"};
  static constexpr bool most_points_win = true;

  explicit Rules(Options options = {})
      : grid_(HexGrid::hexagon(options.side)),
        cells_(grid_.cells().without(Cells::of(centre()))),
        brackets_(Brackets::hexagon(grid_, centre())),
        guess_(brackets_, cells_, weights(options.side)) {}

  int players() const { return 3; }
  int to_move(const State& s) const { return s.turn; }
  int played(const State& s) const { return s.occupied().count() - 6; }
  int max_length() const { return grid_.count() - 7; }
  bool over(const State& s) const { return s.playable.none(); }

  State start(std::uint64_t) const {
    State s;
    const auto& around = grid_.neighbours(centre());  // clockwise from the top left
    for (std::size_t i = 0; i < around.size(); ++i) s.put(i % 3, around[i]);
    s.hand_to(0, *this);
    return s;
  }

  void moves(const State& s, MoveList<Rules>& out) const {
    append_cells(grid_.words(), out, [&](std::size_t w) { return s.playable.words[w]; });
  }

  void play(State& s, Move m) const {
    const std::size_t p = s.turn;
    s.settle(m.cell,
             brackets_.captured(m.cell, s.stones[p] | s.stones[indirect(p)], s.stones[direct(p)]));
    s.hand_to((p + 1) % 3, *this);
  }

  std::optional<State> give_turn(const State& s, int seat) const { return s.given_to(seat, *this); }

  // Where that seat may play.
  Cells playable_by(const State& s, std::size_t p) const {
    return brackets_.moves(s.stones[p] | s.stones[indirect(p)], s.stones[direct(p)],
                           cells_.without(s.occupied()));
  }

  Scores score(const State& s) const {
    Scores out;
    for (std::size_t p = 0; p < 3; ++p)
      out.seats[p] = static_cast<float>(s.stones[p].count() + s.stones[indirect(p)].count());
    return out;
  }

  Scores gain(const State& s) const { return leaders_win(score(s), 3); }
  std::uint64_t hash(const State& s) const { return s.hash; }
  std::string move_text(const State&, Move m) const { return grid_.name(m.cell); }

  Drawing draw(const State& s) const {
    Drawing out = grid_.draw();
    std::erase_if(out.cells, [&](const DrawnCell& cell) { return cell.index == centre(); });
    for (auto& cell : out.cells) cell.owner = s.owner(cell.index);
    std::string scores = "scores";
    for (int p = 0; p < 3; ++p) {
      scores += " " + std::to_string(static_cast<int>(score(s)[p]));
      out.so_far.push_back(score(s)[p]);
    }
    out.notes.push_back(scores);
    return out;
  }

  // Stones 0..2; to move 0..2; real cells.
  PlaneShape planes() const { return {7, grid_.width(), grid_.width()}; }

  void write_planes(const State& s, std::span<std::uint64_t> bits) const {
    PlaneWriter out(bits, planes());
    for (const auto& stones : s.stones) out.cells(stones);
    for (int p = 0; p < 3; ++p) out.flag(s.turn == p, cells_);
    out.cells(cells_);
  }

  int move_planes() const { return 1; }
  MovePlace move_place(const State&, Move m) const { return {0, m.cell}; }

  std::vector<Symmetry> symmetries() const { return sixth_turns(grid_, 2, 1); }

  Scores estimate(const State& s) const {
    const auto stones = guess_.stones(
        s, brackets_, static_cast<float>(played(s)) / static_cast<float>(max_length()));
    Scores out;
    for (std::size_t p = 0; p < 3; ++p) out.seats[p] = stones[p] + stones[indirect(p)];
    return out;
  }

 private:
  static FlipWeights weights(int side) {
    return {.stone = -0.2f,
            .corner = 0.9f * static_cast<float>(side),
            .beside_corner = -0.4f,
            .border = 0.7f,
            .exposed = -1.4f};
  }

  static constexpr std::size_t direct(std::size_t p) { return (p + 2) % 3; }
  static constexpr std::size_t indirect(std::size_t p) { return (p + 1) % 3; }
  int centre() const { return grid_.box() / 2; }

  HexGrid grid_;
  Cells cells_;
  Brackets brackets_;
  FlipGuess guess_;
};

static_assert(Game<Rules>);

}  // namespace polymax::triinversion

// Quadrothello (Cohen-Solal): Othello for four seats on n x n squares, 14 x 14. Seats 0 to 3 put
// their stones in the top, right, bottom and left half; an enclosed run may mix the colours of the
// others and leave the own half. The score is the number of stones; most stones win, ties are joint
// wins. Chosen: the start is the central 4 x 4 block; in each quadrant's 2 x 2 part the diagonal
// that points to the centre belongs to the clockwise-later of the two seats that share the
// quadrant, the other diagonal to the other seat.
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
#include "board/planes.hpp"
#include "board/square_grid.hpp"
#include "core/game.hpp"

namespace polymax::quadrothello {

struct Options {
  int n = 14;
  static Fields fields() { return {field("n", &Options::n, "cells on a side, even", 6, 20, 2)}; }
};

class Rules {
 public:
  using Options = quadrothello::Options;
  using State = FlipPosition<4>;

  using Move = CellMove;

  static constexpr About about{"Quadrothello, 14 x 14", 1,
                               "https://arxiv.org/abs/2604.17378, section Games"};
  static constexpr Points default_points = Points::score;
  static constexpr std::array<std::string_view, 1> size_options{"n"};
  static constexpr bool most_points_win = true;

  explicit Rules(Options options = {})
      : n_(options.n),
        cells_(Cells::first_cells(n_ * n_)),
        brackets_(Brackets::squares(n_)),
        guess_(brackets_, cells_, kWeights) {
    for (int quarters = 0; quarters < 4; ++quarters) {
      const auto to = turn_squares(n_, quarters);
      for (int i = 0; i < n_ * n_ / 2; ++i)
        zones_[static_cast<std::size_t>(quarters)].set(to[static_cast<std::size_t>(i)]);
    }
  }

  int players() const { return 4; }
  int to_move(const State& s) const { return s.turn; }
  int played(const State& s) const { return s.occupied().count() - 16; }
  int max_length() const { return n_ * n_ - 16; }
  bool over(const State& s) const { return s.playable.none(); }

  State start(std::uint64_t) const {
    State s;
    const int corner = (n_ / 2 - 2) * n_ + n_ / 2 - 2;  // of the block, top left
    for (std::size_t seat = 0; seat < 4; ++seat) {
      const auto to = turn_squares(n_, static_cast<int>(seat));
      for (const int step : {0, n_ + 1}) s.put(seat, to[static_cast<std::size_t>(corner + step)]);
      for (const int step : {1, n_})
        s.put((seat + 3) % 4, to[static_cast<std::size_t>(corner + step)]);
    }
    s.hand_to(0, *this);
    return s;
  }

  void moves(const State& s, MoveList<Rules>& out) const {
    append_cells(planes().words_per_plane(), out,
                 [&](std::size_t w) { return s.playable.words[w]; });
  }

  void play(State& s, Move m) const {
    const std::size_t p = s.turn;
    s.settle(m.cell, brackets_.captured(m.cell, s.stones[p], s.occupied().without(s.stones[p])));
    s.hand_to((p + 1) % 4, *this);
  }

  std::optional<State> give_turn(const State& s, int seat) const { return s.given_to(seat, *this); }

  // Where that seat may play.
  Cells playable_by(const State& s, std::size_t p) const {
    const Cells occupied = s.occupied();
    return brackets_.moves(s.stones[p], occupied.without(s.stones[p]), zones_[p].without(occupied));
  }

  Scores score(const State& s) const {
    Scores out;
    for (int p = 0; p < 4; ++p)
      out[p] = static_cast<float>(s.stones[static_cast<std::size_t>(p)].count());
    return out;
  }

  Scores gain(const State& s) const { return leaders_win(score(s), 4); }
  std::uint64_t hash(const State& s) const { return s.hash; }
  std::string move_text(const State&, Move m) const { return square_name(n_, m.cell); }

  Drawing draw(const State& s) const {
    Drawing out = draw_squares(n_);
    for (auto& cell : out.cells) {
      cell.owner = s.owner(cell.index);
      cell.tint = (zones_[0].test(cell.index) ? 0 : 2) + (zones_[3].test(cell.index) ? 0 : 1);
    }
    std::string stones = "stones";
    for (const auto& own : s.stones) {
      stones += " " + std::to_string(own.count());
      out.so_far.push_back(static_cast<float>(own.count()));
    }
    out.notes.push_back(stones);
    return out;
  }

  // stones 0..3; to move 0..3; zones 0..3; cells the mover may take; real cells
  PlaneShape planes() const { return {14, n_, n_}; }

  void write_planes(const State& s, std::span<std::uint64_t> bits) const {
    PlaneWriter out(bits, planes());
    for (const auto& stones : s.stones) out.cells(stones);
    for (int p = 0; p < 4; ++p) out.flag(s.turn == p, cells_);
    for (const auto& zone : zones_) out.cells(zone);
    out.cells(s.playable);
    out.cells(cells_);
  }

  int move_planes() const { return 1; }
  MovePlace move_place(const State&, Move m) const { return {0, m.cell}; }

  // The zone of each seat becomes that of the next.
  std::vector<Symmetry> symmetries() const {
    return quarter_turns(n_, {1, 1, 1, kOfNobody, kOfNobody});
  }

  Scores estimate(const State& s) const {
    const auto stones = guess_.stones(
        s, brackets_, static_cast<float>(played(s)) / static_cast<float>(max_length()));
    Scores out;
    for (std::size_t p = 0; p < 4; ++p) out.seats[p] = stones[p];
    return out;
  }

 private:
  static constexpr FlipWeights kWeights{
      .stone = -0.6f, .corner = 4, .beside_corner = -2, .border = 2, .exposed = -2};

  int n_;
  Cells cells_;
  std::array<Cells, 4> zones_{};
  Brackets brackets_;
  FlipGuess guess_;
};

static_assert(Game<Rules>);

}  // namespace polymax::quadrothello

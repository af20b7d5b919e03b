// Othello (Reversi with the crossed start) on n x n squares, 8 x 8. A seat without a move is passed
// over; the game is over when neither seat can move. The points are the difference of discs.
// Differs: squares are named as in chess (a1 bottom left), as on all square boards here.
#pragma once

#include <array>
#include <cstdint>
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

namespace polymax::othello {

struct Options {
  int n = 8;
  static Fields fields() { return {field("n", &Options::n, "cells on a side, even", 4, 20, 2)}; }
};

class Rules {
 public:
  using Options = othello::Options;
  using State = FlipPosition<2>;

  using Move = CellMove;

  static constexpr About about{"Othello, 8 x 8", 1,
                               "https://www.worldothello.org/about/about-othello/othello-rules"};
  static constexpr Points default_points = Points::score;
  static constexpr std::array<std::string_view, 1> size_options{"n"};
  static constexpr bool positive_score_wins = true;

  explicit Rules(Options options = {})
      : n_(options.n),
        cells_(Cells::first_cells(n_ * n_)),
        brackets_(Brackets::squares(n_)),
        guess_(brackets_, cells_, weights(n_)) {}

  int players() const { return 2; }
  int to_move(const State& s) const { return s.turn; }
  int played(const State& s) const { return s.occupied().count() - 4; }
  int max_length() const { return n_ * n_ - 4; }
  bool over(const State& s) const { return s.playable.none(); }

  State start(std::uint64_t) const {
    State s;
    const int h = n_ / 2;
    s.put(0, (h - 1) * n_ + h);
    s.put(0, h * n_ + h - 1);
    s.put(1, (h - 1) * n_ + h - 1);
    s.put(1, h * n_ + h);
    s.hand_to(0, *this);
    return s;
  }

  void moves(const State& s, MoveList<Rules>& out) const {
    append_cells(planes().words_per_plane(), out,
                 [&](std::size_t w) { return s.playable.words[w]; });
  }

  void play(State& s, Move m) const {
    const std::size_t p = s.turn;
    s.settle(m.cell, brackets_.captured(m.cell, s.stones[p], s.stones[1 - p]));
    s.hand_to(1 - p, *this);
  }

  // Where that seat may play.
  Cells playable_by(const State& s, std::size_t p) const {
    return brackets_.moves(s.stones[p], s.stones[1 - p], cells_.without(s.occupied()));
  }

  Scores score(const State& s) const {
    const auto lead = static_cast<float>(s.stones[0].count() - s.stones[1].count());
    return {{lead, -lead}};
  }

  Scores gain(const State& s) const {
    const float lead = score(s)[0];
    return lead == 0 ? Scores{} : one_winner(lead > 0 ? 0 : 1, 2);
  }

  std::uint64_t hash(const State& s) const { return s.hash; }
  std::string move_text(const State&, Move m) const { return square_name(n_, m.cell); }

  Drawing draw(const State& s) const {
    Drawing out = draw_squares(n_);
    for (auto& cell : out.cells) cell.owner = s.owner(cell.index);
    for (const auto& own : s.stones) out.so_far.push_back(static_cast<float>(own.count()));
    out.notes.push_back("discs " + std::to_string(s.stones[0].count()) + " : " +
                        std::to_string(s.stones[1].count()));
    return out;
  }

  PlaneShape planes() const { return {5, n_, n_}; }  // stones 0, 1; to move 0, 1; real cells

  void write_planes(const State& s, std::span<std::uint64_t> bits) const {
    PlaneWriter out(bits, planes());
    for (const auto& stones : s.stones) out.cells(stones);
    for (int p = 0; p < 2; ++p) out.flag(s.turn == p, cells_);
    out.cells(cells_);
  }

  int move_planes() const { return 1; }
  MovePlace move_place(const State&, Move m) const { return {0, m.cell}; }

  // The half turn and the two diagonal mirrors keep the start position; the others exchange its
  // colours.
  std::vector<Symmetry> symmetries() const {
    std::vector<Symmetry> out;
    for (const Mirror mirror : kMirrors)
      for (int quarters = 0; quarters < 4; ++quarters) {
        const bool keeps = (quarters % 2 == 0) == (mirror == Mirror::none);
        out.push_back({turn_squares(n_, quarters, mirror), {0, 1}, {0, 1, 2, 3, 4}});
        if (!keeps) out.back() = {out.back().cells, {1, 0}, {1, 0, 3, 2, 4}};
      }
    return out;
  }

  // The image of a position.
  State turned(const State& s, const Symmetry& symmetry) const {
    State out;
    for (std::size_t p = 0; p < 2; ++p)
      s.stones[p].for_each([&](int cell) {
        out.put(symmetry.seats[p], symmetry.cells[static_cast<std::size_t>(cell)]);
      });
    out.hand_to(symmetry.seats[s.turn], *this);
    return out;
  }

  Scores estimate(const State& s) const {
    const auto discs = guess_.stones(
        s, brackets_, static_cast<float>(played(s)) / static_cast<float>(max_length()));
    return {{discs[0] - discs[1], discs[1] - discs[0]}};
  }

 private:
  static FlipWeights weights(int n) {
    const auto width = static_cast<float>(n);
    return {.stone = 0,
            .corner = 3.4f * width,
            .beside_corner = -1.3f * width,
            .border = 1.4f,
            .exposed = -1.7f};
  }

  int n_;
  Cells cells_;
  Brackets brackets_;
  FlipGuess guess_;
};

static_assert(Game<Rules>);

}  // namespace polymax::othello

// The Game of the Amazons (Zamkauskas 1988), 10 x 10. An amazon moves like a chess queen, then
// shoots like one; arrows and amazons are obstacles. Who cannot move an amazon at its turn loses.
// Seat 0, at the bottom, moves first. A turn is two moves of the tree: the amazon's move, then the
// shot. Chosen: on other boards, with k = (n-1)/3 rounded down, a seat's amazons stand on its own
// edge at columns k and n-1-k and on the left and right edge k rows from it; n = 4 is the smallest
// board where the eight cells differ.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "board/amazon_board.hpp"
#include "board/first_reach.hpp"
#include "board/four_cells.hpp"
#include "board/planes.hpp"
#include "board/queen_lines.hpp"
#include "board/square_grid.hpp"
#include "core/game.hpp"
#include "core/hash.hpp"

namespace polymax::amazons {

struct Options {
  int n = 10;
  static Fields fields() {
    return {field("n", &Options::n, "cells on a side", 4, QueenLines::kMaxSide)};
  }
};

class Rules {
 public:
  using Options = amazons::Options;
  using Move = Slide;  // a shot goes from the amazon's cell to the arrow's

  static constexpr std::uint16_t kNone = AmazonBoard::kNoCell;

  struct State {
    QueenLines::Lines occupied{};
    std::array<FourCells, 2> amazons{};
    std::uint64_t hash = 0;
    std::uint16_t played = 0;
    std::uint16_t shooter = kNone;  // cell of the amazon that has moved and must shoot
    std::uint8_t turn = 0;
    bool over = false;
    friend bool operator==(const State&, const State&) = default;
  };

  static constexpr About about{"Amazons, 10 x 10", 1,
                               "https://en.wikipedia.org/wiki/Game_of_the_Amazons"};
  static constexpr Points default_points = Points::gain;
  static constexpr std::array<std::string_view, 1> size_options{"n"};

  explicit Rules(Options options = {})
      : n_(options.n), board_(n_), all_(lines().lines(board_.cells())), start_(make_start()) {}

  int players() const { return 2; }
  State start(std::uint64_t) const { return start_; }
  int to_move(const State& s) const { return s.turn; }
  int played(const State& s) const { return s.played; }
  int max_length() const { return 2 * (n_ * n_ - 8); }
  bool over(const State& s) const { return s.over; }

  void moves(const State& s, MoveList<Rules>& out) const {
    if (s.over) return;
    Move* to = out.room(lines().room(4));
    if (s.shooter != kNone)
      to = lines().append(s.shooter, to, s.occupied);
    else
      for (const auto cell : s.amazons[s.turn]) to = lines().append(cell, to, s.occupied);
    out.wrote(to);
  }

  void play(State& s, Move m) const {
    ++s.played;
    if (s.shooter == kNone)
      move_amazon(s, m);
    else
      shoot(s, m.to);
  }

  Scores score(const State& s) const { return gain(s); }
  Scores gain(const State& s) const { return one_winner(1 - s.turn, 2); }
  std::uint64_t hash(const State& s) const { return s.hash; }

  std::string move_text(const State& s, Move m) const { return board_.move_text(s, m); }

  Drawing draw(const State& s) const {
    Drawing out = board_.draw(s);
    if (s.shooter != kNone) out.notes.push_back(square_name(n_, s.shooter) + " shoots");
    return out;
  }

  // Amazons 0, 1; arrows; to move 0, 1; shooter; real cells.
  PlaneShape planes() const { return {7, n_, n_}; }

  void write_planes(const State& s, std::span<std::uint64_t> bits) const {
    PlaneWriter out(bits, planes());
    board_.write_planes(s, out);
    out.cells(AmazonBoard::one_cell(s.shooter));
    out.cells(board_.cells());
  }

  int move_planes() const { return board_.move_planes(); }
  MovePlace move_place(const State& s, Move m) const { return board_.move_place(s, m); }

  // The left-right mirror keeps the seats; the half turn and the top-bottom mirror exchange them.
  std::vector<Symmetry> symmetries() const {
    const std::vector<std::uint16_t> same{0, 1, 2, 3, 4, 5, 6}, exchanged{1, 0, 2, 4, 3, 5, 6};
    std::vector<Symmetry> out{{turn_squares(n_, 0), {0, 1}, same},
                              {turn_squares(n_, 0, Mirror::left_right), {0, 1}, same},
                              {turn_squares(n_, 2), {1, 0}, exchanged},
                              {turn_squares(n_, 2, Mirror::left_right), {1, 0}, exchanged}};
    for (Symmetry& by : out) board_.turn_moves(by);
    return out;
  }

  // Who reaches more cells first is ahead; a cell that both reach at once is worth a fifth to the
  // next to move.
  Scores estimate(const State& s) const {
    FirstReach reach(lines());
    for (std::size_t p = 0; p < 2; ++p) reach.add(p, s.amazons[p], all_, s.occupied);
    const auto [alone, shared] = amazon_territory(reach);
    const float tempo = (s.turn == 0) == (s.shooter == kNone) ? 0.2f : -0.2f;
    const float lead =
        static_cast<float>(alone[0] - alone[1]) + tempo * static_cast<float>(shared[0]);
    const float value = lead / static_cast<float>(1 + alone[0] + alone[1] + shared[0]);
    return {{value, -value}};
  }

 private:
  enum Key : unsigned { kArrow = 2, kShooter, kTurn };  // below: amazons, by seat

  const QueenLines& lines() const { return board_.lines(); }

  void move_amazon(State& s, Move m) const {
    board_.move_amazon(s, m);
    s.hash ^= zobrist(kShooter, m.to);
  }

  void shoot(State& s, std::uint16_t cell) const {
    lines().flip(s.occupied, cell);
    s.hash ^= zobrist(kShooter, s.shooter) ^ zobrist(kArrow, cell) ^ zobrist(kTurn, 0);
    s.shooter = kNone;
    s.turn ^= 1;
    unsigned free = 0;
    for (const auto amazon : s.amazons[s.turn]) free |= lines().free_neighbours(amazon, s.occupied);
    s.over = free == 0;
  }

  State make_start() const {
    State out;
    out.occupied = lines().border();
    const int k = (n_ - 1) / 3, last = n_ - 1;
    const std::array<std::array<int, 2>, 4> top{{{0, k}, {0, last - k}, {k, 0}, {k, last}}};
    std::array<FourCells, 2> amazons{};
    for (std::size_t i = 0; i < 4; ++i) {
      const auto [r, c] = top[i];
      amazons[1][i] = static_cast<std::uint16_t>(r * n_ + c);
      amazons[0][3 - i] = static_cast<std::uint16_t>((last - r) * n_ + last - c);
    }
    for (unsigned p = 0; p < 2; ++p) board_.put(out, p, amazons[p]);
    return out;
  }

  int n_;
  AmazonBoard board_;
  QueenLines::Lines all_;  // the board's cells
  State start_;
};

static_assert(Game<Rules>);

}  // namespace polymax::amazons

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
#include <vector>

#include "board/bitboard.hpp"
#include "board/first_reach.hpp"
#include "board/four_cells.hpp"
#include "board/planes.hpp"
#include "board/queen_lines.hpp"
#include "board/slide_planes.hpp"
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

  static constexpr std::uint16_t kNone = 0xffff;

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

  explicit Rules(Options options = {})
      : n_(options.n),
        lines_(n_),
        slide_planes_(n_, n_ - 1, SlidePlanes::kQueen),
        board_(Cells::first_cells(n_ * n_)),
        all_(lines_.lines(board_)),
        start_(make_start()) {}

  int players() const { return 2; }
  State start(std::uint64_t) const { return start_; }
  int to_move(const State& s) const { return s.turn; }
  int played(const State& s) const { return s.played; }
  int max_length() const { return 2 * (n_ * n_ - 8); }
  bool over(const State& s) const { return s.over; }

  void moves(const State& s, MoveList<Rules>& out) const {
    if (s.over) return;
    Move* to = out.room(lines_.room(4));
    if (s.shooter != kNone)
      to = lines_.append(s.shooter, to, s.occupied);
    else
      for (const auto cell : s.amazons[s.turn]) to = lines_.append(cell, to, s.occupied);
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

  std::string move_text(const State& s, Move m) const {
    const auto target = square_name(n_, m.to);
    return s.shooter == kNone ? square_name(n_, m.from) + "-" + target : target;
  }

  Drawing draw(const State& s) const {
    Drawing out = draw_squares(n_);
    for (auto& cell : out.cells) cell.mark = lines_.test(s.occupied, cell.index) ? '#' : 0;
    for (int p = 0; p < 2; ++p)
      for (const auto at : s.amazons[static_cast<std::size_t>(p)]) {
        out.cells[at].owner = p;
        out.cells[at].mark = 'A';
      }
    if (s.shooter != kNone) out.notes.push_back(square_name(n_, s.shooter) + " shoots");
    return out;
  }

  PlaneShape planes() const {
    return {7, n_, n_};
  }  // amazons 0, 1; arrows; to move 0, 1; shooter; real cells

  void write_planes(const State& s, std::span<std::uint64_t> bits) const {
    PlaneWriter out(bits, planes());
    Cells arrows = lines_.cells(s.occupied);
    for (const auto& amazons : s.amazons) {
      out.cells(cell_set(amazons));
      arrows = arrows.without(cell_set(amazons));
    }
    out.cells(arrows);
    for (int p = 0; p < 2; ++p) out.flag(s.turn == p, board_);
    out.cells(s.shooter == kNone ? Cells{} : cell_set(std::array{s.shooter}));
    out.cells(board_);
  }

  // Shots lie where the arrow does, an amazon's moves where it comes from.
  int move_planes() const { return slide_planes_.count(); }
  MovePlace move_place(const State& s, Move m) const {
    return s.shooter == kNone ? slide_planes_.slide(m.from, m.to) : SlidePlanes::one_cell(m.to);
  }

  // The left-right mirror keeps the seats; the half turn and the top-bottom mirror exchange them.
  std::vector<Symmetry> symmetries() const {
    const std::vector<std::uint16_t> same{0, 1, 2, 3, 4, 5, 6}, exchanged{1, 0, 2, 4, 3, 5, 6};
    std::vector<Symmetry> out{{turn_squares(n_, 0), {0, 1}, same},
                              {turn_squares(n_, 0, true), {0, 1}, same},
                              {turn_squares(n_, 2), {1, 0}, exchanged},
                              {turn_squares(n_, 2, true), {1, 0}, exchanged}};
    for (Symmetry& by : out) by.moves = slide_planes_.turned(by.cells, out[0].cells);
    return out;
  }

  // Who reaches more cells first is ahead; a cell that both reach at once is worth a fifth to the
  // next to move.
  Scores estimate(const State& s) const {
    FirstReach reach(lines_);
    for (std::size_t p = 0; p < 2; ++p) reach.add(p, s.amazons[p], all_, s.occupied);
    const auto [alone, shared] = amazon_territory(reach);
    const float tempo = (s.turn == 0) == (s.shooter == kNone) ? 0.2f : -0.2f;
    const float lead =
        static_cast<float>(alone[0] - alone[1]) + tempo * static_cast<float>(shared[0]);
    const float value = lead / static_cast<float>(1 + alone[0] + alone[1] + shared[0]);
    return {{value, -value}};
  }

 private:
  enum Key : unsigned { kAmazon, kArrow = 2, kShooter, kTurn };  // kAmazon + seat

  void move_amazon(State& s, Move m) const {
    lines_.flip(s.occupied, m.from);
    lines_.flip(s.occupied, m.to);
    move_piece(s.amazons[s.turn], m.from, m.to);
    s.hash ^= zobrist(kAmazon + s.turn, m.from) ^ zobrist(kAmazon + s.turn, m.to) ^
              zobrist(kShooter, m.to);
    s.shooter = m.to;
  }

  void shoot(State& s, std::uint16_t cell) const {
    lines_.flip(s.occupied, cell);
    s.hash ^= zobrist(kShooter, s.shooter) ^ zobrist(kArrow, cell) ^ zobrist(kTurn, 0);
    s.shooter = kNone;
    s.turn ^= 1;
    unsigned free = 0;
    for (const auto amazon : s.amazons[s.turn]) free |= lines_.free_neighbours(amazon, s.occupied);
    s.over = free == 0;
  }

  State make_start() const {
    State out;
    out.occupied = lines_.border();
    const int k = (n_ - 1) / 3, last = n_ - 1;
    const std::array<std::array<int, 2>, 4> top{{{0, k}, {0, last - k}, {k, 0}, {k, last}}};
    for (std::size_t i = 0; i < 4; ++i) {
      const auto [r, c] = top[i];
      out.amazons[1][i] = static_cast<std::uint16_t>(r * n_ + c);
      out.amazons[0][3 - i] = static_cast<std::uint16_t>((last - r) * n_ + last - c);
    }
    for (unsigned p = 0; p < 2; ++p)
      for (const auto cell : out.amazons[p]) {
        lines_.flip(out.occupied, cell);
        out.hash ^= zobrist(kAmazon + p, cell);
      }
    return out;
  }

  int n_;
  QueenLines lines_;
  SlidePlanes slide_planes_;
  Cells board_;
  QueenLines::Lines all_;  // the board's cells
  State start_;
};

static_assert(Game<Rules>);

}  // namespace polymax::amazons

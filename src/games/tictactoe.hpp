// Tic-tac-toe: three in a row on 3 x 3. Small enough to solve at once; the smallest example of a
// game.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "board/cell_moves.hpp"
#include "board/square_grid.hpp"
#include "core/game.hpp"
#include "core/hash.hpp"

namespace polymax::tictactoe {

class Rules {
 public:
  using Options = NoSettings;

  struct State {
    std::array<std::uint16_t, 2> stones{};  // bit = cell
    std::uint8_t turn = 0;
    std::int8_t winner = -1;
    friend bool operator==(const State&, const State&) = default;
  };

  using Move = CellMove;

  static constexpr About about{"Tic-tac-toe, 3 x 3", 1,
                               "https://en.wikipedia.org/wiki/Tic-tac-toe"};
  static constexpr Points default_points = Points::gain;

  explicit Rules(Options = {}) {}

  int players() const { return 2; }
  State start(std::uint64_t) const { return {}; }
  int to_move(const State& s) const { return s.turn; }
  int played(const State& s) const { return std::popcount(occupied(s)); }
  int max_length() const { return 9; }
  bool over(const State& s) const { return s.winner >= 0 || occupied(s) == kAll; }

  void moves(const State& s, MoveList<Rules>& out) const {
    if (s.winner >= 0) return;
    Move* to = out.room(9);
    for (unsigned free = kAll & ~occupied(s); free != 0; free &= free - 1)
      *to++ = {static_cast<std::uint16_t>(std::countr_zero(free))};
    out.wrote(to);
  }

  void play(State& s, Move m) const {
    auto& own = s.stones[s.turn];
    own = static_cast<std::uint16_t>(own | 1u << m.cell);
    if (kWins[own]) s.winner = static_cast<std::int8_t>(s.turn);
    s.turn ^= 1;
  }

  Scores score(const State& s) const { return gain(s); }
  Scores gain(const State& s) const { return s.winner < 0 ? Scores{} : one_winner(s.winner, 2); }

  std::uint64_t hash(const State& s) const {
    return zobrist(s.turn, static_cast<unsigned>(s.stones[0]) << 16 | s.stones[1]);
  }

  std::string move_text(const State&, Move m) const { return square_name(3, m.cell); }

  Drawing draw(const State& s) const {
    Drawing out = draw_squares(3);
    for (auto& cell : out.cells)
      for (int p = 0; p < 2; ++p)
        if (s.stones[static_cast<std::size_t>(p)] >> cell.index & 1) cell.owner = p;
    return out;
  }

  // Stones of 0, of 1, seat 0 to move, seat 1 to move.
  PlaneShape planes() const { return {4, 3, 3}; }

  void write_planes(const State& s, std::span<std::uint64_t> bits) const {
    bits[0] = s.stones[0];
    bits[1] = s.stones[1];
    bits[2] = s.turn == 0 ? kAll : 0;
    bits[3] = s.turn == 1 ? kAll : 0;
  }

  int move_planes() const { return 1; }
  MovePlace move_place(const State&, Move m) const { return {0, m.cell}; }

  std::vector<Symmetry> symmetries() const {
    std::vector<Symmetry> out;
    for (const Mirror mirror : kMirrors)
      for (int quarters = 0; quarters < 4; ++quarters)
        out.push_back({turn_squares(3, quarters, mirror), {0, 1}, {0, 1, 2, 3}});
    return out;
  }

  // Lines still open for a seat alone.
  Scores estimate(const State& s) const {
    float balance = 0;
    for (const unsigned line : kLines) {
      const bool open0 = (s.stones[1] & line) == 0, open1 = (s.stones[0] & line) == 0;
      balance += (open0 ? 1.0f : 0.0f) - (open1 ? 1.0f : 0.0f);
    }
    return {{balance / 9, -balance / 9}};
  }

 private:
  static constexpr unsigned kAll = 0x1ff;
  static constexpr std::array<unsigned, 8> kLines{0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};
  static constexpr std::array<bool, 512> kWins = [] {
    std::array<bool, 512> out{};
    for (unsigned stones = 0; stones < 512; ++stones)
      for (const unsigned line : kLines) out[stones] |= (stones & line) == line;
    return out;
  }();

  static unsigned occupied(const State& s) {
    return static_cast<unsigned>(s.stones[0] | s.stones[1]);
  }
};

static_assert(Game<Rules>);

}  // namespace polymax::tictactoe

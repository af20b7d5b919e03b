// Positions of Othello and its kin: the stones of every seat, whose turn it is and where that seat
// may play. A move puts down one stone and takes over others; the turn goes to the next seat that
// can play, and without one the game is over.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "board/bitboard.hpp"
#include "core/hash.hpp"

namespace polymax {

template <std::size_t kSeats>
struct FlipPosition {
  std::array<Cells, kSeats> stones{};
  Cells playable{};  // by the seat to move; empty when the game is over
  std::uint64_t hash = 0;
  std::uint8_t turn = 0;  // 0 when the game is over
  friend bool operator==(const FlipPosition&, const FlipPosition&) = default;

  constexpr Cells occupied() const {
    Cells out;
    for (const auto& own : stones) out |= own;
    return out;
  }

  // Seat whose stone is on the cell, -1 = none.
  constexpr int owner(int cell) const {
    for (std::size_t p = 0; p < kSeats; ++p)
      if (stones[p].test(cell)) return static_cast<int>(p);
    return -1;
  }

  // For the start position.
  constexpr void put(std::size_t seat, int cell) {
    stones[seat].set(cell);
    hash ^= zobrist(static_cast<unsigned>(seat), static_cast<unsigned>(cell));
  }

  // The seat to move takes the empty `cell` and the stones `captured` of the others.
  constexpr void settle(int cell, const Cells& captured) {
    std::uint64_t change = zobrist(turn, static_cast<unsigned>(cell));
    captured.for_each([&](int taken) {
      unsigned from = 0;
      for (unsigned q = 1; q < kSeats; ++q) from += q * stones[q].test(taken);
      change ^=
          zobrist(from, static_cast<unsigned>(taken)) ^ zobrist(turn, static_cast<unsigned>(taken));
    });
    hash ^= change;
    for (auto& others : stones) others = others.without(captured);
    stones[turn] |= captured;
    stones[turn].set(cell);
  }

  // Gives the turn to the first seat, from `first` on, for which rules.playable_by(position, seat)
  // is not empty.
  template <class Rules>
  constexpr void hand_to(std::size_t first, const Rules& rules) {
    hash ^= turn_key();
    for (std::size_t i = 0; i < kSeats; ++i) {
      const std::size_t seat = (first + i) % kSeats;
      playable = rules.playable_by(*this, seat);
      if (playable.none()) continue;
      turn = static_cast<std::uint8_t>(seat);
      hash ^= turn_key();
      return;
    }
    turn = 0;
    hash ^= turn_key();
  }

  // As if it were that seat's turn; nothing for a seat that cannot play.
  template <class Rules>
  constexpr std::optional<FlipPosition> given_to(int seat, const Rules& rules) const {
    FlipPosition out = *this;
    out.hand_to(static_cast<std::size_t>(seat), rules);
    return out.turn == seat && !out.playable.none() ? std::optional(out) : std::nullopt;
  }

 private:
  constexpr std::uint64_t turn_key() const { return zobrist(kSeats, turn); }
};

}  // namespace polymax

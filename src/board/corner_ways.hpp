// All ways to lay a polyomino of one to five cells over a corner, found by table lookup.
// Board: 20 x 20 cells stored in rows of 24 bits, the last four of a row always 0, so that steps
// off an edge end in them. A corner is an open cell of which no two opposite direct neighbours are
// open: a piece grows from it towards one of four quarters (down and right, ...). For a quarter
// there are 127 ways (an orientation and its cell on the corner) that touch 28 other cells. Those
// 28 bits, seven at a time, index tables of 127-bit sets: and-ing four of them gives the ways that
// fit. A way that covers several corners is found at the first of them alone, in index order.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <vector>

#include "board/bitboard.hpp"
#include "board/gather_bits.hpp"
#include "board/pick_numbers.hpp"
#include "board/polyomino.hpp"

namespace polymax {

static_assert(std::endian::native == std::endian::little, "boards are read at any byte");

class CornerWays {
 public:
  static constexpr int kSide = 20, kStride = 24, kBits = kSide * kStride;
  static constexpr int kOrientations = 91, kWays = 127;
  using Board = Bitboard<kBits>;
  using Ways = Bitboard<128>;

  // Board cells 0..399, row by row, and their bits.
  static constexpr int bit_of(int cell) { return cell / kSide * kStride + cell % kSide; }
  static constexpr int cell_of(int bit) { return bit / kStride * kSide + bit % kStride; }

  static constexpr Board real_cells() {
    Board out;
    for (int cell = 0; cell < kSide * kSide; ++cell) out.set(bit_of(cell));
    return out;
  }

  // A placement is orientation * kBits + its first cell.
  struct Orientation {
    std::uint8_t piece = 0, size = 0;
    std::array<std::uint8_t, 5> offsets{};  // from the first cell, ascending
  };

  // Open cells and corners, ready for lookups.
  class Field {
   public:
    Field(const Board& open, const Board& corners) : corners_(corners) {
      for (std::size_t m = 0; m < kMargin; ++m)
        open_[m] = later_[m] = open_[kWords - 1 - m] = later_[kWords - 1 - m] = 0;
      for (std::size_t w = 0; w < Board::kWords; ++w) {
        open_[w + kMargin] = open.words[w];
        later_[w + kMargin] = open.words[w] & ~corners.words[w];
      }
    }
    const Board& corners() const { return corners_; }

   private:
    friend class CornerWays;
    static constexpr std::size_t kMargin = 2, kWords = Board::kWords + 2 * kMargin;

    Board corners_;
    std::array<std::uint64_t, kWords> open_, later_;  // later_: without corners
  };

  CornerWays();

  const Orientation& orientation(int i) const { return orientations_[static_cast<std::size_t>(i)]; }

  // An orientation after quarter turns clockwise, and which of its cells is the first one then.
  struct Turned {
    int orientation;
    Place first;  // from the first one now
  };
  Turned turned(int orientation, int quarters) const;

  // The ways that use one of these pieces (bit i = kPolyominoes[i]).
  Ways ways_of(std::uint32_t pieces) const {
    return of_pieces_[0][pieces & 127] | of_pieces_[1][pieces >> 7 & 127] |
           of_pieces_[2][pieces >> 14 & 127];
  }

  // Writes every placement at this corner, also up to kPickSlack behind them; returns the end.
  template <class Move>
  Move* write(const Field& field, int corner, const Ways& among, Move* to) const {
    const auto [quarter, fits] = find(field, corner, among);
    for (std::size_t w = 0; w < Ways::kWords; ++w)
      to = pick_numbers(&quarter->placements[64 * w], fits.words[w],
                        static_cast<std::uint16_t>(corner), to);
    return to;
  }

  bool any(const Field& field, int corner, const Ways& among) const {
    return find(field, corner, among).fits.any();
  }

 private:
  struct Quarter {
    std::array<std::uint64_t, 3> cells{};  // of the window's three words
    std::array<int, 2> shifts{};
    std::array<std::array<Ways, 128>, 4> fits{};
    std::array<std::uint16_t, 128> placements{};  // less the corner
  };
  struct Found {
    const Quarter* quarter;
    Ways fits;
  };

  // Window: the 9 x 9 cells around the corner, three rows in a word, stride kept.
  static constexpr int kReach = 4, kWindowRows = 3;
  static constexpr std::size_t window_word(Place p) {
    return static_cast<std::size_t>((p.row + kReach) / kWindowRows);
  }
  static constexpr std::uint64_t bit(Place p) {
    return 1ull << ((p.row + kReach) % kWindowRows * kStride + p.column + kReach);
  }

  static constexpr int index(Place p) { return p.row * kStride + p.column; }

  void add_ways(std::size_t orientation, const Shape& shape, std::size_t quarter,
                std::vector<Shape>& ways);
  void fill(std::size_t quarter, const std::vector<Shape>& ways);

  // The quarter's 28 cells side by side.
  static std::uint64_t packed(const Quarter& q, const std::array<std::uint64_t, 3>& window) {
    return gather_bits(window[0], q.cells[0]) | gather_bits(window[1], q.cells[1]) << q.shifts[0] |
           gather_bits(window[2], q.cells[2]) << q.shifts[1];
  }

  static std::uint64_t load(const std::array<std::uint64_t, Field::kWords>& words, int byte) {
    std::uint64_t out = 0;
    std::memcpy(&out, reinterpret_cast<const unsigned char*>(words.data()) + byte, sizeof out);
    return out;
  }

  Found find(const Field& field, int corner, const Ways& among) const {
    constexpr std::uint64_t kNeighbours = bit({-1, 0}) | bit({0, -1}) | bit({0, 1}) | bit({1, 0});
    constexpr std::uint64_t kAfter = ~(bit({0, 0}) | (bit({0, 0}) - 1));
    const int first = corner + 64 * static_cast<int>(Field::kMargin) - kReach * (kStride + 1);
    const int byte = first / 8, shift = first % 8, step = kWindowRows * kStride / 8;
    const std::uint64_t top = load(field.later_, byte) >> shift;
    const std::uint64_t middle = load(field.open_, byte + step) >> shift &
                                 (load(field.later_, byte + step) >> shift | kAfter);
    const std::uint64_t bottom = load(field.open_, byte + 2 * step) >> shift;
    const std::size_t quarter = quarter_of_[gather_bits(middle, kNeighbours)];
    assert(quarter < 4);
    const Quarter& q = quarters_[quarter];
    const std::uint64_t open = packed(q, {top, middle, bottom});
    Found out{&q, among};
    for (std::size_t i = 0; i < 4; ++i) out.fits &= q.fits[i][open >> (7 * i) & 127];
    return out;
  }

  std::array<Orientation, kOrientations> orientations_{};
  std::array<std::array<Ways, 128>, 3> of_pieces_{};  // seven pieces a table
  // By open neighbours (above, left, right, below), 4 = no corner.
  std::array<std::uint8_t, 16> quarter_of_{};
  std::array<Quarter, 4> quarters_;
};

}  // namespace polymax

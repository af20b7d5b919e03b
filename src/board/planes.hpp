// Writes the bit planes of a position one after the other (layout: PlaneShape in game.hpp).
#pragma once

#include <cassert>
#include <cstdint>
#include <span>

#include "board/bitboard.hpp"
#include "core/game.hpp"

namespace polymax {

class PlaneWriter {
 public:
  PlaneWriter(std::span<std::uint64_t> bits, const PlaneShape& shape)
      : at_(bits.data()),
        end_(bits.data() + bits.size()),
        words_(static_cast<std::size_t>(shape.words_per_plane())) {
    assert(bits.size() == static_cast<std::size_t>(shape.words()));
  }
  ~PlaneWriter() { assert(at_ == end_); }
  PlaneWriter(const PlaneWriter&) = delete;
  PlaneWriter& operator=(const PlaneWriter&) = delete;

  // A set of cells of the box.
  template <int kBits>
  void cells(const Bitboard<kBits>& set) {
    for (std::size_t w = 0; w < words_; ++w) *at_++ = set.words[w];
  }

  // `real` when on, else nothing: one-hot seats, phases and other facts about the whole board.
  template <int kBits>
  void flag(bool on, const Bitboard<kBits>& real) {
    for (std::size_t w = 0; w < words_; ++w) *at_++ = on ? real.words[w] : 0;
  }

 private:
  std::uint64_t* at_;
  std::uint64_t* end_;
  std::size_t words_;
};

}  // namespace polymax

// A set of board cells as bits. Cell i is bit i % 64 of word i / 64. Cells is the size for every
// board of polymax (20 x 20).
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace polymax {

template <int kBits>
struct Bitboard {
  static constexpr int kWords = (kBits + 63) / 64;

  std::array<std::uint64_t, kWords> words{};

  // The first n cells.
  static constexpr Bitboard first_cells(int n) {
    Bitboard out;
    for (int w = 0; w < kWords; ++w) {
      const int left = n - 64 * w;
      out.words[static_cast<std::size_t>(w)] = left >= 64  ? ~0ull
                                               : left <= 0 ? 0
                                                           : (1ull << left) - 1;
    }
    return out;
  }

  // One cell.
  static constexpr Bitboard of(int i) {
    Bitboard out;
    out.set(i);
    return out;
  }

  constexpr bool test(int i) const { return (words[word(i)] >> (i & 63)) & 1; }
  constexpr void set(int i) { words[word(i)] |= bit(i); }
  constexpr void reset(int i) { words[word(i)] &= ~bit(i); }
  constexpr void flip(int i) { words[word(i)] ^= bit(i); }

  constexpr bool any() const {
    std::uint64_t all = 0;
    for (const auto w : words) all |= w;
    return all != 0;
  }
  constexpr bool none() const { return !any(); }
  constexpr int count() const {
    int n = 0;
    for (const auto w : words) n += std::popcount(w);
    return n;
  }

  // The lowest cell; the board must not be empty.
  constexpr int first() const {
    std::size_t w = 0;
    while (words[w] == 0) ++w;
    return static_cast<int>(64 * w) + std::countr_zero(words[w]);
  }

  // Calls f(cell) for every cell, lowest first.
  template <class F>
  constexpr void for_each(F f) const {
    for (std::size_t w = 0; w < words.size(); ++w)
      for (std::uint64_t rest = words[w]; rest != 0; rest &= rest - 1)
        f(static_cast<int>(64 * w) + std::countr_zero(rest));
  }

  constexpr bool intersects(const Bitboard& o) const { return (*this & o).any(); }

  constexpr Bitboard& operator|=(const Bitboard& o) {
    for (std::size_t w = 0; w < words.size(); ++w) words[w] |= o.words[w];
    return *this;
  }
  constexpr Bitboard& operator&=(const Bitboard& o) {
    for (std::size_t w = 0; w < words.size(); ++w) words[w] &= o.words[w];
    return *this;
  }
  constexpr Bitboard& operator^=(const Bitboard& o) {
    for (std::size_t w = 0; w < words.size(); ++w) words[w] ^= o.words[w];
    return *this;
  }
  // This board without the cells of `o`.
  constexpr Bitboard without(Bitboard o) const {
    for (std::size_t w = 0; w < words.size(); ++w) o.words[w] = words[w] & ~o.words[w];
    return o;
  }
  friend constexpr Bitboard operator|(Bitboard a, const Bitboard& b) { return a |= b; }
  friend constexpr Bitboard operator&(Bitboard a, const Bitboard& b) { return a &= b; }
  friend constexpr Bitboard operator^(Bitboard a, const Bitboard& b) { return a ^= b; }
  friend constexpr bool operator==(const Bitboard&, const Bitboard&) = default;

 private:
  static constexpr std::size_t word(int i) { return static_cast<std::size_t>(i) / 64; }
  static constexpr std::uint64_t bit(int i) { return 1ull << (i & 63); }
};

inline constexpr int kMaxCells = 400;
using Cells = Bitboard<kMaxCells>;

}  // namespace polymax

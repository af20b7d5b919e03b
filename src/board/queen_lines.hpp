// Queen moves on an n x n board (n <= 20): every cell lies on four lines, one of each family (rows,
// columns, diagonals, anti-diagonals), and a line's occupied cells are one small integer. Two bit
// scans give the free run on both sides of a cell; the run's moves are then copied in one piece
// from a table. Hardly a branch depends on the position. Bits of a line: a border, then the cells
// in the order of their columns (columns: rows), then a border. The two diagonals whose cells
// together fill every column share an integer, with a border between them.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "board/bitboard.hpp"

namespace polymax {

struct Slide {
  std::uint16_t from = 0, to = 0;
  friend bool operator==(Slide, Slide) = default;
};

class QueenLines {
 public:
  static constexpr int kMaxSide = 20;

  // A set of cells, held four times, once in each family. The row family has a border row on either
  // side.
  using Lines = std::array<std::uint32_t, 4 * kMaxSide + 2>;

  // Two sets together.
  struct Union {
    const Lines *a, *b;
    std::uint32_t operator[](std::size_t line) const { return (*a)[line] | (*b)[line]; }
  };

  explicit QueenLines(int n)
      : n_(n), rays_(static_cast<std::size_t>(n * n)), border_(border_of(n)) {
    assert(n >= 1 && n <= kMaxSide);
    slides_.resize(kMargin);
    for (int cell = 0; cell < n * n; ++cell) add_cell(cell);
    slides_.resize(slides_.size() + 2 * kMargin);
  }

  int side() const { return n_; }

  // No cell, all borders: the start for a set of obstacles.
  const Lines& border() const { return border_; }

  void flip(Lines& set, int cell) const {
    for (const Ray& ray : rays(cell)) set[ray.line] ^= 1u << ray.bit;
  }

  struct RowPlace {
    std::size_t line;
    unsigned bit;
  };
  RowPlace row_place(int cell) const { return {rays(cell)[0].line, rays(cell)[0].bit}; }

  bool test(const Lines& set, int cell) const {
    const auto [line, bit] = row_place(cell);
    return set[line] >> bit & 1;
  }

  // A bitboard as lines without borders, and lines as a bitboard without borders.
  Lines lines(const Cells& set) const {
    Lines out{};
    set.for_each([&](int cell) { flip(out, cell); });
    return out;
  }

  Cells cells(const Lines& set) const {
    Cells out;
    const auto side = static_cast<std::size_t>(n_);
    for (std::size_t r = 0; r < side; ++r) {
      const std::uint64_t row = set[r + 1] >> 1 & ((1u << side) - 1);
      const std::size_t word = r * side / 64, shift = r * side % 64;
      out.words[word] |= row << shift;
      if (shift + side > 64) out.words[word + 1] |= row >> (64 - shift);
    }
    return out;
  }

  // The most moves of so many queens, and the places behind them that the append functions may
  // overwrite.
  std::size_t room(int queens) const {
    return static_cast<std::size_t>(4 * (n_ - 1) * queens) + kMargin;
  }

  // Below, blocked[line] is a line of the obstacles, borders among them; wanted[line] a line of
  // allowed targets.

  // Writes all moves of a queen at `cell` and returns the new end.
  template <class Blocked>
  Slide* append(int cell, Slide* to, const Blocked& blocked) const {
    for (const Ray& ray : rays(cell)) {
      const auto [below, above] = free_run(blocked[ray.line], ray);
      to = copy(to, ray.above - below, below + above);
    }
    return to;
  }

  // Writes the moves that end on a wanted cell; on every line these must lie side by side.
  template <class Blocked, class Wanted>
  Slide* append_into(int cell, Slide* to, const Blocked& blocked, const Wanted& wanted) const {
    for (const Ray& ray : rays(cell)) {
      const std::uint32_t targets = free_cells(blocked[ray.line], ray) & wanted[ray.line];
      const auto first = static_cast<unsigned>(std::countr_zero(targets));
      const unsigned from = ray.above + first - ray.bit - (first > ray.bit ? 1 : 0);
      to = copy(to, from, static_cast<unsigned>(std::popcount(targets)));
    }
    return to;
  }

  template <class Blocked>
  int count(int cell, const Blocked& blocked) const {
    unsigned sum = 0;
    for (const Ray& ray : rays(cell)) {
      const auto [below, above] = free_run(blocked[ray.line], ray);
      sum += below + above;
    }
    return static_cast<int>(sum);
  }

  // Whether a move ends on a wanted cell.
  template <class Blocked, class Wanted>
  bool reaches(int cell, const Blocked& blocked, const Wanted& wanted) const {
    std::uint32_t targets = 0;
    for (const Ray& ray : rays(cell))
      targets |= free_cells(blocked[ray.line], ray) & wanted[ray.line];
    return targets != 0;
  }

  // Not 0 when a neighbour of the obstacle at `cell` is free: then a queen there can move.
  template <class Blocked>
  unsigned free_neighbours(int cell, const Blocked& blocked) const {
    const auto [row, bit] = row_place(cell);
    return ~(blocked[row - 1] & blocked[row] & blocked[row + 1]) >> (bit - 1) & 7u;
  }

 private:
  struct Ray {
    std::uint8_t line = 0, bit = 0;
    std::uint8_t up = 0, down = 0;  // shifts that leave only the cells above, below `bit`
    // Where the moves to the cells above `bit` begin in slides_; those below end there.
    std::uint32_t above = 0;
  };
  struct Run {
    unsigned below, above;  // free cells on both sides
  };

  static constexpr int kMargin = 32;  // places that copy() may touch beside the moves themselves

  const std::array<Ray, 4>& rays(int cell) const { return rays_[static_cast<std::size_t>(cell)]; }

  static Run free_run(std::uint32_t blocked, const Ray& ray) {
    return {static_cast<unsigned>(std::countl_zero(blocked << ray.down)),
            static_cast<unsigned>(std::countr_zero(blocked >> ray.up))};
  }

  static std::uint32_t free_cells(std::uint32_t blocked, const Ray& ray) {
    const auto [below, above] = free_run(blocked, ray);
    return (((2u << (below + above)) - 1) << (ray.bit - below)) ^ (1u << ray.bit);
  }

  // Copies `count` moves, a whole chunk at least: longer runs are rare, so that the branch is no
  // burden.
  Slide* copy(Slide* to, std::uint32_t from, unsigned count) const {
    using Chunk [[gnu::vector_size(32)]] = std::uint32_t;
    constexpr std::size_t kInChunk = sizeof(Chunk) / sizeof(Slide);
    const Slide* source = slides_.data() + from;
    const auto copy_chunk = [&](std::size_t at) {
      Chunk chunk;
      std::memcpy(&chunk, source + at, sizeof(Chunk));
      std::memcpy(static_cast<void*>(to + at), &chunk, sizeof(Chunk));
    };
    copy_chunk(0);
    if (count > kInChunk) [[unlikely]]
      for (std::size_t at = kInChunk; at < count; at += kInChunk) copy_chunk(at);
    return to + count;
  }

  // Line and bit of a cell in the four families.
  std::array<Ray, 4> place(int cell) const {
    const int r = cell / n_, c = cell % n_;
    const int rising = (c - r + n_) % n_, falling = (c + r) % n_;
    const auto byte = [](int x) { return static_cast<std::uint8_t>(x); };
    const auto ray = [&](int line, int bit) {
      return Ray{byte(line), byte(bit), byte(bit + 1), byte(32 - bit)};
    };
    return {ray(r + 1, c + 1), ray(n_ + 2 + c, r + 1),
            ray(2 * n_ + 2 + rising, c < r ? c + 1 : c + 2),
            ray(3 * n_ + 2 + falling, c + r < n_ ? c + 1 : c + 2)};
  }

  static Lines border_of(int n) {
    Lines out{};
    const auto bit = [](int i) { return 1u << i; };
    const auto at = [&](int line) -> std::uint32_t& { return out[static_cast<std::size_t>(line)]; };
    at(0) = at(n + 1) = ~0u;
    for (int k = 0; k < n; ++k) {
      at(k + 1) = at(n + 2 + k) = bit(0) | bit(n + 1);
      at(2 * n + 2 + k) = bit(0) | bit(k + 1) | bit(n + 2);
      at(3 * n + 2 + k) = bit(0) | bit(k + 2) | bit(n + 2);
    }
    return out;
  }

  void add_cell(int cell) {
    // Row and column steps towards higher bits.
    static constexpr std::array<std::array<int, 2>, 4> kSteps{{{0, 1}, {1, 0}, {1, 1}, {-1, 1}}};
    auto& rays_here = rays_[static_cast<std::size_t>(cell)] = place(cell);
    for (std::size_t family = 0; family < 4; ++family) {
      const auto [dr, dc] = kSteps[family];
      for (int steps = reach(cell, -dr, -dc); steps > 0; --steps)
        add_slide(cell, cell - steps * (dr * n_ + dc));
      rays_here[family].above = static_cast<std::uint32_t>(slides_.size());
      for (int i = 1; i <= reach(cell, dr, dc); ++i) add_slide(cell, cell + i * (dr * n_ + dc));
    }
  }

  void add_slide(int from, int to) {
    slides_.push_back({static_cast<std::uint16_t>(from), static_cast<std::uint16_t>(to)});
  }

  // Cells from `cell` to the edge of the board.
  int reach(int cell, int dr, int dc) const {
    int steps = 0;
    for (int r = cell / n_ + dr, c = cell % n_ + dc; r >= 0 && r < n_ && c >= 0 && c < n_;
         r += dr, c += dc)
      ++steps;
    return steps;
  }

  int n_;
  std::vector<std::array<Ray, 4>> rays_;
  std::vector<Slide> slides_;
  Lines border_;
};

}  // namespace polymax

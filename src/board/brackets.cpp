// Runs are followed along all axes at once: a board is an array of words, and each word is kept
// four times, in one lane for each axis, so that one vector shift moves every lane by the step of
// its own axis. Two cells a round.
#include "board/brackets.hpp"

#include <cassert>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace polymax {

namespace {

// One word of the board, once for each axis.
using Lanes = std::uint64_t __attribute__((vector_size(32)));

// Every lane one step of its own length along the board, towards higher cells (up) or lower ones.
template <bool kUp, std::size_t kWords>
inline void shift(const std::array<Lanes, kWords>& x, const Lanes& by,
                  std::array<Lanes, kWords>& out) {
  const Lanes rest = 64 - by;
  for (std::size_t w = 0; w < kWords; ++w) {
    if constexpr (kUp)
      out[w] = w > 0 ? (x[w] << by) | (x[w - 1] >> rest) : x[w] << by;
    else
      out[w] = w + 1 < kWords ? (x[w] >> by) | (x[w + 1] << rest) : x[w] >> by;
  }
}

// x = the cells of `between` that unbroken runs join with a start, which is one step before; two
// cells a round.
template <bool kUp, std::size_t kWords>
inline void fill(const std::array<Lanes, kWords>& between, const Lanes& stride, int rounds,
                 std::array<Lanes, kWords>& x) {
  std::array<Lanes, kWords> pairs, step;
  shift<kUp>(x, stride, step);
  for (std::size_t w = 0; w < kWords; ++w) x[w] |= step[w] & between[w];
  shift<kUp>(between, stride, pairs);
  for (std::size_t w = 0; w < kWords; ++w) pairs[w] &= between[w];
  const Lanes twice = stride * 2;
  for (int i = 0; i < rounds; ++i) {
    shift<kUp>(x, twice, step);
    for (std::size_t w = 0; w < kWords; ++w) x[w] |= step[w] & pairs[w];
  }
}

inline std::uint64_t joined(const Lanes& x) {
  return (x[0] | x[1]) | (x[2] | x[3]);
}

}  // namespace

struct Brackets::Kernel {
  template <std::size_t kWords>
  struct Board {
    std::array<Lanes, kWords> between;
    Lanes stride;

    Board(const Brackets& b, const Cells& stones) {
      std::memcpy(&stride, b.stride_.data(), sizeof stride);
      for (std::size_t w = 0; w < kWords; ++w) {
        Lanes inner;
        std::memcpy(&inner, b.inner_[w].data(), sizeof inner);
        between[w] = inner & (stones.words[w] | b.hole_.words[w]);
      }
    }
  };

  // Adds the cells one step behind the runs that begin at `ends`.
  template <bool kUp, std::size_t kWords>
  static void add_landings(const Brackets& b, const Board<kWords>& board, const Cells& ends,
                           std::array<Lanes, kWords>& landings) {
    std::array<Lanes, kWords> x, step;
    for (std::size_t w = 0; w < kWords; ++w) x[w] = Lanes{} + ends.words[w];
    shift<kUp>(x, board.stride, step);
    for (std::size_t w = 0; w < kWords; ++w) x[w] = step[w] & board.between[w];
    fill<kUp>(board.between, board.stride, b.rounds_, x);
    shift<kUp>(x, board.stride, step);
    for (std::size_t w = 0; w < kWords; ++w) landings[w] |= step[w];
  }

  template <std::size_t kWords>
  static Cells moves(const Brackets& b, const Cells& ends, const Cells& between,
                     const Cells& free) {
    const Board<kWords> board(b, between);
    std::array<Lanes, kWords> landings{};
    add_landings<true>(b, board, ends, landings);
    add_landings<false>(b, board, ends, landings);
    Cells out;
    for (std::size_t w = 0; w < kWords; ++w) out.words[w] = joined(landings[w]) & free.words[w];
    return out;
  }

  // Adds the runs from `start` that an end closes.
  template <bool kUp, std::size_t kWords>
  static void add_closed(const Brackets& b, const Board<kWords>& board,
                         const std::array<Lanes, kWords>& start, const Cells& ends,
                         std::array<Lanes, kWords>& closed) {
    std::array<Lanes, kWords> x, step;
    shift<kUp>(start, board.stride, step);
    for (std::size_t w = 0; w < kWords; ++w) x[w] = step[w] & board.between[w];
    fill<kUp>(board.between, board.stride, b.rounds_, x);
    shift<kUp>(x, board.stride, step);
    Lanes met{};
    for (std::size_t w = 0; w < kWords; ++w) met |= step[w] & ends.words[w];
    const auto on = (Lanes)(met != 0);
    for (std::size_t w = 0; w < kWords; ++w) closed[w] |= x[w] & on;
  }

  template <std::size_t kWords>
  static Cells captured(const Brackets& b, int cell, const Cells& ends, const Cells& between) {
    const Board<kWords> board(b, between);
    const Cells placed = Cells::of(cell);
    Cells out;
    std::array<Lanes, kWords> start, closed{};
    for (std::size_t w = 0; w < kWords; ++w) start[w] = Lanes{} + placed.words[w];
    add_closed<true>(b, board, start, ends, closed);
    add_closed<false>(b, board, start, ends, closed);
    for (std::size_t w = 0; w < kWords; ++w) out.words[w] = joined(closed[w]) & ~b.hole_.words[w];
    return out;
  }

  template <std::size_t kWords>
  static Cells exposed(const Brackets& b, const Cells& empty) {
    const Board<kWords> board(b, Cells::first_cells(64 * kWords));
    std::array<Lanes, kWords> x, up, down;
    for (std::size_t w = 0; w < kWords; ++w) x[w] = Lanes{} + empty.words[w];
    shift<true>(x, board.stride, up);
    shift<false>(x, board.stride, down);
    Cells out;
    for (std::size_t w = 0; w < kWords; ++w)
      out.words[w] = joined((up[w] | down[w]) & board.between[w]);
    return out;
  }

  template <std::size_t kWords>
  static void choose(Brackets& b) {
    b.moves_ = moves<kWords>;
    b.captured_ = captured<kWords>;
    b.exposed_ = exposed<kWords>;
  }

  static void choose(Brackets& b, std::size_t words) {
    [&]<std::size_t... kLess>(std::index_sequence<kLess...>) {
      ((words == kLess + 1 ? choose<kLess + 1>(b) : void()), ...);
    }
    (std::make_index_sequence<Cells::kWords>{});
  }
};

void Brackets::add_axis(std::size_t axis, int stride, const Cells& inner) {
  assert(stride > 0 && 2 * stride < 64);
  stride_[axis] = static_cast<std::uint64_t>(stride);
  for (std::size_t w = 0; w < inner.words.size(); ++w) inner_[w][axis] = inner.words[w];
}

void Brackets::finish(int cells, int longest_line) {
  rounds_ = (longest_line - 3) / 2;
  Kernel::choose(*this, static_cast<std::size_t>(cells + 63) / 64);
}

Brackets Brackets::squares(int n) {
  Cells columns, rows;
  Brackets out;
  for (int i = 0; i < n * n; ++i) {
    const int r = i / n, c = i % n;
    const bool in_columns = c != 0 && c != n - 1, in_rows = r != 0 && r != n - 1;
    if (in_columns) columns.set(i);
    if (in_rows) rows.set(i);
    if (!in_columns && !in_rows) out.corners_.set(i);
    if (in_columns != in_rows) out.border_.set(i);
  }
  out.add_axis(0, 1, columns);
  out.add_axis(1, n, rows);
  out.add_axis(2, n - 1, columns & rows);
  out.add_axis(3, n + 1, columns & rows);
  out.finish(n * n, n);
  return out;
}

Brackets Brackets::hexagon(const HexGrid& grid, int hole) {
  Brackets out;
  out.hole_.set(hole);
  std::array<Cells, 3> inner{};
  grid.cells().for_each([&](int cell) {
    const auto& next = grid.neighbours(cell);
    int closed = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (next[axis] == HexGrid::kNoCell || next[axis + 3] == HexGrid::kNoCell) continue;
      inner[axis].set(cell);
      ++closed;
    }
    if (closed == 0) out.corners_.set(cell);
    if (closed == 1) out.border_.set(cell);
  });
  for (std::size_t axis = 0; axis < 3; ++axis)
    out.add_axis(axis, std::abs(grid.neighbours(hole)[axis] - hole), inner[axis]);
  out.finish(grid.box(), grid.width());
  return out;
}

}  // namespace polymax

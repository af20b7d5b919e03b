// Which cells each of up to four seats reaches first, in queen moves or in king steps: the
// territory of Amazons-like games (Lieberum 2005, "An evaluation function for the game of
// amazons"). Works on the rows of QueenLines; one vector holds a row of every seat, so that all
// seats are flooded at once.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "board/four_cells.hpp"
#include "board/queen_lines.hpp"

namespace polymax {

// By seat: cells reached before all others, and cells reached in the same move as another seat.
struct Claims {
  std::array<int, 4> alone{}, shared{};

  Claims& operator+=(const Claims& o) {
    for (std::size_t p = 0; p < 4; ++p) {
      alone[p] += o.alone[p];
      shared[p] += o.shared[p];
    }
    return *this;
  }
};

class FirstReach {
 public:
  explicit FirstReach(const QueenLines& lines)
      : lines_(&lines), n_(static_cast<std::size_t>(lines.side())) {}

  // The seat's pieces may enter the cells of `area` that are not occupied. Seats that are not added
  // reach nothing.
  void add(std::size_t seat, const FourCells& pieces, const QueenLines::Lines& area,
           const QueenLines::Lines& occupied) {
    for (std::size_t r = 1; r <= n_; ++r) free_[r][seat] = area[r] & ~occupied[r];
    for (const auto cell : pieces) {
      const auto [row, bit] = lines_->row_place(cell);
      from_[row][seat] |= 1u << bit;
    }
  }

  // Cells that nobody reaches within `depth` moves belong to nobody.
  Claims in_queen_moves(int depth) const {
    return claims(depth, [this](const Rows& from, Rows& to) { queen_step(from, to); });
  }

  // For each seat the cells that a piece of it can enter at once, and those that it reaches in two
  // queen moves or one and before all others.
  struct Near {
    std::array<Cells, 4> at_once, alone;
  };
  Near near() const {
    Rows at_once{};
    bool first = true;
    const Taken taken = first_to_reach(2, [&](const Rows& from, Rows& to) {
      queen_step(from, to);
      for (std::size_t r = 1; r <= n_ && first; ++r) at_once[r] = to[r] & free_[r];
      first = false;
    });
    return {cells_of(at_once), cells_of(taken.alone)};
  }

  Claims in_king_steps(int depth) const {
    return claims(depth, [this](const Rows& from, Rows& to) { king_step(from, to); });
  }

 private:
  using SeatRow [[gnu::vector_size(16)]] = std::uint32_t;  // the same row for each seat
  using Rows = std::array<SeatRow, QueenLines::kMaxSide + 2>;

  void king_step(const Rows& from, Rows& to) const {
    for (std::size_t r = 1; r <= n_; ++r) {
      const SeatRow near = from[r - 1] | from[r] | from[r + 1];
      to[r] = from[r] | ((near | near << 1 | near >> 1) & free_[r]);
    }
  }

  void queen_step(const Rows& from, Rows& to) const {
    SeatRow straight{}, lower{}, higher{};
    for (std::size_t r = 1; r <= n_; ++r) {
      straight = (straight | from[r - 1]) & free_[r];
      lower = (lower | from[r - 1]) >> 1 & free_[r];
      higher = (higher | from[r - 1]) << 1 & free_[r];
      to[r] = straight | lower | higher | along_row(from[r], free_[r]);
    }
    straight = lower = higher = SeatRow{};
    for (std::size_t r = n_; r >= 1; --r) {
      straight = (straight | from[r + 1]) & free_[r];
      lower = (lower | from[r + 1]) >> 1 & free_[r];
      higher = (higher | from[r + 1]) << 1 & free_[r];
      to[r] |= straight | lower | higher;
    }
  }

  // Slides in both directions of a row, the distance doubled at every turn of the loop.
  static SeatRow along_row(SeatRow from, SeatRow free) {
    SeatRow lower = from, higher = from, open_lower = free, open_higher = free;
    for (unsigned shift = 1; shift < QueenLines::kMaxSide; shift *= 2) {
      lower |= lower >> shift & open_lower;
      higher |= higher << shift & open_higher;
      open_lower &= open_lower >> shift;
      open_higher &= open_higher << shift;
    }
    return lower | higher;
  }

  struct Taken {
    Rows alone{}, shared{};
  };

  template <class Step>
  Taken first_to_reach(int depth, Step step) const {
    std::array<Rows, 2> reached{from_, {}};
    Rows taken{};
    Taken out;
    for (std::size_t i = 0; i < static_cast<std::size_t>(depth); ++i) {
      Rows& to = reached[(i + 1) & 1];
      step(reached[i & 1], to);
      for (std::size_t r = 1; r <= n_; ++r) {
        const SeatRow now = to[r] & free_[r] & ~taken[r];
        const SeatRow others = __builtin_shufflevector(now, now, 1, 2, 3, 0) |
                               __builtin_shufflevector(now, now, 2, 3, 0, 1) |
                               __builtin_shufflevector(now, now, 3, 0, 1, 2);
        out.alone[r] |= now & ~others;
        out.shared[r] |= now & others;
        taken[r] |= now | others;
      }
    }
    return out;
  }

  template <class Step>
  Claims claims(int depth, Step step) const {
    const Taken taken = first_to_reach(depth, step);
    Claims out;
    for (std::size_t r = 1; r <= n_; ++r)
      for (std::size_t p = 0; p < 4; ++p) {
        out.alone[p] += std::popcount(taken.alone[r][p]);
        out.shared[p] += std::popcount(taken.shared[r][p]);
      }
    return out;
  }

  std::array<Cells, 4> cells_of(const Rows& of_seats) const {
    std::array<Cells, 4> out;
    for (std::size_t p = 0; p < 4; ++p) {
      QueenLines::Lines rows{};
      for (std::size_t r = 1; r <= n_; ++r) rows[r] = of_seats[r][p];
      out[p] = lines_->cells(rows);
    }
    return out;
  }

  const QueenLines* lines_;
  std::size_t n_;
  Rows from_{}, free_{};
};

// The measure of both Amazons games. Chosen: two queen moves and four king steps, weighed alike; as
// a greedy player this beat either alone, more and fewer moves, other weights, and by far the count
// of legal moves.
inline Claims amazon_territory(const FirstReach& reach) {
  Claims out = reach.in_queen_moves(2);
  out += reach.in_king_steps(4);
  return out;
}

}  // namespace polymax

// What the two Amazons games share: queens that move and then shoot, arrows that stay. Occupied are
// the cells of amazons and arrows; a shot is a Slide from the amazon's cell to the arrow's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "board/bitboard.hpp"
#include "board/four_cells.hpp"
#include "board/planes.hpp"
#include "board/queen_lines.hpp"
#include "board/slide_planes.hpp"
#include "board/square_grid.hpp"
#include "core/hash.hpp"

namespace polymax {

class AmazonBoard {
 public:
  static constexpr std::uint16_t kNoCell = 0xffff;

  explicit AmazonBoard(int n)
      : lines_(n),
        slide_planes_(n, n - 1, SlidePlanes::kQueen),
        cells_(Cells::first_cells(n * n)) {}

  int side() const { return lines_.side(); }
  const QueenLines& lines() const { return lines_; }
  const Cells& cells() const { return cells_; }

  // Of the amazon of a seat on a cell.
  static std::uint64_t key(unsigned seat, std::uint16_t cell) { return zobrist(seat, cell); }

  // For the start position.
  template <class State>
  void put(State& s, unsigned seat, const FourCells& amazons) const {
    s.amazons[seat] = amazons;
    for (const auto cell : amazons) {
      lines_.flip(s.occupied, cell);
      s.hash ^= key(seat, cell);
    }
  }

  // The amazon of the seat to move that now has to shoot; who shoots is not in the hash yet.
  template <class State>
  void move_amazon(State& s, Slide m) const {
    lines_.flip(s.occupied, m.from);
    lines_.flip(s.occupied, m.to);
    move_piece(s.amazons[s.turn], m.from, m.to);
    s.hash ^= key(s.turn, m.from) ^ key(s.turn, m.to);
    s.shooter = m.to;
  }

  template <class State>
  std::string move_text(const State& s, Slide m) const {
    const auto target = square_name(side(), m.to);
    return s.shooter == kNoCell ? square_name(side(), m.from) + "-" + target : target;
  }

  template <class State>
  Drawing draw(const State& s) const {
    Drawing out = draw_squares(side());
    for (auto& cell : out.cells) cell.mark = lines_.test(s.occupied, cell.index) ? '#' : 0;
    for (std::size_t p = 0; p < s.amazons.size(); ++p)
      for (const auto at : s.amazons[p]) {
        out.cells[at].owner = static_cast<int>(p);
        out.cells[at].mark = 'A';
      }
    return out;
  }

  // Amazons, a plane for each seat; arrows; to move, a plane for each seat.
  template <class State>
  void write_planes(const State& s, PlaneWriter& out) const {
    Cells arrows = lines_.cells(s.occupied);
    for (const auto& amazons : s.amazons) {
      out.cells(cell_set(amazons));
      arrows = arrows.without(cell_set(amazons));
    }
    out.cells(arrows);
    for (std::size_t p = 0; p < s.amazons.size(); ++p) out.flag(s.turn == p, cells_);
  }
  static Cells one_cell(std::uint16_t cell) { return cell == kNoCell ? Cells{} : Cells::of(cell); }

  // Shots lie where the arrow does, an amazon's moves where it comes from.
  int move_planes() const { return slide_planes_.count(); }
  template <class State>
  MovePlace move_place(const State& s, Slide m) const {
    return s.shooter == kNoCell ? slide_planes_.slide(m.from, m.to) : SlidePlanes::one_cell(m.to);
  }
  void turn_moves(Symmetry& by) const {
    by.moves = slide_planes_.turned(by.cells, turn_squares(side(), 0));
  }

 private:
  QueenLines lines_;
  SlidePlanes slide_planes_;
  Cells cells_;
};

}  // namespace polymax

// One picture of a position for the terminal, the web page and the notebook: cells with places and
// what stands on them. A viewer needs no knowledge of the game: it draws every cell at (x, y), and
// a click on a cell means its name.
#pragma once

#include <string>
#include <vector>

namespace polymax {

enum class CellShape { square, hexagon };

struct DrawnCell {
  std::string name;    // as in move texts
  int index = 0;       // cell of the planes' box: row * width + column
  float x = 0, y = 0;  // centre, in cell widths; y grows downwards
  int owner = -1;      // seat whose piece is on top, -1 = none
  int under = -1;      // seat whose piece is covered by it, -1 = none
  char mark = 0;  // what stands here where the owner does not say it: 'A' amazon, '#' arrow, '2'
                  // fish, ' ' hole; 0 = plain
  int tint = 0;   // background: cells of one zone share a number
  int home = -1;  // seat whose first piece must cover this cell, as long as it has none; -1 = none
};

// A side that a seat wants to join with others: from the centre of its first cell to that of its
// last. Viewers draw it just outside the board.
struct DrawnSide {
  int seat = 0;
  float x1 = 0, y1 = 0, x2 = 0, y2 = 0;
};

// A piece that a seat has not laid yet.
struct DrawnPiece {
  int seat = 0;
  std::string name;
  std::string rows;  // x = cell, . = none, rows separated by /
};

struct Drawing {
  CellShape shape = CellShape::square;
  std::vector<DrawnCell> cells;
  std::vector<DrawnSide> sides;    // of connection games
  std::vector<DrawnPiece> pieces;  // where seats have a supply of them
  std::vector<float> so_far;       // what each seat has now, in games that count; else empty
  std::vector<int> out;            // seats that do not move any more
  std::vector<std::string> notes;  // lines beside the board: phase, scores so far, pieces left
};

}  // namespace polymax

// Every cell becomes two columns of text, rows of hexagons shifted by half a cell, so that the
// shape of the board shows. Row numbers stand on the left where a row has one; the letter of every
// column stands where the column would go on below the board, and the letter of a seat outside of
// the sides that it wants to join. Marked cells are shown in reverse, or with a star. Where a seat
// must begin, its small letter stands.
#include "report/board_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "core/columns.hpp"
#include "core/lists.hpp"
#include "core/scores.hpp"

namespace polymax {

namespace {

constexpr std::array<const char*, 4> kSeatColours{"\033[1;36m", "\033[1;33m", "\033[1;35m",
                                                  "\033[1;32m"};
constexpr std::array<const char*, 4> kBackgrounds{"", "\033[48;5;235m", "\033[48;5;237m",
                                                  "\033[48;5;239m"};
constexpr std::array<char, 4> kSeatLetters{'X', 'O', 'Z', 'Y'};  // without colour
static_assert(kMaxPlayers <= kSeatColours.size() && kMaxPlayers <= kSeatLetters.size());
constexpr const char* kDim = "\033[2m";
constexpr const char* kReverse = "\033[7m";
constexpr const char* kReset = "\033[0m";

// What stands on a cell, one letter: the owner's letter, or lower case of it for a special piece of
// nobody.
char letter(const DrawnCell& cell) {
  if (cell.owner < 0 && cell.home >= 0)
    return static_cast<char>(std::tolower(kSeatLetters[static_cast<std::size_t>(cell.home)]));
  if (cell.owner >= 0 && cell.mark == 0) return kSeatLetters[static_cast<std::size_t>(cell.owner)];
  if (cell.mark != 0) return cell.mark;
  return '.';
}

std::string cell_text(const DrawnCell& cell, bool marked, Colours colours) {
  std::string body(1, letter(cell));
  // a second column: whose special piece it is without colour, or the covered piece
  char second = ' ';
  if (cell.under >= 0) second = kSeatLetters[static_cast<std::size_t>(cell.under)];
  if (colours == Colours::none && cell.owner >= 0 && cell.mark != 0)
    second = kSeatLetters[static_cast<std::size_t>(cell.owner)];
  if (colours == Colours::none) return body + (marked && second == ' ' ? '*' : second);
  std::string out = kBackgrounds[static_cast<std::size_t>(std::clamp(cell.tint, 0, 3))];
  const int seat = cell.owner >= 0 ? cell.owner : cell.home;
  out += seat >= 0 ? kSeatColours[static_cast<std::size_t>(seat)] : kDim;
  out += (marked ? kReverse : "") + body + kReset;
  if (cell.under >= 0)
    return out + kSeatColours[static_cast<std::size_t>(cell.under)] + second + kReset;
  return out + kBackgrounds[static_cast<std::size_t>(std::clamp(cell.tint, 0, 3))] + second +
         kReset;
}

// The number in a cell's name, which all cells of a row share.
std::string row_label(const std::vector<const DrawnCell*>& row) {
  const auto number = [](const DrawnCell* cell) { return cell->name.substr(1); };
  for (const auto* cell : row)
    if (number(cell) != number(row[0])) return "";
  return number(row[0]);
}

std::string letters_of(const std::string& name) {
  return name.substr(0, name.find_first_of("0123456789"));
}

// A letter to be written at a place outside of the board.
struct Label {
  float x, y;
  std::string text;
  int seat = -1;  // whose side it is
};

// Where every column would go on below its lowest cell.
std::vector<Label> column_labels(const Drawing& drawing) {
  std::map<std::string, std::vector<const DrawnCell*>> columns;
  for (const auto& cell : drawing.cells) columns[letters_of(cell.name)].push_back(&cell);
  float dx = 0, dy = 1;  // from a cell to the next below it in its column
  for (auto& [letters, cells] : columns) {
    std::ranges::sort(cells, std::greater<>{}, &DrawnCell::y);
    if (cells.size() < 2) continue;
    dx = cells[0]->x - cells[1]->x;
    dy = cells[0]->y - cells[1]->y;
  }
  std::vector<Label> out;
  for (const auto& [letters, cells] : columns)
    out.push_back({cells[0]->x + dx, cells[0]->y + dy, letters});
  return out;
}

// The distance of two rows.
float row_height(const Drawing& drawing) {
  float out = INFINITY;
  for (const auto& a : drawing.cells)
    if (const float d = std::abs(a.y - drawing.cells[0].y); d > 0.01F) out = std::min(out, d);
  return std::isinf(out) ? 1 : out;
}

// The letter of a seat beside every cell of its sides, just outside of the board; below it, under
// the letters of the columns.
std::vector<Label> side_labels(const Drawing& drawing) {
  std::vector<Label> out;
  if (drawing.sides.empty()) return out;
  float middle_x = 0, middle_y = 0;
  for (const auto& cell : drawing.cells) {
    middle_x += cell.x / static_cast<float>(drawing.cells.size());
    middle_y += cell.y / static_cast<float>(drawing.cells.size());
  }
  const float height = row_height(drawing);
  for (const auto& side : drawing.sides) {
    const bool flat = std::abs(side.y1 - side.y2) < 0.01F;
    const float length = flat ? std::abs(side.x2 - side.x1) : std::abs(side.y2 - side.y1) / height;
    const int steps = std::max(1, static_cast<int>(std::lround(length)));
    const float down = side.y1 < middle_y ? -height : 2 * height;
    const float right = (side.x1 + side.x2) / 2 < middle_x ? -1.F : 1.F;
    for (int i = 0; i <= steps; ++i) {
      const float at = static_cast<float>(i) / static_cast<float>(steps);
      out.push_back({side.x1 + at * (side.x2 - side.x1) + (flat ? 0 : right),
                     side.y1 + at * (side.y2 - side.y1) + (flat ? down : 0),
                     std::string(1, kSeatLetters[static_cast<std::size_t>(side.seat)]), side.seat});
    }
  }
  return out;
}

// A line of the picture: pieces of text at their columns.
class Line {
 public:
  void put(int column, const std::string& text, int width) {
    if (column < end_) return;  // no place left
    text_ += std::string(static_cast<std::size_t>(column - end_), ' ') + text;
    end_ = column + width;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  int end_ = 0;
};

std::string label_text(const Label& label, Colours colours) {
  if (colours == Colours::none || label.seat < 0) return label.text;
  return kSeatColours[static_cast<std::size_t>(label.seat)] + label.text + kReset;
}

// Cells and labels of the rows from above to below; a float of y is good enough as a key once it is
// rounded.
struct Row {
  std::vector<const DrawnCell*> cells;
  std::vector<Label> labels;
};

std::map<int, Row> rows_of(const Drawing& drawing) {
  const auto key = [](float y) { return static_cast<int>(std::lround(100 * y)); };
  std::map<int, Row> out;
  for (const auto& cell : drawing.cells) out[key(cell.y)].cells.push_back(&cell);
  for (const auto& label : column_labels(drawing)) out[key(label.y)].labels.push_back(label);
  for (const auto& label : side_labels(drawing)) out[key(label.y)].labels.push_back(label);
  return out;
}

}  // namespace

std::string board_text(const Drawing& drawing, Colours colours,
                       const std::vector<std::string>& marked) {
  auto rows = rows_of(drawing);
  float left = INFINITY;
  for (const auto& [y, row] : rows) {
    for (const auto* cell : row.cells) left = std::min(left, cell->x);
    for (const auto& label : row.labels) left = std::min(left, label.x);
  }
  std::string out;
  for (auto& [y, row] : rows) {
    std::map<int, std::pair<std::string, int>> pieces;  // column -> text, width
    const auto column = [&](float x) { return static_cast<int>(std::lround(2 * (x - left))); };
    for (const auto* cell : row.cells) {
      const bool mark = std::ranges::find(marked, cell->name) != marked.end();
      pieces[column(cell->x)] = {cell_text(*cell, mark, colours), 2};
    }
    for (const auto& label : row.labels) {
      int at = column(label.x);
      if (pieces.contains(at) && at == pieces.rbegin()->first) at += 2;  // beside another label
      pieces.try_emplace(at, label_text(label, colours), static_cast<int>(label.text.size()));
    }
    Line line;
    for (const auto& [at, piece] : pieces) line.put(at, piece.first, piece.second);
    std::string text = fmt::format("{:>3} ", row.cells.empty() ? "" : row_label(row.cells));
    text += line.text();
    out += text.substr(0, text.find_last_not_of(' ') + 1) + '\n';
  }
  for (const auto& note : drawing.notes) out += note + '\n';
  return out;
}

namespace {

// A piece lying down: its rows, each as long as the longest.
std::vector<std::string> lying(const std::string& rows) {
  std::vector<std::string> out = split(rows, '/');
  const std::size_t longest = std::ranges::max(out, {}, &std::string::size).size();
  for (auto& row : out) row.resize(longest, '.');
  if (out.size() <= out[0].size()) return out;
  std::vector<std::string> turned(out[0].size());
  for (std::size_t row = 0; row < turned.size(); ++row)
    for (auto line = out.rbegin(); line != out.rend(); ++line) turned[row] += (*line)[row];
  return turned;
}

// Pieces beside each other: their names, and below them their cells.
class Shelf {
 public:
  Shelf(char letter, std::size_t width) : letter_(letter), width_(width) {}

  void put(const DrawnPiece& piece) {
    const auto rows = lying(piece.rows);
    const std::size_t columns = std::max(2 * rows[0].size(), piece.name.size() + 1) + 1;
    if (end_ > 0 && end_ + columns > width_) new_board();
    add(0, piece.name);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      std::string cells;
      for (const char c : rows[row]) cells += {c == 'x' ? letter_ : ' ', ' '};
      add(row + 1, cells);
    }
    end_ += columns;
  }

  std::string text() {
    new_board();
    return out_;
  }

 private:
  void add(std::size_t line, const std::string& text) {
    if (lines_.size() <= line) lines_.resize(line + 1);
    lines_[line].resize(end_, ' ');
    lines_[line] += text;
  }

  void new_board() {
    for (const auto& line : lines_) out_ += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
    lines_.clear();
    end_ = 0;
  }

  char letter_;
  std::size_t width_, end_ = 0;
  std::vector<std::string> lines_;
  std::string out_;
};

}  // namespace

std::string pieces_text(const Drawing& drawing, int seat, std::size_t width) {
  Shelf shelf(kSeatLetters[static_cast<std::size_t>(seat)], width);
  for (const auto& piece : drawing.pieces)
    if (piece.seat == seat) shelf.put(piece);
  return shelf.text();
}

std::string seat_text(int seat, Colours colours) {
  const auto i = static_cast<std::size_t>(seat);
  if (colours == Colours::none) return fmt::format("seat {} ({})", seat + 1, kSeatLetters[i]);
  return fmt::format("{}seat {} ({}){}", kSeatColours[i], seat + 1, kSeatLetters[i], kReset);
}

}  // namespace polymax

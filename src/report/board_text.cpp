// Every cell becomes two columns of text, rows of hexagons shifted by half a cell, so that the
// shape of the board shows. Row numbers stand on the left where a row has one; letters of the
// lowest row below it.
#include "report/board_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

namespace polymax {

namespace {

constexpr std::array<const char*, 4> kSeatColours{"\033[1;36m", "\033[1;33m", "\033[1;35m",
                                                  "\033[1;32m"};
constexpr std::array<const char*, 4> kTints{"", "\033[48;5;235m", "\033[48;5;237m",
                                            "\033[48;5;239m"};
constexpr std::array<char, 4> kSeatLetters{'X', 'O', 'Z', 'Y'};  // without colour
constexpr const char* kDim = "\033[2m";
constexpr const char* kReset = "\033[0m";

// What stands on a cell, one letter: the owner's letter, or lower case of it for a special piece of
// nobody.
char letter(const DrawnCell& cell) {
  if (cell.owner >= 0 && cell.mark == 0) return kSeatLetters[static_cast<std::size_t>(cell.owner)];
  if (cell.mark != 0) return cell.mark;
  return '.';
}

std::string cell_text(const DrawnCell& cell, bool colour) {
  std::string body(1, letter(cell));
  // a second column: whose special piece it is without colour, or the covered piece
  char second = ' ';
  if (cell.under >= 0) second = kSeatLetters[static_cast<std::size_t>(cell.under)];
  if (!colour && cell.owner >= 0 && cell.mark != 0)
    second = kSeatLetters[static_cast<std::size_t>(cell.owner)];
  if (!colour) return body + second;
  std::string out = kTints[static_cast<std::size_t>(std::clamp(cell.tint, 0, 3))];
  out += cell.owner >= 0 ? kSeatColours[static_cast<std::size_t>(cell.owner)] : kDim;
  out += body + kReset;
  if (cell.under >= 0)
    return out + kSeatColours[static_cast<std::size_t>(cell.under)] + second + kReset;
  return out + kTints[static_cast<std::size_t>(std::clamp(cell.tint, 0, 3))] + second + kReset;
}

// The number in a cell's name, which all cells of a row share.
std::string row_label(const std::vector<const DrawnCell*>& row) {
  const auto number = [](const DrawnCell* cell) { return cell->name.substr(1); };
  for (const auto* cell : row)
    if (number(cell) != number(row[0])) return "";
  return number(row[0]);
}

std::string column_line(const std::vector<const DrawnCell*>& row, float left, int margin) {
  std::string out(static_cast<std::size_t>(margin), ' ');
  for (const auto* cell : row) {
    const auto at =
        static_cast<std::size_t>(margin + static_cast<int>(std::lround(2 * (cell->x - left))));
    if (out.size() < at) out.resize(at, ' ');
    out += cell->name[0];
  }
  return out;
}

}  // namespace

std::string board_text(const Drawing& drawing, bool colour) {
  constexpr int kMargin = 4;
  std::map<float, std::vector<const DrawnCell*>> rows;
  float left = INFINITY;
  for (const auto& cell : drawing.cells) {
    rows[cell.y].push_back(&cell);
    left = std::min(left, cell.x);
  }
  std::string out;
  for (auto& [y, row] : rows) {
    std::ranges::sort(row, {}, &DrawnCell::x);
    out += fmt::format("{:>3} ", row_label(row));
    int column = 0;
    for (const auto* cell : row) {
      const int at = static_cast<int>(std::lround(2 * (cell->x - left)));
      out += std::string(static_cast<std::size_t>(std::max(0, at - column)), ' ') +
             cell_text(*cell, colour);
      column = at + 2;
    }
    out += '\n';
  }
  if (!rows.empty()) out += column_line(rows.rbegin()->second, left, kMargin) + '\n';
  for (const auto& note : drawing.notes) out += note + '\n';
  return out;
}

std::string seat_text(int seat, bool colour) {
  const auto i = static_cast<std::size_t>(seat);
  if (!colour) return fmt::format("seat {} ({})", seat, kSeatLetters[i]);
  return fmt::format("{}seat {} ({}){}", kSeatColours[i], seat, kSeatLetters[i], kReset);
}

}  // namespace polymax

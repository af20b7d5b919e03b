#include "report/board_svg.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "core/scores.hpp"
#include "report/report_svg.hpp"

namespace polymax {

namespace {

// Seats' colours are told apart with every kind of colour vision; letters repeat what they say.
constexpr std::array<const char*, 4> kSeats{"#0072b2", "#e69f00", "#cc79a7", "#009e73"};
static_assert(kMaxPlayers <= kSeats.size());
constexpr std::array<const char*, 4> kTints{"#f4f1ea", "#e7e2d6", "#dad3c3", "#cdc4b0"};
constexpr double kMargin = 0.75, kNoteHeight = 0.8;  // in cells

const char* seat_colour(int seat) {
  return kSeats[static_cast<std::size_t>(seat) % kSeats.size()];
}

// The picture's coordinates: pixels from the corner of the board.
struct Frame {
  double left = 0, top = 0, right = 1, bottom = 1;  // of the centres, in cells
  double cell;

  Frame(const Drawing& drawing, double size) : cell(size) {
    if (drawing.cells.empty()) return;
    const auto [west, east] = std::ranges::minmax_element(drawing.cells, {}, &DrawnCell::x);
    const auto [north, south] = std::ranges::minmax_element(drawing.cells, {}, &DrawnCell::y);
    left = static_cast<double>(west->x);
    right = static_cast<double>(east->x);
    top = static_cast<double>(north->y);
    bottom = static_cast<double>(south->y);
  }

  double x(float at) const { return (static_cast<double>(at) - left + kMargin) * cell; }
  double y(float at) const { return (static_cast<double>(at) - top + kMargin) * cell; }
  double width() const { return (right - left + 2 * kMargin) * cell; }
  double height() const { return (bottom - top + 2 * kMargin) * cell; }
};

std::string outline(CellShape shape, double x, double y, double cell, const char* fill) {
  const std::string style = fmt::format("fill=\"{}\" stroke=\"#8a8371\" stroke-width=\"1\"", fill);
  if (shape == CellShape::square)
    return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" {}/>",
                       x - cell / 2, y - cell / 2, cell, cell, style);
  std::string points;
  const double radius = cell / std::numbers::sqrt3;
  for (int i = 0; i < 6; ++i) {
    const double angle = std::numbers::pi * (2 * i + 1) / 6;
    points += fmt::format("{}{:.1f},{:.1f}", i == 0 ? "" : " ", x + radius * std::cos(angle),
                          y + radius * std::sin(angle));
  }
  return fmt::format("<polygon points=\"{}\" {}/>", points, style);
}

std::string piece(double x, double y, double radius, int seat) {
  return fmt::format(
      "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"{}\" stroke=\"#333\"/>", x, y,
      radius, seat_colour(seat));
}

std::string letter(double x, double y, double cell, const std::string& text, const char* fill) {
  return fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:.1f}\" text-anchor=\"middle\" "
      "dominant-baseline=\"central\" font-family=\"sans-serif\" fill=\"{}\">{}</text>",
      x, y, cell / 2, fill, report::escape_html(text));
}

std::string cell_svg(const DrawnCell& cell, CellShape shape, const Frame& frame) {
  if (cell.mark == ' ') return "";  // a hole
  const double x = frame.x(cell.x), y = frame.y(cell.y), size = frame.cell;
  const auto tint = static_cast<std::size_t>(std::max(0, cell.tint)) % kTints.size();
  std::string out =
      fmt::format("<g data-cell=\"{0}\"><title>{0}</title>", report::escape_html(cell.name));
  out += outline(shape, x, y, size, kTints[tint]);
  if (cell.under >= 0) out += piece(x, y, 0.46 * size, cell.under);
  if (cell.owner >= 0) out += piece(x, y, (cell.under >= 0 ? 0.28 : 0.38) * size, cell.owner);
  if (cell.mark != 0)
    out += letter(x, y, size, std::string(1, cell.mark), cell.owner >= 0 ? "#fff" : "#333");
  return out + "</g>\n";
}

// A side that a seat wants to reach, moved out of the board.
std::string side_svg(const DrawnSide& side, const Frame& frame) {
  const double x1 = frame.x(side.x1), y1 = frame.y(side.y1), x2 = frame.x(side.x2),
               y2 = frame.y(side.y2);
  const double out_x = (x1 + x2) / 2 - frame.width() / 2,
               out_y = (y1 + y2) / 2 - frame.height() / 2;
  const double length = std::max(1.0, std::hypot(out_x, out_y)), by = 0.62 * frame.cell;
  const double dx = by * out_x / length, dy = by * out_y / length;
  return fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" "
      "stroke-width=\"{:.1f}\" stroke-linecap=\"round\"/>\n",
      x1 + dx, y1 + dy, x2 + dx, y2 + dy, seat_colour(side.seat), 0.14 * frame.cell);
}

}  // namespace

std::string board_svg(const Drawing& drawing, double cell) {
  const Frame frame(drawing, cell);
  const double board = drawing.cells.empty() ? 0 : frame.height();
  double width = drawing.cells.empty() ? 0 : frame.width();
  for (const auto& note : drawing.notes)
    width = std::max(width, static_cast<double>(note.size() + 2) * cell * 0.3);
  const double height =
      board + static_cast<double>(drawing.notes.size()) * kNoteHeight * cell + kMargin * cell / 2;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\">\n",
      std::ceil(std::max(width, cell)), std::ceil(height));
  for (const auto& side : drawing.sides) out += side_svg(side, frame);
  for (const auto& drawn : drawing.cells) out += cell_svg(drawn, drawing.shape, frame);
  double y = board + kNoteHeight * cell / 2;
  for (const auto& note : drawing.notes) {
    out += fmt::format(
        "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:.1f}\" font-family=\"sans-serif\" "
        "fill=\"#333\">{}</text>\n",
        kMargin * cell / 2, y, cell / 2, report::escape_html(note));
    y += kNoteHeight * cell;
  }
  return out + "</svg>\n";
}

}  // namespace polymax

// Positions as pictures: every cell once with its name, nothing that breaks the markup.
#include "report/board_svg.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/count.hpp"

namespace polymax::board_svg_test {
namespace {

TEST(board_svg, DrawsEveryCell) {
  Drawing drawing;
  drawing.notes = {"phase <1> & \"2\""};
  drawing.sides.push_back({1, 0, 0, 3, 0});
  drawing.cells.push_back({.name = "a1", .x = 0, .y = 0, .owner = 1});
  drawing.cells.push_back({.name = "b1", .x = 1, .y = 0, .owner = 0, .under = 2});
  drawing.cells.push_back({.name = "c1", .x = 2, .y = 0, .mark = '#'});
  drawing.cells.push_back({.name = "d1", .x = 3, .y = 0, .mark = ' '});
  const std::string picture = board_svg(drawing, 20);
  EXPECT_EQ(count(picture, "<rect"), 3u) << "a hole is not drawn";
  EXPECT_EQ(count(picture, "<circle"), 3u) << "a covered piece shows";
  EXPECT_EQ(count(picture, "<line"), 1u) << "a side to be reached";
  EXPECT_EQ(count(picture, "data-cell=\"b1\""), 1u);
  EXPECT_NE(picture.find("phase &lt;1&gt; &amp; &quot;2&quot;"), std::string::npos);
  EXPECT_NE(picture.find("width=\"102\""), std::string::npos) << "the note is wider than the board";
}

TEST(board_svg, HexagonsAreHexagons) {
  Drawing drawing;
  drawing.shape = CellShape::hexagon;
  drawing.cells.push_back({.name = "a1"});
  const std::string picture = board_svg(drawing);
  EXPECT_EQ(count(picture, "<polygon"), 1u);
  EXPECT_EQ(count(picture, ","), 6u) << "six corners";
}

TEST(board_svg, ADrawingWithoutCellsIsItsNotes) {
  Drawing drawing;
  drawing.notes = {"(1, 2, 3)", "seat 1"};
  const std::string picture = board_svg(drawing);
  EXPECT_EQ(count(picture, "<text"), 2u);
  EXPECT_EQ(count(picture, "nan") + count(picture, "inf"), 0u);
}

}  // namespace
}  // namespace polymax::board_svg_test

#include "report/board_text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "catalog/catalog.hpp"

namespace polymax {
namespace {

std::string letters_of(const std::string& name) {
  return name.substr(0, name.find_first_of("0123456789"));
}

TEST(board_text, LabelsStandBelowASquareBoard) {
  const auto match = catalog::open_game("tictactoe")->start(0);
  EXPECT_EQ(board_text(match->draw(), false), "  3 . . .\n  2 . . .\n  1 . . .\n    a b c\n");
  match->play("b2");
  EXPECT_EQ(board_text(match->draw(), false, {"b2"}),
            "  3 . . .\n  2 . X*.\n  1 . . .\n    a b c\n");
}

TEST(board_text, EveryColumnOfEveryGameIsLabelled) {
  for (const auto& entry : catalog::games()) {
    const auto game = catalog::open_game(entry.entry.name);
    const auto drawing = game->start(0)->draw();
    std::set<std::string> letters;
    for (const auto& cell : drawing.cells) letters.insert(letters_of(cell.name));
    Drawing blank = drawing;
    blank.notes.clear();
    for (auto& cell : blank.cells) cell.owner = cell.under = -1, cell.mark = '.';
    const std::string text = board_text(blank, false);
    for (const auto& letter : letters)
      EXPECT_NE(text.find(letter), std::string::npos) << entry.entry.name << " " << letter << "\n"
                                                      << text;
  }
}

TEST(board_text, EverySideOfAHexagonShowsItsSeat) {
  const auto match = catalog::open_game("hex3(side=3)")->start(0);
  const std::string text = board_text(match->draw(), false);
  for (const char seat : {'X', 'O', 'Z'})
    EXPECT_GE(std::ranges::count(text, seat), 5) << "two sides, corners are shared\n" << text;
}

TEST(board_text, SeatsCountFromOne) {
  EXPECT_EQ(seat_text(0, false), "seat 1 (X)");
  EXPECT_NE(seat_text(3, true).find("seat 4 (Y)"), std::string::npos);
}

}  // namespace
}  // namespace polymax

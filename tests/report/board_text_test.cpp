#include "report/board_text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "catalog/catalog.hpp"

namespace polymax::board_text_test {
namespace {

std::string letters_of(const std::string& name) {
  return name.substr(0, name.find_first_of("0123456789"));
}

TEST(board_text, LabelsStandBelowASquareBoard) {
  const auto match = catalog::open_game("tictactoe")->start(0);
  EXPECT_EQ(board_text(match->draw(), Colours::none),
            "  3 . . .\n  2 . . .\n  1 . . .\n    a b c\n");
  match->play("b2");
  EXPECT_EQ(board_text(match->draw(), Colours::none, {"b2"}),
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
    const std::string text = board_text(blank, Colours::none);
    for (const auto& letter : letters)
      EXPECT_NE(text.find(letter), std::string::npos) << entry.entry.name << " " << letter << "\n"
                                                      << text;
  }
}

TEST(board_text, EverySideOfAHexagonShowsItsSeat) {
  const auto match = catalog::open_game("hex3(side=3)")->start(0);
  const std::string text = board_text(match->draw(), Colours::none);
  for (const char seat : {'X', 'O', 'Z'})
    EXPECT_GE(std::ranges::count(text, seat), 5) << "two sides, corners are shared\n" << text;
}

TEST(board_text, ShowsWhereSeatsBeginAndTheirPieces) {
  const auto match = catalog::open_game("blokus")->start(0);
  const auto drawing = match->draw();
  const std::string text = board_text(drawing, Colours::none);
  EXPECT_NE(text.find(" 20 x . "), std::string::npos) << text;
  EXPECT_NE(text.find("  1 y . "), std::string::npos) << text;
  const std::string pieces = pieces_text(drawing, 1, 80);
  EXPECT_EQ(std::ranges::count(pieces, 'O'), 89 + 1) << "89 cells and the name of the square\n"
                                                     << pieces;
  std::size_t at = 0;
  for (auto end = pieces.find('\n'); end != std::string::npos; end = pieces.find('\n', at)) {
    EXPECT_LE(end - at, 80u) << pieces;
    at = end + 1;
  }
  match->play("a20");
  EXPECT_EQ(board_text(match->draw(), Colours::none).find(" 20 x"), std::string::npos);
  EXPECT_EQ(pieces_text(catalog::open_game("hex3")->start(0)->draw(), 0, 80), "");
  Drawing one;
  one.pieces = {{0, "L5", "x/x/x/xx"}, {1, "X", "x"}};
  EXPECT_EQ(pieces_text(one, 0, 80), "L5\nX X X X\nX\n") << "lying, and of one seat";
}

TEST(board_text, SeatsCountFromOne) {
  EXPECT_EQ(seat_text(0, Colours::none), "seat 1 (X)");
  EXPECT_NE(seat_text(3, Colours::terminal).find("seat 4 (Y)"), std::string::npos);
}

}  // namespace
}  // namespace polymax::board_text_test

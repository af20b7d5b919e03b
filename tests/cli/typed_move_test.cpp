#include "cli/typed_move.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace polymax::cli::typed_move_test {
namespace {

const std::vector<std::string> kLegal{"a1-b1-b2", "a1-b1", "c3", "d4-a1-e5", "a1-d4-e5"};

TEST(typed_move, CellsInAnyOrderWithBlanksAndCapitals) {
  EXPECT_EQ(typed_move(kLegal, "a1-b1-b2"), "a1-b1-b2");
  EXPECT_EQ(typed_move(kLegal, "B2 a1 b1"), "a1-b1-b2");
  EXPECT_EQ(typed_move(kLegal, " b2, B1,a1 "), "a1-b1-b2");
  EXPECT_EQ(typed_move(kLegal, "C3"), "c3");
  EXPECT_EQ(typed_move(kLegal, "b2"), "a1-b1-b2") << "no other move has it";
  EXPECT_EQ(typed_move(kLegal, "b1 a1"), "a1-b1") << "all its cells, before some of them";
  EXPECT_EQ(typed_move(kLegal, "d4"), "d4-a1-e5") << "a beginning, before cells anywhere";
  EXPECT_EQ(typed_move(kLegal, "d4 a1 e5"), "d4-a1-e5") << "as named, before any order";
}

TEST(typed_move, RefusesWhatIsNoneOrSeveral) {
  for (const char* typed : {"z9", "", "-", "a1 b1 b2 c3", "e5", "e5 d4 a1"})
    EXPECT_THROW(typed_move(kLegal, typed), Error) << typed;
}

TEST(typed_move, ListsMovesInColumns) {
  EXPECT_EQ(moves_with(kLegal, "E5"), (std::vector<std::string>{"d4-a1-e5", "a1-d4-e5"}));
  EXPECT_EQ(moves_with(kLegal, "").size(), 5u);
  EXPECT_EQ(in_columns({"a", "bb", "c"}, 8), "a   bb\nc\n");
  EXPECT_EQ(in_columns({"abcdef"}, 3), "abcdef\n");
}

TEST(typed_move, CompletesCells) {
  const auto words = [](const std::string& typed) { return move_completion(kLegal, typed).words; };
  using Words = std::vector<std::string>;
  EXPECT_EQ(words(""), (Words{"a1", "c3", "d4"})) << "the first cells of moves";
  EXPECT_EQ(words("D"), (Words{"d4-"})) << "no move ends there";
  EXPECT_EQ(words("c"), (Words{"c3"}));
  EXPECT_EQ(words("a1-b1"), (Words{"b1"})) << "a1-b1 is a move, and another goes on";
  EXPECT_EQ(words("a1 B"), (Words{"b1"}));
  EXPECT_EQ(words("a1-b1-"), (Words{"b2"}));
  EXPECT_EQ(words("e5 "), (Words{"a1", "d4"})) << "in any order where none begins so";
  EXPECT_EQ(words("z"), Words{});
  EXPECT_EQ(words("b2 c3 "), Words{});
  EXPECT_EQ(move_completion(kLegal, "a1, b").from, 4u);
}

}  // namespace
}  // namespace polymax::cli::typed_move_test

#include "cli/typed_move.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace polymax::cli {
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

}  // namespace
}  // namespace polymax::cli

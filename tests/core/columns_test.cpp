#include "core/columns.hpp"

#include <gtest/gtest.h>

namespace polymax::columns_test {
namespace {

TEST(columns, CountCharactersNotBytes) {
  EXPECT_EQ(columns_of(""), 0u);
  EXPECT_EQ(columns_of("abc"), 3u);
  EXPECT_EQ(columns_of("± 5 …"), 5u);
}

TEST(columns, ALongTextIsCutWithAnEllipsis) {
  EXPECT_EQ(cut_to("abcdef", 6), "abcdef");
  EXPECT_EQ(cut_to("abcdef", 4), "abc…");
  EXPECT_EQ(cut_to("ä±ü", 3), "ä±ü");
  EXPECT_EQ(cut_to("ä±üö", 3), "ä±…");
  EXPECT_EQ(cut_to("abc", 1), "…");
  EXPECT_EQ(cut_to("abc", 0), "");
}

}  // namespace
}  // namespace polymax::columns_test

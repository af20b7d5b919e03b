#include "core/lists.hpp"

#include <gtest/gtest.h>

#include <set>

namespace polymax::lists_test {
namespace {

using Texts = std::vector<std::string>;

TEST(lists, AreJoined) {
  EXPECT_EQ(joined(Texts{}, ", "), "");
  EXPECT_EQ(joined(Texts{"a"}, ", "), "a");
  EXPECT_EQ(joined(std::set<std::string_view>{"b", "a"}, " | "), "a | b");
  EXPECT_EQ(joined(Texts{"", "a", ""}, ","), ",a,") << "an empty text is one of the list";
}

TEST(lists, AreSplit) {
  EXPECT_EQ(split("", ','), Texts{""});
  EXPECT_EQ(split("a-b--c", '-'), (Texts{"a", "b", "", "c"}));
  EXPECT_EQ(joined(split(",a,", ','), ","), ",a,");
}

}  // namespace
}  // namespace polymax::lists_test

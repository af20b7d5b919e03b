// The list of moves, the shape of planes, and what the concept Plain lets through.
#include "core/game.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/rng.hpp"

namespace polymax::game_test {
namespace {

template <class T>
std::vector<T> items(const List<T>& list) {
  return {list.begin(), list.end()};
}

TEST(list, BeginsEmpty) {
  List<int> list;
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(list.size(), 0u);
  EXPECT_EQ(list.begin(), list.end());
  EXPECT_TRUE(list.span().empty());
}

TEST(list, AgreesWithAVector) {
  Rng rng(1);
  List<int> list;
  std::vector<int> wanted;
  for (int i = 0; i < 20000; ++i) {
    const auto what = rng.below(1000);
    if (what == 0) {
      list.clear();
      wanted.clear();
    } else if (what < 600) {
      list.push_back(i);
      wanted.push_back(i);
    } else {
      const auto asked = rng.below(100), used = rng.below(asked + 1);
      int* to = list.room(asked);
      for (std::uint32_t k = 0; k < used; ++k) {
        *to++ = i;
        wanted.push_back(i);
      }
      list.wrote(to);
    }
    ASSERT_EQ(list.size(), wanted.size());
    if (!wanted.empty()) {
      ASSERT_EQ(list[wanted.size() - 1], wanted.back());
    }
  }
  EXPECT_EQ(items(list), wanted);
  EXPECT_EQ(std::vector<int>(list.span().begin(), list.span().end()), wanted);
  EXPECT_EQ(list.empty(), wanted.empty());
}

TEST(list, KeepsItsMemory) {
  List<int> list;
  for (int i = 0; i < 1000; ++i) list.push_back(i);
  const int* before = list.begin();
  list.clear();
  EXPECT_TRUE(list.empty());
  for (int i = 0; i < 1000; ++i) list.push_back(2 * i);
  EXPECT_EQ(list.begin(), before);
  EXPECT_EQ(list[999], 1998);
}

TEST(list, RoomForNothing) {
  List<int> list;
  list.wrote(list.room(0));
  EXPECT_TRUE(list.empty());
}

TEST(list, AListMovedFromIsEmptyAndUsable) {
  List<int> list;
  list.push_back(1);
  List<int> other = std::move(list);
  EXPECT_EQ(items(other), std::vector{1});
  EXPECT_TRUE(list.empty());  // NOLINT: that it may be used again is what is tested
  list.push_back(2);
  EXPECT_EQ(items(list), std::vector{2});
  list = std::move(other);
  EXPECT_EQ(items(list), std::vector{1});
  EXPECT_TRUE(other.empty());
}

TEST(planes, BeginAtNewWords) {
  constexpr PlaneShape kSmall{4, 3, 3}, kExact{2, 8, 8}, kOver{3, 5, 13}, kLarge{10, 20, 20};
  EXPECT_EQ(kSmall.words_per_plane(), 1);
  EXPECT_EQ(kSmall.words(), 4);
  EXPECT_EQ(kExact.words_per_plane(), 1);
  EXPECT_EQ(kOver.words_per_plane(), 2);
  EXPECT_EQ(kOver.words(), 6);
  EXPECT_EQ(kLarge.cells(), 400);
  EXPECT_EQ(kLarge.words(), 70);
}

struct WithPointer {
  std::string text;
  friend bool operator==(const WithPointer&, const WithPointer&) = default;
};
struct WithoutEquality {
  int x = 0;
};
static_assert(Plain<int>);
static_assert(!Plain<WithPointer>, "copied as bytes");
static_assert(!Plain<WithoutEquality>);

}  // namespace
}  // namespace polymax::game_test

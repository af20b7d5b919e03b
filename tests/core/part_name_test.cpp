#include "core/part_name.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace polymax::part_name_test {
namespace {

TEST(part_name, IsRead) {
  const PartName part = parse_part("2/8", "shard");
  EXPECT_EQ(part.index, 2);
  EXPECT_EQ(part.count, 8);
  EXPECT_EQ(part.file_stem(), "2-of-8");
  EXPECT_TRUE(part.owns(10));
  EXPECT_FALSE(part.owns(11));
  for (const char* wrong : {"", "2", "/", "1/", "/2", "2/2", "8/8", "-1/8", "1/0", "0/0", "a/b",
                            "1/2x", "1/2/3", " 1/2", "0/99999999999999999999"})
    EXPECT_THROW(parse_part(wrong, "shard"), Error) << wrong;
}

}  // namespace
}  // namespace polymax::part_name_test

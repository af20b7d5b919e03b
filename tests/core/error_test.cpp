#include "core/error.hpp"

#include <gtest/gtest.h>

#include <string>

namespace polymax::error_test {
namespace {

TEST(error, ANulThatAMessageQuotesDoesNotEndIt) {
  const Error error(std::string("no game 'a\0b' here", 18));
  EXPECT_STREQ(error.what(), "no game 'a b' here");
}

}  // namespace
}  // namespace polymax::error_test

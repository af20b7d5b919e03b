// Comments in files that people write end where the parser says that they end: keys behind them are
// seen.
#include "arena/json_source.hpp"

#include <gtest/gtest.h>

#include "tests/message_of.hpp"

namespace polymax::arena::json_source_test {
namespace {

std::string complaint(std::string_view text) {
  return message_of([&] { JsonSource("f", text).fail("b", "seen"); });
}

TEST(json_source, CommentsHideTheirText) {
  EXPECT_EQ(complaint("{\"a\": 1, // \"a\": 2\n\"b\": 3}"), "'f' line 2, key 'b': seen");
  EXPECT_EQ(complaint("{\"a\": 1, /* \"a\": 2\n*/ \"b\": 3}"), "'f' line 2, key 'b': seen");
  // the slash of its beginning does not end it
  EXPECT_EQ(complaint("{\"a\": 1, /*/ \"a\": 2\n/**/ \"b\": 3}"), "'f' line 2, key 'b': seen");
  EXPECT_EQ(complaint("{\"a\": 1, \"b\": 3 /*/ x */}"), "'f' line 1, key 'b': seen");
}

TEST(json_source, WhatFollowsACommentIsSeen) {
  const std::string twice = "'f' line 1: the key 'a' stands there a second time";
  EXPECT_EQ(complaint("{\"a\": 1, /**/ \"a\": 2}"), twice);
  for (const char end : {'\r', '\0'}) {  // these end a comment of one line too
    std::string text = "{\"a\": 1, // one";
    text += end;
    text += "\"a\": 2\n}";
    EXPECT_EQ(complaint(text), twice) << static_cast<int>(end);
  }
}

}  // namespace
}  // namespace polymax::arena::json_source_test

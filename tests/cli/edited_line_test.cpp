#include "cli/edited_line.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace polymax::cli::edited_line_test {
namespace {

// The line after these bytes; | stands where the cursor is.
std::string typed(EditedLine& line, const std::string& bytes) {
  Keys keys;
  for (const char byte : bytes) {  // a slow terminal: one byte at a time
    keys.add({&byte, 1});
    while (const auto key = keys.next()) line.take(*key);
  }
  std::string out = line.text();
  return out.insert(line.cursor(), "|");
}

std::string typed(const std::string& bytes) {
  EditedLine line;
  return typed(line, bytes);
}

TEST(edited_line, KeysOfALineEditor) {
  EXPECT_EQ(typed("abc"), "abc|");
  EXPECT_EQ(typed("abc\x01x"), "x|abc") << "Ctrl-A";
  EXPECT_EQ(typed("abc\x01\x05x"), "abcx|") << "Ctrl-E";
  EXPECT_EQ(typed("abc\x02\x02\x0b"), "a|") << "Ctrl-B twice, Ctrl-K";
  EXPECT_EQ(typed("abc\x02\x15"), "|c") << "Ctrl-U";
  EXPECT_EQ(typed("abc\x02\x15\x05\x19"), "cab|") << "Ctrl-Y brings back what was cut";
  EXPECT_EQ(typed("a1 b2-c3\x17"), "a1 b2-|") << "Ctrl-W";
  EXPECT_EQ(typed("abc\x7f\x08"), "a|");
  EXPECT_EQ(typed("abc\x01\x04"), "|bc") << "Ctrl-D within a line";
  EXPECT_EQ(typed("\x7f\x02\x06\x0b"), "|") << "nothing to do";
}

TEST(edited_line, SequencesOfTerminals) {
  EXPECT_EQ(typed("abc\x1b[D\x1b[D\x1b[C"), "ab|c");
  EXPECT_EQ(typed("abc\x1bOD"), "ab|c") << "application mode";
  EXPECT_EQ(typed("abc\x1b[H"), "|abc");
  EXPECT_EQ(typed("abc\x1b[1~\x1b[3~"), "|bc") << "Home, Delete";
  EXPECT_EQ(typed("abc\x1b[H\x1b[F"), "abc|");
  EXPECT_EQ(typed("a1 b2\x1b[1;5D"), "a1 |b2") << "Ctrl and left";
  EXPECT_EQ(typed("a1 b2\x01\x1b[1;5C"), "a1| b2");
  EXPECT_EQ(typed("a1 b2\x1b"
                  "b\x1b"
                  "b\x1b"
                  "f"),
            "a1| b2")
      << "Alt-B, Alt-F";
  EXPECT_EQ(typed("ab\x1b[15~\x1b[Zc"), "abc|") << "keys without a meaning";
}

TEST(edited_line, AnEscapeAloneIsForgotten) {
  Keys keys;
  keys.add("\x1b");
  EXPECT_FALSE(keys.next());
  keys.settle();
  keys.add("[A");
  EXPECT_EQ(keys.next()->text, "[");
}

TEST(edited_line, CharactersOfSeveralBytes) {
  EXPECT_EQ(typed("ä€\x02"), "ä|€");
  EXPECT_EQ(typed("ä€\x7f"), "ä|");
  EXPECT_EQ(typed("\xff\xc3x\x80y"), "xy|") << "what is no UTF-8 is dropped";
  EditedLine line;
  typed(line, "äöü");
  EXPECT_EQ(line.view(80).column, 3u);
}

TEST(edited_line, TheHistoryComesBackAndTheLineOfNowIsKept) {
  EditedLine line;
  for (const char* text : {"one", "two", "two", "  "}) {
    typed(line, text);
    EXPECT_EQ(line.finish(), text);
  }
  EXPECT_EQ(typed(line, "new\x1b[A"), "two|");
  EXPECT_EQ(typed(line, "\x1b[A\x1b[A\x1b[A"), "one|") << "the oldest is the end";
  EXPECT_EQ(typed(line, "\x1b[B"), "two|");
  EXPECT_EQ(typed(line, "\x1b[B\x1b[B"), "new|");
  EXPECT_EQ(typed(line, "\x10!"), "two!|") << "an old line may be changed";
  EXPECT_EQ(line.finish(), "two!");
  EXPECT_EQ(typed(line, "\x10\x10"), "two|") << "and stays as it was";
}

TEST(edited_line, CompletesWhatAllWordsBeginWith) {
  EditedLine line;
  typed(line, "x A");
  EXPECT_TRUE(line.complete({2, {"abc", "abd"}}));
  EXPECT_EQ(line.text(), "x ab");
  EXPECT_FALSE(line.complete({2, {"abc", "abd"}})) << "nothing to add";
  EXPECT_TRUE(line.complete({2, {"abc-"}}));
  EXPECT_EQ(line.text(), "x abc-");
  EXPECT_TRUE(line.complete({6, {}})) << "nothing to show either";
}

TEST(edited_line, ALongLineShowsThePartAroundTheCursor) {
  EditedLine line;
  typed(line, "0123456789");
  EXPECT_EQ(line.view(5).text, "6789");
  EXPECT_EQ(line.view(5).column, 4u);
  typed(line, "\x01");
  EXPECT_EQ(line.view(5).text, "01234");
  EXPECT_EQ(line.view(5).column, 0u);
  EXPECT_EQ(line.view(80).text, "0123456789");
}

}  // namespace
}  // namespace polymax::cli::edited_line_test

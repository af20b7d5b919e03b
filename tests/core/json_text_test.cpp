#include "core/json_text.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace polymax::json_text_test {
namespace {

TEST(json_text, ValuesAreWrittenInOrder) {
  JsonObject out{{"b", 1}, {"a", "x"}, {"list", std::vector<int>{1, 2}}, {"none", nullptr}};
  out.add("inside", JsonObject{{"yes", true}}).add("real", 2.0).add("third", 1.0 / 3);
  EXPECT_EQ(out.text(),
            R"({"b":1,"a":"x","list":[1,2],"none":null,"inside":{"yes":true},"real":2.0,)"
            R"("third":0.3333333333333333})");
  EXPECT_EQ(JsonObject{}.text(), "{}");
  EXPECT_EQ(JsonValue(std::vector<JsonObject>{JsonObject{{"k", 1}}, {}}).text(), R"([{"k":1},{}])");
}

TEST(json_text, TextsStayOneLineOfValidUtf8) {
  EXPECT_EQ(JsonValue("a\"b\\c\nd\te\x01").text(), R"("a\"b\\c\nd\te\u0001")");
  EXPECT_EQ(JsonValue("ä€😀").text(), "\"ä€😀\"");
  EXPECT_EQ(JsonValue("a\xFF\xC3").text(), "\"a\uFFFD\uFFFD\"");
  EXPECT_EQ(JsonValue("\xED\xA0\x80").text(), "\"\uFFFD\uFFFD\uFFFD\"") << "half of a pair";
}

TEST(json_text, NumbersThatJsonDoesNotHave) {
  EXPECT_EQ(JsonValue(std::numeric_limits<double>::infinity()).text(), "null");
  EXPECT_EQ(JsonValue(std::numeric_limits<double>::quiet_NaN()).text(), "null");
  EXPECT_EQ(JsonValue(1e300).text(), "1e+300");
  EXPECT_EQ(exact_json((std::uint64_t{1} << 53) - 1).text(), "9007199254740991");
  EXPECT_EQ(exact_json(std::uint64_t{1} << 53).text(), "\"9007199254740992\"");
}

}  // namespace
}  // namespace polymax::json_text_test

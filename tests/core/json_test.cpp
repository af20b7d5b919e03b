#include "core/json.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/rng.hpp"

namespace polymax::json_test {
namespace {

using Oracle = nlohmann::ordered_json;

std::string error_of(const auto& call) {
  try {
    call();
  } catch (const JsonError& error) {
    return error.what();
  }
  return "no error";
}

TEST(json, ValuesAreWrittenInOrder) {
  Json out{{"b", 1}, {"a", "x"}, {"list", std::vector<int>{1, 2}}, {"none", nullptr}};
  out["inside"] = {{"yes", true}};
  out["real"] = 2.0;
  out["third"] = 1.0 / 3;
  EXPECT_EQ(out.dump(),
            R"({"b":1,"a":"x","list":[1,2],"none":null,"inside":{"yes":true},"real":2.0,)"
            R"("third":0.3333333333333333})");
  EXPECT_EQ(Json::object().dump(), "{}");
  EXPECT_EQ(Json::array({1, "a", Json{{"k", Json::array()}}}).dump(), R"([1,"a",{"k":[]}])");
  EXPECT_EQ(Json(std::vector<Json>{Json{{"k", 1}}, Json::object()}).dump(), R"([{"k":1},{}])");
  EXPECT_EQ((Json{{"a", Json::array({1, 2})}, {"b", Json::object()}}.dump(2)),
            "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": {}\n}");
}

TEST(json, TextsStayOneLineOfValidUtf8) {
  EXPECT_EQ(Json("a\"b\\c\nd\te\x01").dump(), R"("a\"b\\c\nd\te\u0001")");
  EXPECT_EQ(Json("ä€😀").dump(), "\"ä€😀\"");
  EXPECT_EQ(Json("a\xFF\xC3").dump(), "\"a\uFFFD\uFFFD\"");
  EXPECT_EQ(Json("\xED\xA0\x80").dump(), "\"\uFFFD\uFFFD\uFFFD\"") << "half of a pair";
}

TEST(json, NumbersThatJsonDoesNotHave) {
  EXPECT_EQ(Json(std::numeric_limits<double>::infinity()).dump(), "null");
  EXPECT_EQ(Json(std::numeric_limits<double>::quiet_NaN()).dump(), "null");
  EXPECT_EQ(Json(std::numeric_limits<float>::quiet_NaN()).dump(), "null");
  EXPECT_EQ(exact_number((std::uint64_t{1} << 53) - 1).dump(), "9007199254740991");
  EXPECT_EQ(exact_number(std::uint64_t{1} << 53).dump(), "\"9007199254740992\"");
  EXPECT_EQ(read_exact(exact_number(~std::uint64_t{0}), "seed"), ~std::uint64_t{0});
}

TEST(json, NumbersKeepTheirValue) {
  EXPECT_EQ(Json(INT64_MIN).dump(), "-9223372036854775808");
  EXPECT_EQ(Json(UINT64_MAX).dump(), "18446744073709551615");
  EXPECT_EQ(Json::parse("-9223372036854775808").get<std::int64_t>(), INT64_MIN);
  EXPECT_EQ(Json::parse("18446744073709551615").get<std::uint64_t>(), UINT64_MAX);
  EXPECT_EQ(Json(0.1f).dump(), "0.1");
  EXPECT_EQ(Json(0.1f).get<float>(), 0.1f);
  EXPECT_EQ(Json(-0.0).dump(), "-0.0");
  Rng rng(7);
  for (int i = 0; i < 20'000; ++i) {
    const auto value = std::bit_cast<double>(rng.next());
    if (!std::isfinite(value)) continue;
    const Json read = Json::parse(Json(value).dump());
    ASSERT_EQ(std::bit_cast<std::uint64_t>(read.get<double>()),
              std::bit_cast<std::uint64_t>(value));
    ASSERT_FALSE(read.is_integer()) << "a real number stays one";
  }
}

TEST(json, ReadersSayWhatTheyWanted) {
  const Json of = Json::parse(R"({"a":1,"b":-1,"c":300,"d":1.5,"e":"x","f":[1,2]})");
  EXPECT_EQ(of.at("a").get<int>(), 1);
  EXPECT_EQ(of.at("d").get<double>(), 1.5);
  EXPECT_EQ(of.at("b").get<double>(), -1);
  EXPECT_EQ(of.at("f").get<std::vector<int>>(), (std::vector<int>{1, 2}));
  EXPECT_EQ(of.value("e", "y"), "x");
  EXPECT_EQ(of.value("missing", "y"), "y");
  EXPECT_EQ(of.find("missing"), nullptr);
  EXPECT_NE(error_of([&] { of.at("missing"); }).find("'missing'"), std::string::npos);
  EXPECT_EQ(of.get<int>("c"), 300);
  for (const auto& error :
       {error_of([&] { of.get<int>("e"); }), error_of([&] { of.value("e", 1); })})
    EXPECT_NE(error.find("'e'"), std::string::npos) << error;
  EXPECT_NE(error_of([&] { of.at("b").get<unsigned>(); }), "no error");
  EXPECT_NE(error_of([&] { of.at("c").get<std::uint8_t>(); }), "no error");
  EXPECT_NE(error_of([&] { of.at("c").get<std::int8_t>(); }), "no error");
  EXPECT_NE(error_of([&] { of.at("d").get<int>(); }), "no error");
  EXPECT_EQ(Json(3.4e38).get<float>(), 3.4e38f);
  for (const double large : {3.5e38, -1e300})
    EXPECT_NE(error_of([&] { Json(large).get<float>(); }), "no error") << large;
  EXPECT_NE(error_of([&] { of.at("e").get<int>(); }), "no error");
  EXPECT_NE(error_of([&] { of.at("a").get<std::string>(); }), "no error");
  EXPECT_NE(error_of([&] { of.at("a").get<bool>(); }), "no error");
  EXPECT_NE(error_of([&] { of.at("e").get<std::vector<int>>(); }), "no error");
  EXPECT_NE(error_of([&] { of.at("f").at(2); }), "no error");
  EXPECT_NE(error_of([&] { Json(1)["key"] = 2; }), "no error");
}

TEST(json, WhatIsNoJsonIsRefusedWithItsPlace) {
  for (const char* text : {"", " ", "{", "[1,]", "{\"a\":}", "nul", "1 2", "\"\x01\"", "\"\xFF\"",
                           "01", "1e999", "{'a':1}", "[1] x", "// nothing\n1"})
    EXPECT_NE(error_of([&] { Json::parse(text); }), "no error") << text;
  try {
    Json::parse("[1,x]");
    FAIL();
  } catch (const JsonError& error) {
    EXPECT_EQ(error.at, 4u);
  }
  EXPECT_TRUE(Json::parse_or_null("[1,x]").is_null());
  EXPECT_EQ(Json::parse("[1, // one\n 2 /* two */]", Json::Comments::allowed).dump(), "[1,2]");
}

TEST(json, DepthIsBounded) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_EQ(Json::parse(nested(200)).dump(), nested(200));
  EXPECT_NE(error_of([&] { Json::parse(nested(201)); }).find("nested"), std::string::npos);
  EXPECT_NE(error_of([&] { Json::parse(std::string(1'000'000, '[')); }).find("nested"),
            std::string::npos);
}

TEST(json, OfAKeyThatStandsTwiceTheLastCounts) {
  EXPECT_EQ(Json::parse(R"({"a":1,"b":2,"a":3,"c":4,"b":5})").dump(), R"({"a":3,"b":5,"c":4})");
}

TEST(json, AKeyThatStandsTwiceCanBeRefused) {
  const auto read = [](const char* text) {
    return error_of([&] { Json::parse(text, Json::Comments::refused, Json::Twice::refused); });
  };
  EXPECT_NE(read(R"({"a":1,"b":[{"c":2,"c":2}]})").find("'c' stands twice"), std::string::npos);
  EXPECT_EQ(read(R"({"a":{"b":1},"b":1})"), "no error");
}

TEST(json, EqualWhateverTheOrder) {
  EXPECT_EQ(Json::parse(R"({"a":1,"b":[1,2.0]})"), Json::parse(R"({"b":[1.0,2],"a":1})"));
  EXPECT_FALSE(Json::parse(R"({"a":1})") == Json::parse(R"({"a":2})"));
  EXPECT_FALSE(Json::parse(R"({"a":1})") == Json::parse(R"({"b":1})"));
  EXPECT_FALSE(Json::parse("[1,2]") == Json::parse("[2,1]"));
  EXPECT_FALSE(Json("1") == Json(1));
  EXPECT_FALSE(Json(nullptr) == Json(false));
}

Oracle random_value(Rng& rng, int depth) {
  const auto kind = rng.next() % (depth > 0 ? 8 : 6);
  if (kind == 0) return nullptr;
  if (kind == 1) return rng.next() % 2 == 0;
  if (kind == 2) return static_cast<std::int64_t>(rng.next()) >> rng.next() % 64;
  // a few binary digits, which both write in the same way: the library is not always the shortest
  if (kind == 3) return static_cast<double>(rng.next() % 2'000'000) / 1024 - 1000;
  if (kind == 4) return rng.next() % 100;
  Oracle out;
  if (kind == 5) {
    std::string text;
    for (auto n = rng.next() % 8; n > 0; --n) text += "a\"\\/\n\t\r\b\fz\x03 "[rng.next() % 12];
    return text;
  }
  if (kind == 6) {
    out = Oracle::array();
    for (auto n = rng.next() % 4; n > 0; --n) out.push_back(random_value(rng, depth - 1));
    return out;
  }
  out = Oracle::object();
  for (auto n = rng.next() % 5; n > 0; --n)
    out[std::string(1, static_cast<char>('a' + rng.next() % 9))] = random_value(rng, depth - 1);
  return out;
}

// nlohmann's own values and writer say what is right.
TEST(json, WritesAndSortsAsTheLibrary) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    Rng rng(seed);
    const Oracle oracle = random_value(rng, 4);
    const Json own = Json::parse(oracle.dump());
    ASSERT_EQ(own.dump(), oracle.dump());
    ASSERT_EQ(own.dump(3), oracle.dump(3));
    ASSERT_EQ(own.sorted().dump(), nlohmann::json(oracle).dump());
    ASSERT_EQ(own, own.sorted());
  }
}

}  // namespace
}  // namespace polymax::json_test

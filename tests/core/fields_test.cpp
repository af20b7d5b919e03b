// Settings read from specs and written again: every kind, every message with its place.
#include "core/fields.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "tests/message_of.hpp"

namespace polymax::fields_test {
namespace {

enum class Colour { red, green, blue };

struct Settings {
  int count = 5, even = 4, odd = 3, third = 0, wide = 7;
  double rate = 0.25, share = 0.5, any = 0;
  bool fast = false;
  Colour colour = Colour::red;
  std::string label = "none", code;
  Spec eval = Spec::parse("zero");

  static bool is_code(std::string_view text) { return text.empty() || text[0] == 'x'; }
  static Fields fields() {
    constexpr int kLargest = std::numeric_limits<int>::max();
    constexpr double kNoBound = std::numeric_limits<double>::infinity();
    return {field("count", &Settings::count, "how many", 1, 9),
            field("even", &Settings::even, "an even one", 2, 20, 2),
            field("odd", &Settings::odd, "an odd one", 1, 9, 2),
            field("third", &Settings::third, "a multiple", 0, 9, 3),
            field("wide", &Settings::wide, "all positive numbers", -1, kLargest),
            field("rate", &Settings::rate, "a rate", 0, kNoBound),
            field("share", &Settings::share, "a share", 0, 1),
            field("any", &Settings::any, "anything", -kNoBound, kNoBound),
            field("fast", &Settings::fast, "a switch"),
            field("colour", &Settings::colour, "a choice",
                  std::array<std::string_view, 3>{"red", "green", "blue"}),
            field("label", &Settings::label, "a text"),
            field("code", &Settings::code, "a code", "nothing or x and more", &Settings::is_code),
            field("eval", &Settings::eval, "a spec", "an evaluator")};
  }
};

Settings read(const std::string& arguments) {
  return read_settings<Settings>(Spec::parse("thing(" + arguments + ")"));
}

std::string read_error(const std::string& arguments) {
  return message_of([&] { read(arguments); });
}

TEST(settings, EveryTypeIsRead) {
  EXPECT_EQ(read("").count, 5);
  EXPECT_EQ(read("count=9").count, 9);
  EXPECT_EQ(read("even=20").even, 20);
  EXPECT_EQ(read("third=6").third, 6);
  EXPECT_EQ(read("wide=-1").wide, -1);
  EXPECT_EQ(read("wide=2147483647").wide, std::numeric_limits<int>::max());
  EXPECT_EQ(read("rate=1e3").rate, 1000);
  EXPECT_EQ(read("rate=inf").rate, std::numeric_limits<double>::infinity());
  EXPECT_EQ(read("any=-0.125").any, -0.125);
  EXPECT_TRUE(read("fast=on").fast);
  EXPECT_FALSE(read("fast=off").fast);
  EXPECT_EQ(read("colour=blue").colour, Colour::blue);
  EXPECT_EQ(read("label=\"two words\"").label, "two words");
  EXPECT_EQ(read("label=\"\"").label, "");
  EXPECT_EQ(read("code=x1").code, "x1");
  EXPECT_EQ(read("eval=network(file=a)").eval.text(), "network(file=a)");
}

TEST(settings, WhatWasNotGivenKeepsItsDefault) {
  const Settings some = read("count=1,colour=green");
  EXPECT_EQ(some.count, 1);
  EXPECT_EQ(some.colour, Colour::green);
  EXPECT_EQ(some.even, 4);
  EXPECT_EQ(some.rate, 0.25);
  EXPECT_EQ(some.label, "none");
}

void expect_refused(const std::string& key, const std::string& value, const std::string& allowed) {
  const std::string at = std::to_string(8 + key.size());  // thing(key=value)
  EXPECT_EQ(read_error(key + "=" + value), key + "=" + value + " is not allowed: " + key +
                                               " takes " + allowed + " (character " + at +
                                               " of 'thing(" + key + "=" + value + ")')");
}

TEST(settings, BadValuesAreRefusedWithTheAllowedOnes) {
  for (const char* value : {"0", "10", "x", "5x", "+5", "5.0", "99999999999", "5(a=b)", "\"\""})
    expect_refused("count", value, "a whole number from 1 to 9");
  for (const char* value : {"3", "0", "22"})
    expect_refused("even", value, "an even number from 2 to 20");
  for (const char* value : {"2", "11"}) expect_refused("odd", value, "an odd number from 1 to 9");
  for (const char* value : {"1", "12"})
    expect_refused("third", value, "a whole number from 0 to 9 in steps of 3");
  for (const char* value : {"-2", "2147483648"})
    expect_refused("wide", value, "a whole number from -1 to 2147483647");
  for (const char* value : {"-1", "nan", "many", "1e999"})
    expect_refused("rate", value, "a number of at least 0");
  for (const char* value : {"1.01", "-0.1", "inf", "1(a=b)"})
    expect_refused("share", value, "a number from 0 to 1");
  for (const char* value : {"nan", "x"}) expect_refused("any", value, "a number");
  for (const char* value : {"true", "1", "on(a=b)"}) expect_refused("fast", value, "off | on");
  for (const char* value : {"yellow", "Red", "red(a=b)"})
    expect_refused("colour", value, "red | green | blue");
  expect_refused("label", "a(b=c)", "a text");
  for (const char* value : {"y", "x(a=b)"}) expect_refused("code", value, "nothing or x and more");
}

TEST(settings, UnknownKeysNameTheKnownOnes) {
  EXPECT_EQ(read_error("speed=1"),
            "'thing' has no setting 'speed'; it has count, even, odd, third, wide, rate, share, "
            "any, fast, colour, label, code, eval (character 7 of 'thing(speed=1)')");
  EXPECT_EQ(message_of([] { read_settings<NoSettings>(Spec::parse("t(a=1)")); }),
            "'t' has no setting 'a'; it has none (character 3 of 't(a=1)')");
  EXPECT_EQ(message_of([] { read_settings<NoSettings>(Spec::parse("t(a=1)"), {"points"}); }),
            "'t' has no setting 'a'; it has points (character 3 of 't(a=1)')");
  EXPECT_EQ(read_error("count=1,count=2"),
            "the key 'count' is given twice (character 15 of 'thing(count=1,count=2)')");
}

TEST(settings, SpecsMadeByProgramsHaveNoPlace) {
  Spec made = word("thing");
  made.arguments.push_back({"count", 0, word("99")});
  EXPECT_EQ(message_of([&] { read_settings<Settings>(made); }),
            "count=99 is not allowed: count takes a whole number from 1 to 9");
}

TEST(settings, WrittenSettingsAreTheDifferencesAndReadBackTheSame) {
  EXPECT_EQ(write_settings("thing", Settings{}).text(), "thing");
  for (const char* text :
       {"thing(count=1)", "thing(rate=0.1)", "thing(rate=inf)", "thing(any=-1e-30)",
        "thing(fast=on)", "thing(colour=blue)", "thing(label=\"\")", "thing(label=\"a \\\"b\\\"\")",
        "thing(eval=network(file=a,n=2))", "thing(count=2,even=6,share=1,code=x)"})
    EXPECT_EQ(write_settings("thing", read_settings<Settings>(Spec::parse(text))).text(), text);
  EXPECT_EQ(write_settings("thing", read("count=5,rate=0.25,label=none,eval=zero")).text(),
            "thing");
}

TEST(settings, AreDescribedInWords) {
  const auto all = describe_settings<Settings>();
  ASSERT_EQ(all.size(), 13u);
  EXPECT_EQ(all[0], (SettingInfo{"count", "how many", "a whole number from 1 to 9", "5"}));
  EXPECT_EQ(all[5], (SettingInfo{"rate", "a rate", "a number of at least 0", "0.25"}));
  EXPECT_EQ(all[8], (SettingInfo{"fast", "a switch", "off | on", "off"}));
  EXPECT_EQ(all[9], (SettingInfo{"colour", "a choice", "red | green | blue", "red"}));
  EXPECT_EQ(all[11], (SettingInfo{"code", "a code", "nothing or x and more", "\"\""}));
  EXPECT_EQ(all[12], (SettingInfo{"eval", "a spec", "an evaluator", "zero"}));
}

struct Lists {
  std::uint64_t seed = 1, games = 2;
  std::vector<std::string> players{"random"}, rows;
  std::vector<int> sizes;

  static Fields fields() {
    return {field("seed", &Lists::seed, "a seed"),
            field("games", &Lists::games, "a number of games", 1, 100),
            field("players", &Lists::players, "who plays"),
            field("rows", &Lists::rows, "the rows of a board", ';'),
            field("sizes", &Lists::sizes, "sizes of boards", 1, 9)};
  }
  friend bool operator==(const Lists&, const Lists&) = default;
};

const Field& field_of_lists(std::string_view key) {
  static const Fields fields = Lists::fields();
  return *std::ranges::find(fields, key, &Field::key);
}

Lists with_value(std::string_view key, const std::string& value) {
  Lists out;
  assign(field_of_lists(key), &out, word(value));
  return out;
}

void expect_no_value(std::string_view key, const std::string& value, const std::string& allowed) {
  const std::string message = message_of([&] { with_value(key, value); });
  EXPECT_NE(message.find(std::string(key) + " takes " + allowed), std::string::npos) << message;
}

using Texts = std::vector<std::string>;

TEST(settings, CountsHave64Bits) {
  EXPECT_EQ(with_value("seed", "0").seed, 0u);
  EXPECT_EQ(with_value("seed", "18446744073709551615").seed, ~std::uint64_t{0});
  EXPECT_EQ(with_value("games", "100").games, 100u);
  for (const char* value : {"18446744073709551616", "-1", "1.0", "1e3", ""})
    expect_no_value("seed", value, "a whole number from 0 to 2^64-1");
  for (const char* value : {"0", "101"})
    expect_no_value("games", value, "a whole number from 1 to 100");
}

TEST(settings, TextsAreJoined) {
  EXPECT_EQ(with_value("players", "mcts").players, Texts{"mcts"});
  EXPECT_EQ(with_value("players", " a, b\t,c").players, (Texts{"a", "b", "c"}));
  EXPECT_EQ(with_value("players", R"-(f(x="1,2"),g)-").players, (Texts{R"-(f(x="1,2"))-", "g"}));
  EXPECT_EQ(with_value("players", R"-("a\",b",c)-").players, (Texts{R"-("a\",b")-", "c"}));
  EXPECT_EQ(with_value("rows", "a,b;c").rows, (Texts{"a,b", "c"}));
  for (const char* value : {"", "a,", ",a", "a, ,b"})
    expect_no_value("players", value, "texts joined by ',', none of them empty");
  expect_no_value("rows", "a;;b", "texts joined by ';', none of them empty");
}

TEST(settings, IntegersAreJoined) {
  EXPECT_EQ(with_value("sizes", "3").sizes, std::vector{3});
  EXPECT_EQ(with_value("sizes", "9, 1").sizes, (std::vector{9, 1}));
  for (const char* value : {"0", "3,10", "3,x"})
    expect_no_value("sizes", value, "a whole number from 1 to 9");
  expect_no_value("sizes", "3,,4", "texts joined by ',', none of them empty");
}

TEST(settings, ListsAreSetAnewOrGoOn) {
  Lists lists;
  append(field_of_lists("players"), &lists, word("a,b"));
  EXPECT_EQ(lists.players, (Texts{"random", "a", "b"}));
  assign(field_of_lists("players"), &lists, word("c"));
  EXPECT_EQ(lists.players, Texts{"c"});
  append(field_of_lists("sizes"), &lists, word("1"));
  append(field_of_lists("sizes"), &lists, word("2,3"));
  EXPECT_EQ(lists.sizes, (std::vector{1, 2, 3}));
  const Lists before = lists;
  EXPECT_THROW(append(field_of_lists("sizes"), &lists, word("4,10")), Error);
  EXPECT_EQ(lists, before) << "all or nothing";
}

TEST(settings, ListsAreWrittenAndReadBackTheSame) {
  Lists lists;
  lists.seed = ~std::uint64_t{0};
  lists.players = {"mcts", "f(x=1)"};
  lists.rows = {"a", "b"};
  lists.sizes = {3, 5};
  const std::string text = write_settings("t", lists).text();
  EXPECT_EQ(text, R"-(t(seed=18446744073709551615,players="mcts,f(x=1)",rows=a;b,sizes="3,5"))-");
  EXPECT_EQ(read_settings<Lists>(Spec::parse(text)), lists);
  EXPECT_EQ(allowed(field_of_lists("seed")), "a whole number from 0 to 2^64-1");
  EXPECT_EQ(allowed(field_of_lists("rows")), "texts joined by ';'");
  EXPECT_EQ(allowed(field_of_lists("sizes")),
            "a whole number from 1 to 9, or several joined by ','");
}

}  // namespace
}  // namespace polymax::fields_test

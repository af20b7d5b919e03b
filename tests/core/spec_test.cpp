// The grammar of specs and the settings read from them: every message, with its place.
#include "core/spec.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "core/rng.hpp"
#include "tests/message_of.hpp"

namespace polymax::spec_test {
namespace {

std::string parse_error(const std::string& text) {
  return message_of([&] { Spec::parse(text); });
}

std::string canonical(const std::string& text) {
  return Spec::parse(text).text();
}

TEST(spec, ReadsNamesAndArguments) {
  const Spec spec = Spec::parse("unbounded_maxn(decision=safe,eval=network(file=a.safetensors))");
  EXPECT_EQ(spec.name, "unbounded_maxn");
  ASSERT_EQ(spec.arguments.size(), 2u);
  EXPECT_EQ(spec.arguments[0].key, "decision");
  EXPECT_EQ(spec.arguments[0].value.name, "safe");
  EXPECT_TRUE(spec.arguments[0].value.arguments.empty());
  const Spec& eval = spec.arguments[1].value;
  EXPECT_EQ(eval.name, "network");
  ASSERT_EQ(eval.arguments.size(), 1u);
  EXPECT_EQ(eval.arguments[0].key, "file");
  EXPECT_EQ(eval.arguments[0].value.name, "a.safetensors");
}

TEST(spec, KnowsWhereThingsAreWritten) {
  const Spec spec = Spec::parse(" a( bc = d(e=f))");
  EXPECT_EQ(spec.at, 1u);
  EXPECT_EQ(spec.arguments[0].at, 4u);
  EXPECT_EQ(spec.arguments[0].value.at, 9u);
  EXPECT_EQ(spec.arguments[0].value.arguments[0].at, 11u);
  EXPECT_EQ(*spec.arguments[0].value.arguments[0].value.source, " a( bc = d(e=f))");
}

TEST(spec, CanonicalTextHasNoBlanksAndFewQuotes) {
  EXPECT_EQ(canonical("hex"), "hex");
  EXPECT_EQ(canonical(" hex ( n\t=\n5 , points = depth ) "), "hex(n=5,points=depth)");
  EXPECT_EQ(canonical("hex()"), "hex");
  EXPECT_EQ(canonical("\"hex\"(\"n\"=\"5\")"), "hex(n=5)");
  EXPECT_EQ(canonical("f(file=\"a b\")"), "f(file=\"a b\")");
  EXPECT_EQ(canonical("f(file=\"\")"), "f(file=\"\")");
  EXPECT_EQ(canonical(R"(f(file="say \"x\" and \\"))"), R"(f(file="say \"x\" and \\"))");
  EXPECT_EQ(canonical(R"(f(file=C:\nets\a))"), R"(f(file=C:\nets\a))");
  EXPECT_EQ(canonical(R"("a,b(c)=d")"), R"("a,b(c)=d")");
}

TEST(spec, EqualityLooksAtWhatIsSaidAlone) {
  EXPECT_TRUE(Spec::parse("a(b=c)") == Spec::parse("  a ( b = \"c\" )"));
  EXPECT_FALSE(Spec::parse("a(b=c)") == Spec::parse("a(b=d)"));
  EXPECT_FALSE(Spec::parse("a(b=c)") == Spec::parse("a(d=c)"));
  EXPECT_FALSE(Spec::parse("a(b=c)") == Spec::parse("a"));
  EXPECT_FALSE(Spec::parse("a(b=c,d=e)") == Spec::parse("a(d=e,b=c)"));
}

TEST(spec, EveryMistakeIsNamedWithItsPlace) {
  EXPECT_EQ(parse_error(""), "the text ends where a name should stand (character 1 of '')");
  EXPECT_EQ(parse_error("  "), "the text ends where a name should stand (character 3 of '  ')");
  EXPECT_EQ(parse_error("(a=b)"), "a name should stand here (character 1 of '(a=b)')");
  EXPECT_EQ(parse_error("a(=b)"), "a key should stand here (character 3 of 'a(=b)')");
  EXPECT_EQ(parse_error("a("), "the text ends where a key should stand (character 3 of 'a(')");
  EXPECT_EQ(parse_error("a(b=c,)"), "a key should stand here (character 7 of 'a(b=c,)')");
  EXPECT_EQ(parse_error("a(b)"), "expected = after the key 'b' (character 4 of 'a(b)')");
  EXPECT_EQ(parse_error("a(b"), "expected = after the key 'b' (character 4 of 'a(b')");
  EXPECT_EQ(parse_error("a(b=)"), "a value should stand here (character 5 of 'a(b=)')");
  EXPECT_EQ(parse_error("a(b="),
            "the text ends where a value should stand (character 5 of 'a(b=')");
  EXPECT_EQ(parse_error("a(b=c"), "expected , or ) here (character 6 of 'a(b=c')");
  EXPECT_EQ(parse_error("a(b=c d=e)"), "expected , or ) here (character 7 of 'a(b=c d=e)')");
  EXPECT_EQ(parse_error("a(b=c,b=d)"), "the key 'b' is given twice (character 7 of 'a(b=c,b=d)')");
  EXPECT_EQ(parse_error("a b"), "unexpected 'b' after the end of the spec (character 3 of 'a b')");
  EXPECT_EQ(parse_error("a(b=c))"),
            "unexpected ')' after the end of the spec (character 7 of 'a(b=c))')");
  EXPECT_EQ(parse_error("\"a"), "missing closing \" (character 3 of '\"a')");
  EXPECT_EQ(parse_error("\"a\\"), "missing closing \" (character 4 of '\"a\\')");
}

TEST(spec, MessagesAreOneLine) {
  EXPECT_EQ(parse_error("a\n b"),
            "unexpected 'b' after the end of the spec (character 4 of 'a  b')");
  EXPECT_EQ(parse_error("a(\"k\r\n\"=1 2"),
            "expected , or ) here (character 11 of 'a(\"k  \"=1 2')");
}

std::string nested(std::size_t depth) {
  std::string out;
  for (std::size_t i = 0; i < depth; ++i) out += "n(k=";
  return out + "x" + std::string(depth, ')');
}

TEST(spec, NestingHasALimit) {
  EXPECT_EQ(canonical(nested(16)), nested(16));
  EXPECT_NE(parse_error(nested(17)).find("specs are nested too deeply (character 69 of "),
            std::string::npos);
  EXPECT_NE(parse_error(nested(100000)).find("specs are nested too deeply (character 69 of "),
            std::string::npos);
}

// ---- settings
// -------------------------------------------------------------------------------------------------------

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

// ---- random texts
// ---------------------------------------------------------------------------------------------------

// Parses; what can be parsed has a canonical text that means the same. Anything but Error would end
// the test.
bool survives(const std::string& text) {
  try {
    const Spec spec = Spec::parse(text);
    EXPECT_TRUE(Spec::parse(spec.text()) == spec) << text;
    EXPECT_EQ(Spec::parse(spec.text()).text(), spec.text()) << text;
    return true;
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    return false;
  }
}

TEST(spec, RandomBytesAreReadOrRefused) {
  Rng rng(1);
  for (int i = 0; i < 20000; ++i) {
    std::string text(rng.below(24), ' ');
    for (auto& c : text) c = static_cast<char>(rng.below(256));
    survives(text);
  }
}

TEST(spec, RandomTextsOfTheGrammarsOwnCharactersAreReadOrRefused) {
  const std::string letters = "ab()()==,,\"\\ \n";
  Rng rng(2);
  int read_well = 0;
  for (int i = 0; i < 40000; ++i) {
    std::string text(1 + rng.below(16), ' ');
    for (auto& c : text) c = letters[rng.below(static_cast<std::uint32_t>(letters.size()))];
    read_well += survives(text);
  }
  EXPECT_GT(read_well, 200);
}

std::string random_name(Rng& rng) {
  const std::string letters = "abc19_.-()=,\"\\ \n\t";
  std::string out(rng.below(5), ' ');
  for (auto& c : out) c = letters[rng.below(static_cast<std::uint32_t>(letters.size()))];
  return out;
}

Spec random_spec(Rng& rng, int depth) {
  Spec out = word(random_name(rng));
  const auto count = depth == 0 ? 0 : rng.below(4);
  for (std::uint32_t i = 0; i < count; ++i)
    out.arguments.push_back({std::to_string(i) + random_name(rng), 0, random_spec(rng, depth - 1)});
  return out;
}

TEST(spec, EverySpecComesBackFromItsText) {
  Rng rng(3);
  for (int i = 0; i < 3000; ++i) {
    const Spec made = random_spec(rng, 4);
    EXPECT_TRUE(Spec::parse(made.text()) == made) << made.text();
  }
}

// A good spec with a few bytes changed, dropped or doubled.
TEST(spec, DamagedSpecsAreReadOrRefused) {
  const std::string good =
      "unbounded_maxn(decision=safe,eval=network(file=\"a \\\"b\\\".safetensors\",n=2))";
  Rng rng(4);
  int refused = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = good;
    for (std::uint32_t k = 0; k <= rng.below(3); ++k) {
      const auto at = rng.below(static_cast<std::uint32_t>(text.size()));
      switch (rng.below(3)) {
        case 0:
          text[at] = static_cast<char>(rng.below(256));
          break;
        case 1:
          text.erase(at, 1);
          break;
        default:
          text.insert(at, 1, text[at]);
      }
    }
    refused += !survives(text);
  }
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace polymax::spec_test

// The grammar of specs: every message, with its place.
#include "core/spec.hpp"

#include <gtest/gtest.h>

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

// Fuzzing without clang: every reader is fed its kept corpus and seeded mutations of it. Files of
// the corpus whose name begins with valid_ must be accepted, all others refused.
#include <gtest/gtest.h>

#include <filesystem>
#include <vector>

#include "core/file.hpp"
#include "core/rng.hpp"
#include "tests/fuzz/protocol_readers.hpp"
#include "tests/long_tests.hpp"

namespace polymax::fuzz::corpus_test {
namespace {

struct Input {
  std::string name, bytes;
};

std::vector<Input> corpus_of(const Reader& reader) {
  std::vector<Input> out;
  const auto folder = std::filesystem::path(POLYMAX_SOURCE_DIR) / "tests/fuzz/corpus" / reader.name;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    out.push_back({entry.path().filename().string(), read_file(entry.path().string())});
  std::ranges::sort(out, {}, &Input::name);
  return out;
}

// One change such as damage and clumsy editing make: a byte set, bytes put in, cut out or doubled,
// a part of another.
std::string mutate_once(std::string bytes, const std::string& other, Rng& rng) {
  const auto below = [&](std::size_t n) {
    return static_cast<std::size_t>(rng.below(static_cast<std::uint32_t>(n)));
  };
  static constexpr std::string_view kPieces[]{"\"", "{", "}",  "[", "]", ",",    ":",  "(",
                                              ")",  "=", "\\", "0", "-", "1",    "9",  "e",
                                              ".",  " ", "a",  "/", "_", "null", "\n", "\x7f"};
  const std::size_t at = below(bytes.size() + 1),
                    length = below(std::min<std::size_t>(bytes.size() - at, 40) + 1);
  switch (rng.below(6)) {
    case 0:
      if (at < bytes.size()) bytes[at] = static_cast<char>(rng.next());
      break;
    case 1:
      bytes.insert(at, kPieces[below(std::size(kPieces))]);
      break;
    case 2:
      bytes.erase(at, length);
      break;
    case 3:
      bytes.insert(at, bytes.substr(at, length));
      break;
    case 4:
      bytes.insert(at, other.substr(below(other.size() + 1), below(40)));
      break;
    default:
      bytes.resize(at);
      break;
  }
  return bytes;
}

class Corpus : public ::testing::TestWithParam<Reader> {};

TEST_P(Corpus, IsAcceptedWhereItIsValid) {
  int valid = 0, all = 0;
  for (const auto& [name, bytes] : corpus_of(GetParam())) {
    const bool expected = name.starts_with("valid_");
    EXPECT_EQ(GetParam().feed(bytes), expected) << name;
    valid += expected;
    ++all;
  }
  EXPECT_GE(valid, 3);
  EXPECT_GE(all, 10);
}

TEST_P(Corpus, MutationsBreakNoPromise) {
  const auto inputs = corpus_of(GetParam());
  ASSERT_FALSE(inputs.empty());
  const std::string_view reader = GetParam().name;
  const bool is_slow = reader == "ugi" || reader == "gtp";  // every line of theirs is a command
  const int rounds = long_tests() ? 500'000 : is_slow ? 3'000 : 10'000;
  Rng rng(1);
  const auto any = [&]() -> const std::string& {
    return inputs[rng.below(static_cast<std::uint32_t>(inputs.size()))].bytes;
  };
  int accepted = 0;
  for (int i = 0; i < rounds; ++i) {
    std::string bytes = any();
    for (auto n = 1 + rng.below(4); n > 0; --n)
      bytes = GetParam().change(bytes, rng.below(16), [&](std::string part) {
        return mutate_once(std::move(part), any(), rng);
      });
    accepted += GetParam().feed(bytes);
  }
  EXPECT_GT(accepted, rounds / 1000) << "mutations must also reach what lies behind the checks";
}

INSTANTIATE_TEST_SUITE_P(readers, Corpus, ::testing::ValuesIn(kReaders),
                         [](const auto& reader) { return std::string(reader.param.name); });
INSTANTIATE_TEST_SUITE_P(protocol, Corpus, ::testing::ValuesIn(kProtocolReaders),
                         [](const auto& reader) { return std::string(reader.param.name); });

}  // namespace
}  // namespace polymax::fuzz::corpus_test

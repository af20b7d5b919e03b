// Move sequences and the signature against the numbers kept in tests/golden/.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "catalog/catalog.hpp"
#include "catalog/signature.hpp"

namespace polymax {
namespace {

// Lines of tests/golden/perft/<game>.txt: SPEC DEPTH COUNT.
TEST(golden, Perft) {
  int lines = 0;
  for (const auto& path :
       std::filesystem::directory_iterator(POLYMAX_SOURCE_DIR "/tests/golden/perft")) {
    std::ifstream file(path.path());
    std::string spec;
    int depth = 0;
    std::uint64_t count = 0;
    while (file >> spec >> depth >> count) {
      const auto game = catalog::open_game(spec);
      EXPECT_EQ(game->perft(*game->start(0), depth).sequences.back(), count)
          << spec << " depth " << depth;
      ++lines;
    }
    EXPECT_TRUE(file.eof()) << path.path() << ": a line is not SPEC DEPTH COUNT";
  }
  EXPECT_GT(lines, 0);
}

// A change of behaviour changes this number: say so in the commit and write down the new one.
TEST(golden, Signature) {
  std::ifstream file(POLYMAX_SOURCE_DIR "/tests/golden/signature.txt");
  std::uint64_t expected = 0;
  ASSERT_TRUE(file >> expected);
  EXPECT_EQ(catalog::signature_of(catalog::signature_lines()), expected)
      << "polymax bench signature --verbose shows the parts";
}

}  // namespace
}  // namespace polymax

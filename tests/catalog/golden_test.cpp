// Move sequences and the signature against the numbers kept in tests/golden/.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "catalog/catalog.hpp"
#include "catalog/signature.hpp"

namespace polymax::golden_test {
namespace {

// Lines of tests/golden/perft/<game>.txt: SPEC DEPTH COUNT. Every game has a file, every file a
// game.
TEST(golden, Perft) {
  const std::filesystem::path folder(POLYMAX_SOURCE_DIR "/tests/golden/perft");
  std::set<std::string> games, files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    files.insert(entry.path().filename().string());
  for (const auto& entry : catalog::games()) {
    const std::string& name = entry.entry.name;
    games.insert(name + ".txt");
    std::ifstream file(folder / (name + ".txt"));
    int lines = 0, depth = 0;
    std::uint64_t count = 0;
    for (std::string spec; file >> spec >> depth >> count; ++lines) {
      const auto game = catalog::open_game(spec);
      EXPECT_EQ(game->name(), name);
      EXPECT_EQ(game->perft(*game->start(0), depth).sequences.back(), count)
          << spec << " depth " << depth;
    }
    EXPECT_GT(lines, 0) << "no lines SPEC DEPTH COUNT in " << folder / (name + ".txt");
    EXPECT_TRUE(file.eof()) << name << ".txt: a line is not SPEC DEPTH COUNT";
  }
  EXPECT_EQ(files, games);
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
}  // namespace polymax::golden_test

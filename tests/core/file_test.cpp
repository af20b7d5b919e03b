// Files: their ends, growing ones, and ones that are held.
#include "core/file.hpp"

#include <gtest/gtest.h>

#include <string>

#include "core/error.hpp"
#include "tests/temporary_folder.hpp"

namespace polymax::file_test {
namespace {

TEST(file, TheTailIsWholeLinesOfItsLastBytes) {
  const TemporaryFolder folder;
  const std::string path = folder / "lines";
  const std::string text = "one\ntwo\nthree\n";
  write_file(path, text);
  EXPECT_EQ(read_file(path), text);
  for (std::size_t most = 0; most <= text.size() + 2; ++most) {
    std::string wanted = text;
    while (wanted.size() > most) wanted.erase(0, wanted.find('\n') + 1);
    EXPECT_EQ(read_tail(path, most), wanted) << most;
  }
  EXPECT_THROW(read_file(path, text.size() - 1), Error);
  EXPECT_THROW(read_tail(folder / "none", 9), Error);
}

TEST(file, GrowsAndIsCut) {
  const TemporaryFolder folder;
  const std::string path = folder / "growing";
  {
    GrowingFile file(path, "busy");
    EXPECT_EQ(file.size(), 0u);
    file.append("one\n");
    file.append("two\n");
    file.sync();
    EXPECT_EQ(file.size(), 8u);
    EXPECT_THROW(GrowingFile(path, "busy"), Error) << "one process, and one object, at a time";
    file.cut(4);
  }
  GrowingFile again(path, "busy");
  EXPECT_EQ(again.size(), 4u);
  again.append("three\n");
  EXPECT_EQ(read_file(path), "one\nthree\n");
}

TEST(file, IsHeldByOne) {
  const TemporaryFolder folder;
  const std::string path = folder / "held";
  {
    const Held first(path, "busy");
    EXPECT_THROW(Held(path, "busy"), Error);
  }
  const Held second(path, "busy");
}

}  // namespace
}  // namespace polymax::file_test

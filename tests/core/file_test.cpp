// Files: their ends, growing ones, and ones that are held.
#include "core/file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "core/error.hpp"
#include "tests/message_of.hpp"
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

TEST(file, LinksAreFollowedAndStay) {
  namespace fs = std::filesystem;
  const TemporaryFolder folder;
  make_folder(folder / "below");
  write_file(folder / "below/file", "old");
  fs::create_symlink("below/file", folder / "near");
  fs::create_symlink(folder / "near", folder / "far");
  fs::create_symlink("below/new", folder / "nothing");
  fs::create_symlink("loop", folder / "loop");
  write_file(folder / "far", "new");
  write_file(folder / "nothing", "made");
  for (const char* link : {"near", "far", "nothing"})
    EXPECT_TRUE(fs::is_symlink(folder / link)) << link;
  EXPECT_FALSE(fs::is_symlink(folder / "below/file"));
  EXPECT_EQ(read_file(folder / "below/file"), "new");
  EXPECT_EQ(read_file(folder / "below/new"), "made");
  EXPECT_THROW(write_file(folder / "loop", "x"), Error);
  EXPECT_EQ(files_in(folder / "").size(), 5u) << "nothing is left beside them";
  EXPECT_EQ(files_in(folder / "below").size(), 2u);
}

TEST(file, WhatIsNoFileIsNotReplaced) {
  const TemporaryFolder folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::filesystem::create_symlink("pipe", folder / "link");
  for (const char* name : {"pipe", "link"}) {
    const std::string said = message_of([&] { write_file(folder / name, "x"); });
    EXPECT_NE(said.find("is a device, a pipe or a socket"), std::string::npos) << said;
  }
  EXPECT_THROW(write_file(folder / "", "x"), Error) << "a folder";
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
  EXPECT_EQ(files_in(folder / "").size(), 2u) << "nothing was written beside it";
}

TEST(file, FoldersAreMadeReadAndRemoved) {
  const TemporaryFolder folder;
  const std::string deep = folder / "a/b/c";
  EXPECT_FALSE(exists(deep));
  for (int i = 0; i < 2; ++i) make_folder(deep + "/");
  EXPECT_TRUE(exists(deep));
  write_file(deep + "/2", "two");
  write_file(deep + "/1", "one");
  make_folder(deep + "/3");
  const auto all = files_in(deep);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].name, "1");
  EXPECT_EQ(all[1].path, deep + "/2");
  EXPECT_FALSE(all[1].is_folder);
  EXPECT_TRUE(all[2].is_folder);
  for (int i = 0; i < 2; ++i) remove_file(all[0].path);
  remove_file(all[2].path);
  EXPECT_EQ(files_in(deep).size(), 1u);
  EXPECT_THROW(remove_file(deep), Error) << "it holds a file";
  EXPECT_THROW(files_in(folder / "none"), Error);
  EXPECT_THROW(make_folder(deep + "/2/d"), Error) << "a file is in the way";
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

// The launchers ./polymax and ./test: clear lines when something cannot be had. Nothing is
// installed or built here.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "tests/cli/process.hpp"

namespace polymax::launcher_test {
namespace {

const std::string kPrelude =
    "root=/nowhere; me=polymax; . '" POLYMAX_SOURCE_DIR "/cmake/launch.sh'; ";

Ran in_bash(const std::string& script) {
  return run_shell("bash -c \"" + script + "\"");
}

TEST(launcher, FindsCommandsAndHeaders) {
  EXPECT_EQ(in_bash(kPrelude + "need bash bash; need stdio.h libc6-dev; echo \\${#missing[@]}").out,
            "0\n");
  EXPECT_EQ(
      in_bash(kPrelude +
              "need no_such_command some-package; need no/such.hpp other-dev; echo \\${missing[*]}")
          .out,
      "some-package other-dev\n");
}

TEST(launcher, SaysWhatIsMissingWhereThereIsNoApt) {
  const Ran ran = in_bash(kPrelude + "missing=(some-package); PATH=/nonexistent; install_missing");
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.err.find("missing: some-package"), std::string::npos);
  EXPECT_NE(ran.err.find("no apt-get"), std::string::npos);
}

TEST(launcher, SaysWhenAPackageCannotBeHad) {
  const TemporaryFolder folder;
  std::ofstream(folder / "apt-get")
      << "#!/bin/sh\necho 'E: Unable to locate package some-package' >&2\nexit 100\n";
  std::ofstream(folder / "sudo") << "#!/bin/sh\nexec \"$@\"\n";
  std::filesystem::permissions(folder / "apt-get", std::filesystem::perms::owner_all);
  std::filesystem::permissions(folder / "sudo", std::filesystem::perms::owner_all);
  const Ran ran = in_bash(kPrelude + "missing=(some-package); PATH=" + (folder / "") +
                          ":\\$PATH; install_missing");
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.err.find("installing with apt: some-package"), std::string::npos);
  EXPECT_NE(ran.err.find("could not install some-package: E: Unable to locate package"),
            std::string::npos);
}

TEST(launcher, SaysWhenTheFolderCannotBeWritten) {
  const Ran ran = in_bash(
      "export HOME=/proc/none; unset XDG_CACHE_HOME; root=/proc/none; me=polymax; . "
      "'" POLYMAX_SOURCE_DIR "/cmake/launch.sh'; build release all");
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.err.find("cannot write to"), std::string::npos);
  EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
}

TEST(launcher, BuildsElsewhereWhenTheCloneMayNotBeWritten) {
  const TemporaryFolder folder;
  const Ran ran = in_bash("export XDG_CACHE_HOME=" + (folder / "cache") +
                          "; root=/proc/none; me=polymax; . '" POLYMAX_SOURCE_DIR
                          "/cmake/launch.sh'; build_folder release");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out.find(folder / "cache/polymax/"), 0u) << ran.out;
  EXPECT_TRUE(std::filesystem::is_directory(ran.out)) << ran.out;
}

TEST(launcher, AMovedCloneForgetsItsOldBuild) {
  const TemporaryFolder folder;
  const auto cache_of = [&](const std::string& home) {
    std::ofstream(folder / "CMakeCache.txt") << "CMAKE_HOME_DIRECTORY:INTERNAL=" << home << "\n";
    std::ofstream(folder / "build.ninja") << "rules\n";
    std::ofstream(folder / ".lock") << "";
    const Ran ran =
        in_bash("root=" + (folder / "") +
                "; me=polymax; . '" POLYMAX_SOURCE_DIR "/cmake/launch.sh'; forget_other_place " +
                (folder / ""));
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_TRUE(std::filesystem::exists(folder / ".lock"));
    return ran.err;
  };
  EXPECT_EQ(cache_of(folder / ""), "");
  EXPECT_TRUE(std::filesystem::exists(folder / "build.ninja"));
  EXPECT_NE(cache_of("/elsewhere/polymax").find("moved or copied from /elsewhere/polymax"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder / "build.ninja"));
}

// What somebody else has built is used as long as it is what the sources say.
TEST(launcher, ABuildIsCurrentUntilASourceChanges) {
  const TemporaryFolder folder;
  const std::string clone = std::filesystem::path(folder / "clone").string();
  std::filesystem::create_directories(clone + "/src");
  std::filesystem::create_directories(clone + "/build/release");
  const std::string mark = clone + "/build/release/.built-polymax_cli";
  std::ofstream(clone + "/src/a.cpp") << "";
  std::ofstream(mark) << "";
  const auto set_time = [](const std::string& path, int hours) {
    std::filesystem::last_write_time(
        path, std::filesystem::file_time_type::clock::now() - std::chrono::hours(hours));
  };
  const auto current = [&](const std::string& home, const std::string& targets) {
    std::ofstream(clone + "/build/release/CMakeCache.txt")
        << "CMAKE_HOME_DIRECTORY:INTERNAL=" << home << "\n";
    return in_bash("root=" + clone +
                   "; me=polymax; . '" POLYMAX_SOURCE_DIR "/cmake/launch.sh'; current " + clone +
                   "/build/release " + targets)
               .code == 0;
  };
  set_time(clone + "/src/a.cpp", 3);
  set_time(mark, 2);
  EXPECT_TRUE(current(clone, "polymax_cli"));
  EXPECT_FALSE(current(clone, "polymax_cli polymax_torch"));
  EXPECT_FALSE(current("/elsewhere", "polymax_cli")) << "the clone was moved";
  set_time(clone + "/src/a.cpp", 1);
  EXPECT_FALSE(current(clone, "polymax_cli"));
}

// A build with a ninja that does what `script` says; $said is what the user has read so far.
Ran build_with(const std::string& script) {
  const TemporaryFolder folder;
  const std::string said = folder / "said";
  std::filesystem::create_directories(folder / "build/release");
  std::ofstream(folder / "build/release/build.ninja") << "";
  std::ofstream(folder / "ninja") << "#!/bin/sh\nsaid='" << said << "'\n" << script;
  std::filesystem::permissions(folder / "ninja", std::filesystem::perms::owner_all);
  Ran ran = in_bash(
      "exec 2>'" + said + "'; set -euo pipefail; root='" + (folder / "") + "'; me=polymax; . '" +
      POLYMAX_SOURCE_DIR "/cmake/launch.sh'; PATH=" + (folder / "") + ":\\$PATH; touch '" +
      (folder / "build/release/.built-all") + "'; build release all; echo built");
  ran.err += file_text(said);
  return ran;
}

TEST(launcher, IsSilentWhenThereIsNothingToBuild) {
  const Ran ran = build_with("echo 'ninja: no work to do.'\n");
  EXPECT_EQ(ran.out, "built\n");
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(ran.code, 0);
}

TEST(launcher, TellsHowFarALongBuildIs) {
  const Ran ran = build_with(
      "echo '[3/7] Building x'\n"
      "for k in $(seq 6000); do grep -q building \"$said\" && exit; sleep 0.1; done\n");
  EXPECT_EQ(ran.out, "built\n");
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.err.find("polymax: building [3/7] "), 0u) << ran.err;
}

TEST(launcher, ShowsWhyABuildFailed) {
  const Ran ran = build_with("echo 'x.cpp: error: no'\nexit 1\n");
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(ran.err, "x.cpp: error: no\npolymax: the build failed\n");
}

// What ./polymax installs and builds for a command: the launcher beside functions that only tell.
std::string had_for(const std::string& words, const std::string& torch_header) {
  const TemporaryFolder folder;
  std::filesystem::copy(POLYMAX_SOURCE_DIR "/polymax", folder / "polymax");
  std::filesystem::create_directory(folder / "cmake");
  std::ofstream(folder / "cmake/launch.sh")
      << ". '" POLYMAX_SOURCE_DIR "/cmake/launch.sh'\ntorch_header=" << torch_header << R"sh(
need_build_tools() { :; }
install_missing() { echo "installs ${missing[*]}"; }
build() { shift; echo "builds $*"; built=$root; exit; }
)sh";
  return run_shell("'" + (folder / "polymax") + "' " + words).out;
}

TEST(launcher, LearningAloneNeedsTorch) {
  const std::string missing = "no/such.h", there = "stdio.h";
  EXPECT_EQ(had_for("list", missing), "installs \nbuilds polymax_cli\n");
  EXPECT_EQ(had_for("train hex", missing),
            "installs libtorch-dev\nbuilds polymax_cli polymax_torch\n");
  EXPECT_EQ(had_for("train report out", missing), "installs \nbuilds polymax_cli\n");
  EXPECT_EQ(had_for("selfplay hex", missing), "installs \nbuilds polymax_cli\n");
  EXPECT_EQ(had_for("selfplay hex", there), "installs \nbuilds polymax_cli polymax_torch\n");
  EXPECT_EQ(had_for("selfplay hex --device cuda", missing),
            "installs libtorch-dev\nbuilds polymax_cli polymax_torch\n");
}

TEST(launcher, TestRefusesUnknownOptions) {
  EXPECT_EQ(run_shell("'" POLYMAX_SOURCE_DIR "/test' --wrong").code, 2);
}

}  // namespace
}  // namespace polymax::launcher_test

// Who may include whom: reads the #include lines of src/ and python/ and holds them against the
// table of docs/map.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace polymax::layers_test {
namespace {

using Names = std::set<std::string>;

Names words(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

// Folder -> folders it may include besides itself. From the rows | `src/tree` | ... | core; ... |
// of the map, and that of python: the names before a ; or ( in the last column.
std::map<std::string, Names> read_map() {
  std::map<std::string, Names> out;
  std::ifstream map(POLYMAX_SOURCE_DIR "/docs/map.md");
  for (std::string line; std::getline(map, line);) {
    if (!line.starts_with("| `src/") && !line.starts_with("| `python`")) continue;
    const auto name = line.find('`') + 1, last = line.rfind('|', line.rfind('|') - 1) + 1;
    std::string folder = line.substr(name, line.find('`', name) - name);
    folder.erase(0, folder.find('/') + 1);
    std::string allowed = line.substr(last, line.find_first_of(";(|", last) - last);
    std::ranges::replace(allowed, ',', ' ');
    out[folder] = words(allowed);
  }
  out["core"].clear();  // "the standard library"
  return out;
}

const std::map<std::string, Names> kMayInclude = read_map();

const Names kOnlyACompiler{"core", "board", "games", "tree", "search", "eval"};

const Names kStandard = words(
    "algorithm any array atomic barrier bit bitset cassert cctype cerrno cfenv cfloat charconv "
    "chrono cinttypes climits cmath compare complex concepts condition_variable coroutine csignal "
    "cstdarg cstddef cstdint cstdio cstdlib cstring ctime deque exception execution filesystem "
    "format forward_list fstream functional future initializer_list iomanip ios iosfwd iostream "
    "istream iterator latch limits list locale map memory memory_resource mutex new numbers "
    "numeric optional ostream queue random ranges ratio regex scoped_allocator semaphore set "
    "shared_mutex source_location span sstream stack stdexcept stop_token streambuf string "
    "string_view system_error thread tuple type_traits typeindex typeinfo unordered_map "
    "unordered_set utility valarray variant vector version");

// What some files of core and board need besides: the compiler's instructions, POSIX for whole
// files and for cores, and the library that parses JSON.
const std::map<std::string, Names> kBesides{
    {"board/gather_bits.hpp", {"immintrin.h"}},
    {"board/pick_numbers.hpp", {"tmmintrin.h"}},
    {"core/file.cpp", {"fcntl.h", "sys/file.h", "sys/stat.h", "unistd.h"}},
    {"core/cores.cpp", {"sched.h"}},
    {"core/json.cpp", {"nlohmann/json.hpp"}}};

std::string folder_of(const std::string& path) {
  const auto slash = path.find('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

bool is_torch(const std::string& header) {
  return Names{"torch", "ATen", "c10"}.contains(folder_of(header));
}

// file: path below src/, or below the root for python/. What is wrong with including `header`
// there, if anything.
std::optional<std::string> complaint(const std::string& file, const std::string& header,
                                     bool quoted) {
  const std::string folder = folder_of(file), wanted = folder_of(header);
  if (header.find("..") != std::string::npos) return "paths have no ..";
  const auto row = kMayInclude.find(folder);
  if (row == kMayInclude.end()) return "the folder '" + folder + "' is not in the table of layers";
  if (is_torch(header)) {
    if (folder == "nn" && file.ends_with(".cpp")) return std::nullopt;
    return "torch is for the .cpp files of nn alone";
  }
  if (wanted == "nlohmann" && file != "core/json.cpp") return "JSON is core/json.hpp";
  if (kMayInclude.contains(wanted)) {
    if (wanted == folder || row->second.contains(wanted)) return std::nullopt;
    if (wanted == "nn" && file == "eval/network.hpp") return std::nullopt;
    return folder + " may not include " + wanted;
  }
  if (quoted) return "paths in quotes begin with a folder of src";
  const auto besides = kBesides.find(file);
  if (besides != kBesides.end() && besides->second.contains(header)) return std::nullopt;
  if (kOnlyACompiler.contains(folder) && !kStandard.contains(header))
    return folder + " includes nothing but the standard library";
  return std::nullopt;
}

struct Reading {
  int includes = 0;
  std::vector<std::string> violations;  // "file:line: #include ...: what is wrong"
};

struct Include {
  std::string header;
  bool quoted = false;
};

std::optional<Include> included_by(std::string_view line) {
  const auto skip = [&](std::string_view word) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (!line.starts_with(word)) return false;
    line.remove_prefix(word.size());
    return true;
  };
  if (!skip("#") || !skip("include") || !skip("") || line.empty()) return std::nullopt;
  const bool quoted = line[0] == '"';
  const auto end = line.find(quoted ? '"' : '>', 1);
  if ((!quoted && line[0] != '<') || end == std::string_view::npos) return std::nullopt;
  return Include{std::string(line.substr(1, end - 1)), quoted};
}

void read_text(const std::string& file, std::istream& text, Reading& out) {
  std::string line;
  for (int number = 1; std::getline(text, line); ++number) {
    const auto include = included_by(line);
    if (!include) continue;
    ++out.includes;
    if (const auto wrong = complaint(file, include->header, include->quoted))
      out.violations.push_back(file + ":" + std::to_string(number) + ": " + line + ": " + *wrong);
  }
}

void read_folder(const std::filesystem::path& root, const std::filesystem::path& below,
                 Reading& out) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(below)) {
    const auto extension = entry.path().extension();
    if (extension != ".hpp" && extension != ".cpp" && extension != ".h") continue;
    std::ifstream text(entry.path());
    read_text(std::filesystem::relative(entry.path(), root).generic_string(), text, out);
  }
}

TEST(layers, TheMapNamesEveryFolder) {
  Names folders{"python"}, named;
  for (const auto& entry : std::filesystem::directory_iterator(POLYMAX_SOURCE_DIR "/src"))
    folders.insert(entry.path().filename().string());
  for (const auto& [folder, allowed] : kMayInclude) {
    named.insert(folder);
    for (const auto& other : allowed) EXPECT_TRUE(kMayInclude.contains(other)) << other;
    EXPECT_EQ(allowed.empty(), folder == "core") << folder;
  }
  EXPECT_EQ(named, folders);
}

TEST(layers, EveryIncludeIsAllowed) {
  const std::filesystem::path root(POLYMAX_SOURCE_DIR);
  Reading found;
  read_folder(root / "src", root / "src", found);
  if (std::filesystem::exists(root / "python")) read_folder(root, root / "python", found);
  for (const auto& violation : found.violations) ADD_FAILURE() << violation;
  EXPECT_GT(found.includes, 100) << "the files were found";
}

std::string verdict(const std::string& file, const std::string& text) {
  Reading found;
  std::istringstream stream(text);
  read_text(file, stream, found);
  std::string out;
  for (const auto& violation : found.violations) out += violation + "\n";
  return out;
}

TEST(layers, TheCheckNamesTheLine) {
  EXPECT_EQ(verdict("games/chess.hpp",
                    "#pragma once\n\n#include <vector>\n#include \"search/maxn.hpp\"\n"),
            "games/chess.hpp:4: #include \"search/maxn.hpp\": games may not include search\n");
}

using Line = std::pair<std::string, std::string>;  // file, its only line

TEST(layers, TheCheckRefuses) {
  const std::vector<Line> wrong{
      {"games/chess.hpp", "#include \"tree/table.hpp\""},
      {"games/chess.hpp", "#include \"catalog/any.hpp\""},
      {"games/chess.hpp", "#include <fmt/core.h>"},
      {"games/chess.hpp", "#include <unistd.h>"},
      {"games/chess.hpp", "#include <search/maxn.hpp>"},
      {"games/chess.hpp", "#include \"other.hpp\""},
      {"games/chess.hpp", "  #  include\"eval/zero.hpp\" // x"},
      {"core/game.hpp", "#include \"games/hex.hpp\""},
      {"core/spec.cpp", "#include <nlohmann/json.hpp>"},
      {"tree/table.hpp", "#include \"search/maxn.hpp\""},
      {"tree/table.hpp", "#include <immintrin.h>"},
      {"search/maxn.hpp", "#include \"games/hex.hpp\""},
      {"search/maxn.hpp", "#include \"eval/zero.hpp\""},
      {"search/maxn.hpp", "#include <fmt/core.h>"},
      {"eval/zero.hpp", "#include \"nn/net.hpp\""},
      {"eval/zero.hpp", "#include \"games/hex.hpp\""},
      {"eval/zero.hpp", "#include <fmt/core.h>"},
      {"nn/net.hpp", "#include <torch/torch.h>"},
      {"arena/record.cpp", "#include <nlohmann/json.hpp>"},
      {"learn/train.cpp", "#include <torch/torch.h>"},
      {"learn/train.cpp", "#include <ATen/ATen.h>"},
      {"learn/train.cpp", "#include \"catalog/any.hpp\""},
      {"catalog/any.hpp", "#include \"arena/match.hpp\""},
      {"catalog/any.hpp", "#include \"tree/table.hpp\""},
      {"arena/match.hpp", "#include \"catalog/../games/hex.hpp\""},
      {"arena/match.hpp", "#include \"protocol/loop.hpp\""},
      {"report/page.cpp", "#include \"server/http.hpp\""},
      {"server/api.cpp", "#include \"protocol/ugi.hpp\""},
      {"python/module.cpp", "#include \"server/http.hpp\""},
      {"cli/main.cpp", "#include \"games/hex.hpp\""},
      {"cli/main.cpp", "#include \"catalog.hpp\""},
      {"extra/x.hpp", "#include <vector>"},
      {"x.hpp", "#include <vector>"},
  };
  for (const auto& [file, line] : wrong) EXPECT_NE(verdict(file, line), "") << file << ' ' << line;
}

TEST(layers, TheCheckAllows) {
  const std::vector<Line> right{
      {"games/hex.hpp", "#include \"core/game.hpp\""},
      {"games/hex3.hpp", "#include \"games/hex.hpp\""},
      {"core/json.cpp", "#include <nlohmann/json.hpp>"},
      {"games/hex.hpp", "#include <array>"},
      {"games/hex.hpp", "// #include \"search/maxn.hpp\""},
      {"search/maxn.hpp", "#include \"tree/depth_first.hpp\""},
      {"eval/network.hpp", "#include \"nn/net.hpp\""},
      {"nn/torch_engine.cpp", "#include <torch/torch.h>"},
      {"nn/cpu.cpp", "#include <immintrin.h>"},
      {"learn/train.cpp", "#include \"nn/net.hpp\""},
      {"catalog/bind.hpp", "#include \"catalog/all_games.hpp\""},
      {"catalog/bind.hpp", "#include \"games/hex.hpp\""},
      {"arena/match.hpp", "#include \"catalog/any.hpp\""},
      {"arena/store.cpp", "#include <sqlite3.h>"},
      {"cli/main.cpp", "#include <fmt/core.h>"},
      {"cli/main.cpp", "#include \"arena/match.hpp\""},
      {"cli/serve.cpp", "#include \"server/http.hpp\""},
      {"server/api.cpp", "#include \"report/report.hpp\""},
      {"python/module.cpp", "#include <pybind11/pybind11.h>"},
      {"python/module.cpp", "#include \"learn/train.hpp\""},
  };
  for (const auto& [file, line] : right) EXPECT_EQ(verdict(file, line), "");
}

}  // namespace
}  // namespace polymax::layers_test

// Bad input, hundreds of lines of it (hostile.txt): every one is answered by one line that says
// what was wrong, in our words, and by the right exit code. Programs are started directly, several
// at a time: a row takes milliseconds, ten times that under a sanitizer, which gets every 16th row.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/cli/process.hpp"
#include "tests/long_tests.hpp"

namespace polymax::hostile_test {
namespace {

namespace fs = std::filesystem;

struct Row {
  int line = 0, code = 0;
  std::string arguments, fragment;
};

std::vector<Row> read_rows() {
  std::ifstream file(POLYMAX_SOURCE_DIR "/tests/cli/hostile.txt");
  std::vector<Row> out;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (line.empty() || line[0] == '#') continue;
    const auto first = line.find(" | "), last = line.rfind(" | ");
    if (first == std::string::npos || last == first) {
      ADD_FAILURE() << "hostile.txt:" << number << ": code | arguments | fragment is wanted";
      continue;
    }
    out.push_back({number, std::stoi(line.substr(0, first)),
                   line.substr(first + 3, last - first - 3), line.substr(last + 3)});
  }
  return out;
}

// Words as a shell splits them, with single quotes alone; \n is the end of a line.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> out;
  bool quoted = false, begun = false;
  std::string word;
  const auto end = [&] {
    if (begun) out.push_back(word);
    word.clear();
    begun = false;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\'') {
      quoted = !quoted;
      begun = true;
    } else if (text[i] == ' ' && !quoted) {
      end();
    } else {
      const bool line_end = text.compare(i, 2, "\\n") == 0;
      word += line_end ? '\n' : text[i];
      i += line_end ? 1 : 0;
      begun = true;
    }
  }
  end();
  return out;
}

// Studies that are right but for one key: s-KEY-VALUE is the folder of a study with this value.
void make_studies(const TemporaryFolder& folder) {
  const std::vector<std::pair<std::string, std::string>> usual{
      {"games", R"j(["hex3(side=3)"])j"},
      {"players", R"j(["greedy(eval=$f)"])j"},
      {"benchmark", R"j("random")j"},
      {"networks", R"j({"evaluator": "playouts(n=1,seed=$i)"})j"},
      {"budget", R"j("evals=5")j"},
      {"functions", "1"},
      {"repetitions", "1"},
      {"opening", "0"},
      {"seed", "1"}};
  const auto make = [&](const std::string& name, const std::string& text) {
    fs::create_directory(folder / name);
    std::ofstream(folder / (name + "/study.json"), std::ios::binary) << text;
  };
  const auto with = [&](const std::string& name, const std::string& key, const std::string& value) {
    std::string text;
    for (const auto& [usual_key, usual_value] : usual)
      text += (text.empty() ? "{\"" : ", \"") + usual_key +
              "\": " + (usual_key == key ? value : usual_value);
    make(name, text + "}");
  };
  with("s-budget-0", "budget", R"j("evals=0")j");
  with("s-budget-negative", "budget", R"j("seconds=-1")j");
  with("s-budget-nan", "budget", R"j("seconds=nan")j");
  with("s-budget-number", "budget", "5");
  with("s-budget-word", "budget", R"j("lots")j");
  with("s-budget-empty", "budget", R"j("")j");
  with("s-repetitions-0", "repetitions", "0");
  with("s-repetitions-half", "repetitions", "1.5");
  with("s-repetitions-1e30", "repetitions", "1e30");
  with("s-functions-0", "functions", "0");
  with("s-functions-all", "functions", R"j("all")j");
  with("s-functions-many", "functions", "1000000");
  with("s-opening-negative", "opening", "-1");
  with("s-seed-negative", "seed", "-1");
  with("s-seed-huge", "seed", "1e300");
  with("s-games-none", "games", "[]");
  with("s-games-chess", "games", R"j(["chess"])j");
  with("s-games-twice", "games", R"j(["hex3(side=3)", "hex3(side=3)"])j");
  with("s-games-size", "games", R"j(["hex3(side=99)"])j");
  with("s-players-none", "players", "[]");
  with("s-players-wizard", "players", R"j(["wizard"])j");
  with("s-players-number", "players", "[3]");
  with("s-benchmark-wizard", "benchmark", R"j("wizard")j");
  with("s-networks-oracle", "networks", R"j({"evaluator": "oracle"})j");
  with("s-networks-missing", "networks", R"j({"files": "nothing/*.safetensors"})j");
  with("s-networks-size", "networks", R"j({"evaluator": "network"})j");
  make("s-null", "null");
  make("s-empty", "");
  make("s-deep", std::string(100'000, '['));
  make("s-nul", std::string("{\"games\": [\"hex\0\"]}", 19));
  make("s-mark", "\xef\xbb\xbf{}");
  make("s-twice", R"j({"games": ["hex"], "games": ["hex"]})j");
  make("s-latin", "{\"title\": \"\xff\xfe\"}");
}

// The files that the rows name.
void make_files(const TemporaryFolder& folder) {
  const auto write = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder / name, std::ios::binary) << text;
  };
  const auto record = [](const std::string& game, const std::string& rest,
                         const std::string& players = R"(["a","b"])") {
    return R"({"game":")" + game + R"(","seed":0,"players":)" + players + rest + "}\n";
  };
  const std::string won = R"(,"moves":["a1","b1","a2","b2","a3"],"seats":"12121")";
  const std::string result = R"(,"score":[1,-1],"gain":[1,-1],"points":[1,-1])";
  write("game.jsonl", record("tictactoe", won + result));
  write("result.jsonl", record("tictactoe", won + R"(,"score":[-1,1],"gain":[-1,1])"));
  write("points.jsonl",
        record("tictactoe", won + R"(,"score":[1,-1],"gain":[1,-1],"points":[7,-1])"));
  write("early.jsonl", record("tictactoe", R"(,"moves":["a1"],"seats":"1")" + result));
  write("seats.jsonl", record("tictactoe", R"(,"moves":["a1","b1"],"seats":"11")"));
  write("players.jsonl", record("hex", R"(,"moves":[])", R"(["a","b","c"])"));
  write("illegal.jsonl", record("hex", R"(,"moves":["a1","a1"])"));
  write("chess.jsonl", record("chess", R"(,"moves":["e2e4"])"));
  write("types.jsonl", R"({"game":3,"seed":"x","players":{},"moves":7})");
  write("broken.json", "{\"game\": 3");
  write("list.json", "[1, 2]\n");
  write("empty.json", "");
  write("text.txt", "Dear program,\nthis is a letter.\n");
  write("zeros.bin", std::string(10'000, '\0'));
  write("zeros.pmx", std::string(10'000, '\0'));
  write("broken.sgf", "(;GM[hex]SD[0]\n;1[a1");
  write("go.sgf", "(;GM[1]FF[4]SZ[19];B[pd];W[dp])\n");
  for (const char* name : {"folder", "badstudy", "oddstudy"}) fs::create_directory(folder / name);
  write("folder/letter.txt", "dear");
  write("badstudy/study.json", "{");
  write("oddstudy/study.json", "{\"title\": 7, \"games\": {}, \"sauce\": []}");
  fs::create_symlink("loop", folder / "loop");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  write("deep.json", std::string(1'000'000, '['));
  write("deep.sgf", std::string(1'000'000, '('));
  for (const char* name : {"huge.jsonl", "huge.safetensors"}) {  // holes, no bytes of a disk
    write(name, "");
    fs::resize_file(folder / name, std::uintmax_t{20} << 30);
  }
  make_studies(folder);
}

// A program that runs; its output comes through pipes.
class Started {
 public:
  Started(const std::string& program, const std::string& folder, const Row& row) : row_(row) {
    int out[2], err[2];
    if (::pipe2(out, O_CLOEXEC) != 0 || ::pipe2(err, O_CLOEXEC) != 0) std::abort();
    auto words = words_of(row.arguments);
    words.insert(words.begin(), program);
    std::vector<char*> argv;
    for (auto& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    process_ = ::fork();
    if (process_ == 0) {
      const int none = ::open("/dev/null", O_RDONLY);
      ::dup2(none, 0);
      ::dup2(out[1], 1);
      ::dup2(err[1], 2);
      ::alarm(1800);  // a row that hangs fails
      if (::chdir(folder.c_str()) == 0) ::execv(argv[0], argv.data());
      ::_exit(126);
    }
    ::close(out[1]);
    ::close(err[1]);
    out_ = out[0];
    err_ = err[0];
  }

  Ran wait() {
    Ran ran;
    read_both(ran);
    int status = 0;
    ::waitpid(process_, &status, 0);
    ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return ran;
  }

  const Row& row() const { return row_; }

 private:
  void read_both(Ran& ran) {
    pollfd files[2]{{out_, POLLIN, 0}, {err_, POLLIN, 0}};
    std::string* texts[2]{&ran.out, &ran.err};
    for (int open = 2; open > 0;) {
      ::poll(files, 2, -1);
      for (int i = 0; i < 2; ++i) {
        if (files[i].fd < 0 || files[i].revents == 0) continue;
        char buffer[4096];
        const ssize_t n = ::read(files[i].fd, buffer, sizeof buffer);
        if (n > 0) {
          texts[i]->append(buffer, static_cast<std::size_t>(n));
          continue;
        }
        ::close(files[i].fd);
        files[i].fd = -1;
        --open;
      }
    }
  }

  const Row& row_;
  pid_t process_ = -1;
  int out_ = -1, err_ = -1;
};

// Words of the libraries below us, which tell a user nothing.
const std::vector<std::string> kForbidden{
    "json.exception", "std::",  "basic_string",     "bad_alloc", "filesystem error",
    "stoi",           "vector", "what():",          "terminate", "bad_optional",
    "map::at",        "c10",    "should not happen"};

void check(const Row& row, const Ran& ran) {
  const std::string where = "hostile.txt:" + std::to_string(row.line) + ": polymax " +
                            row.arguments + "\n" + ran.err + ran.out;
  EXPECT_EQ(ran.code, row.code) << where;
  EXPECT_EQ(ran.out, "") << where;
  EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << where;
  EXPECT_TRUE(ran.err.starts_with("polymax: ")) << where;
  EXPECT_NE(ran.err.find(row.fragment), std::string::npos) << where;
  EXPECT_LT(ran.err.size(), 500u) << where;
  for (const auto& word : kForbidden) EXPECT_EQ(ran.err.find(word), std::string::npos) << where;
}

TEST(hostile, EveryRowIsAnsweredByOneLine) {
  auto rows = read_rows();
  EXPECT_GE(rows.size(), 300u);
  if (kSanitized && !long_tests())
    std::erase_if(rows, [n = 0](const Row&) mutable { return n++ % 16 != 0; });
  const TemporaryFolder folder;
  make_files(folder);
  const std::string program = fs::absolute(POLYMAX_BINARY).string();
  constexpr std::size_t kAtOnce = 4;
  std::vector<Started> running;
  for (std::size_t i = 0; i < rows.size() + kAtOnce; ++i) {
    if (i >= kAtOnce && i - kAtOnce < rows.size())
      check(running[i - kAtOnce].row(), running[i - kAtOnce].wait());
    if (i < rows.size()) running.emplace_back(program, folder / "", rows[i]);
  }
  for (const char* name : {"new", "new.sgf", "new.safetensors", "missing"})
    EXPECT_FALSE(fs::exists(folder / name)) << "what is refused leaves nothing behind: " << name;
}

// A full disk is the machine's fault: code 1 and a line, whatever is printed.
TEST(hostile, AFullDiskIsSaid) {
  const TemporaryFolder folder;
  make_files(folder);
  const std::string game = folder / "game.jsonl";
  fs::create_directory(folder / "study");
  std::ofstream(folder / "study/study.json") << R"json({"games": ["hex3(side=3)"],
    "players": ["greedy(eval=$f)"], "benchmark": "random", "networks": {"evaluator": "estimate"},
    "budget": "evals=5", "functions": 1, "seed": 1})json";
  for (const std::string arguments : {"--help",
                                      "--version",
                                      "list",
                                      "list games --json",
                                      "about",
                                      "perft tictactoe 2",
                                      "perft hex 2 --divide",
                                      "think tictactoe --player mcts --budget evals=10",
                                      "think tictactoe --player mcts --budget evals=10 --json",
                                      "match tictactoe --players 'random;random' --games 2",
                                      "match tictactoe --players 'random;random' --games 2 --json",
                                      "play tictactoe --players random",
                                      "play tictactoe --players random --json",
                                      "record show 'GAME'",
                                      "record replay 'GAME'",
                                      "net info 'NET'",
                                      "net check 'NET'",
                                      "study status 'STUDY'",
                                      "study status 'STUDY' --json",
                                      "study run 'STUDY' --json",
                                      "study records 'STUDY'",
                                      "study report 'STUDY'",
                                      "study merge 'STUDY'",
                                      "bench games tictactoe --seconds 0.01",
                                      "bench games tictactoe --seconds 0.01 --json",
                                      "perft --help",
                                      "bench nets --help"}) {
    std::string command = arguments;
    const auto put = [&](const std::string& name, const std::string& value) {
      if (const auto at = command.find(name); at != std::string::npos)
        command.replace(at, name.size(), value);
    };
    put("GAME", game);
    put("NET", POLYMAX_SOURCE_DIR "/nets/fish/default.safetensors");
    put("STUDY", folder / "study");
    const Ran ran = run_shell("'" POLYMAX_BINARY "' " + command + " > /dev/full");
    EXPECT_EQ(ran.code, 1) << command << "\n" << ran.err;
    EXPECT_TRUE(ran.err.ends_with("polymax: the output cannot be written: is the disk full?\n"))
        << command << "\n"
        << ran.err;
  }
}

}  // namespace
}  // namespace polymax::hostile_test

// An engine with one fault: plays tic-tac-toe by UGI (or GTP, when argv[2] says so), the first free
// cell every time, and at its second move (or where the fault says) does what argv[1] names. It
// makes the file FAKE_ENGINE_MARK when it does. Knows nothing of polymax.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>

namespace {

std::string fault;
bool gtp = false;
int moves = 0;

void say(const std::string& line) {
  std::cout << line << std::endl;
}

void say_move(const std::string& move) {
  say(gtp ? "= " + move + "\n" : "bestmove " + move);
}

// The fault begins.
void mark() {
  const char* path = std::getenv("FAKE_ENGINE_MARK");
  if (path == nullptr) return;
  if (std::FILE* file = std::fopen(path, "w")) std::fclose(file);
}

[[noreturn]] void hang() {
  for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
}

[[noreturn]] void flood(bool with_lines) {
  const std::string much(65536, 'x');
  for (;;) {
    if (std::fwrite(much.data(), 1, much.size(), stdout) == 0) std::exit(0);
    if (with_lines) std::fputc('\n', stdout);
  }
}

[[noreturn]] void babble() {
  mark();
  flood(true);
}

std::string free_cell(const std::string& position) {
  for (const char* cell : {"a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"})
    if (position.find(cell) == std::string::npos) return cell;
  return "none";
}

void misbehave(const std::string& position) {
  mark();
  if (fault == "crash") std::abort();
  if (fault == "exit") std::exit(3);
  if (fault == "hang") hang();
  if (fault == "flood") flood(false);
  if (fault == "flood_lines") flood(true);
  if (fault == "illegal") return say_move("a1");
  if (fault == "no_move") return say_move("");
  if (fault == "resign") return say_move("resign");
  if (fault == "error") return say(gtp ? "? I do not want to\n" : "error I do not want to");
  if (fault == "half") {
    say("= b2");  // and no empty line
    hang();
  }
  if (fault == "garbage") {
    for (int i = 0; i < 1000; ++i) say("\x01\x02 certainly no line of any protocol");
    return;
  }
  if (fault == "late" && moves == 2) std::this_thread::sleep_for(std::chrono::seconds(2));
  if (fault == "closes") {
    ::close(1);
    hang();
  }
  if (fault == "last_words") {
    std::cerr << "first\nthe table is broken\n";
    std::exit(4);
  }
  if (fault == "bad_info") {
    say("info depth x values 1 none");
    say("info values 0.5");
  }
  if (fault == "own_group") {
    ::setpgid(0, 0);
    ::fork();
    hang();
  }
  if (fault == "children") {  // that outlive their parent, if nobody looks
    if (::fork() == 0) hang();
    std::exit(5);
  }
  say_move(free_cell(position));
}

void go(const std::string& position) {
  if (++moves >= 2) return misbehave(position);
  if (!gtp) say("info depth 1 evals 7 values 0.5 -0.5 pv " + free_cell(position));
  say_move(free_cell(position));
}

void obey_ugi(const std::string& word, const std::string& line, std::string& position) {
  if (word == "ugi") {
    say("id name fake");
    if (fault == "other_game") {
      mark();
      say("id game chess");
    }
    if (fault == "babble") babble();
    say("ugiok");
  }
  if (word == "isready") fault == "unready" ? mark() : say("readyok");
  if (word == "position") position = line;
  if (word == "go") go(position);
}

void obey_gtp(const std::string& word, const std::string& line, std::string& position) {
  if (word == "genmove") {
    const std::string before = position;
    position += " " + free_cell(position);
    return go(before);
  }
  if (fault == "babble") babble();
  if (word == "clear_board") position.clear();
  if (word == "play" && fault == "deaf") {
    mark();
    return say("? no\n");
  }
  if ((word == "time_settings" || word == "set_random_seed") && fault == "proud")
    return say("? integer wanted\n");
  if (word == "play") position += line;
  const std::string own = "= list_commands\nclear_board\nplay\ngenmove\nquit\n",
                    more = fault == "proud" ? "time_settings\nset_random_seed\n" : "";
  say(word == "list_commands" ? own + more : "=\n");
}

}  // namespace

int main(int argc, char** argv) {
  fault = argc > 1 ? argv[1] : "";
  gtp = argc > 2 && std::string(argv[2]) == "gtp";
  if (fault == "dead" || fault == "mute") mark();
  if (fault == "dead") return 7;
  if (fault == "mute") hang();
  std::string position;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "quit" && fault == "stays") hang();
    if (word == "quit") return 0;
    gtp ? obey_gtp(word, line, position) : obey_ugi(word, line, position);
  }
  if (fault == "stays") hang();
}

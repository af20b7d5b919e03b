// polymax: one program, a subcommand per job.
#include <fcntl.h>
#include <fmt/core.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "cli/commands.hpp"
#include "cli/terminal.hpp"
#include "core/columns.hpp"
#include "core/commit.hpp"
#include "core/error.hpp"
#include "core/notice.hpp"
#include "protocol/engine_player.hpp"

namespace {

using namespace polymax;

constexpr int kFailed = 1, kBadUsage = 2;

cli::Command program() {
  return cli::command_of_parts(
      "polymax",
      "polymax: search, learning and play for perfect-information games with any number of players",
      "polymax COMMAND --help explains a command; polymax --version tells the version.\n"
      "Exit codes: 0 done, 1 it could not be done, 2 it was asked wrongly (also: a file that was "
      "named is not\nthere), 75 stopped by a signal: the command says then how to go on.\n"
      "Example: polymax play quadrothello --players 'human;greedy;greedy;greedy'",
      {cli::list::command(), cli::perft::command(), cli::play::command(), cli::serve::command(),
       cli::match::command(), cli::study::command(), cli::record::command(), cli::engine::command(),
       cli::check_engine::command(), cli::analyze::command(), cli::net::command(),
       cli::think::command(), cli::train::command(), cli::selfplay::command(),
       cli::bench::command(), cli::about::command()});
}

bool said = false;  // one line is enough

int fail(const std::string& message, int code) {
  said = true;
  cli::tell("polymax: " + cli::short_line(message) + "\n");
  return code;
}

// Files must not take the numbers of standard streams that are closed: what is meant for people
// would be written into them. What cannot be written to standard output is a failure (/dev/full).
void open_standard_streams() {
  constexpr std::array<const char*, 3> kInstead{"/dev/null", "/dev/full", "/dev/null"};
  for (int stream = 0; stream < 3; ++stream) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    if (::open(kInstead[static_cast<std::size_t>(stream)], O_RDWR) < 0)
      return;  // the lowest free number
  }
}

// Commands whose players may be programs outside: engine(cmd=...). Not those that take specs from
// others (engine, analyze, serve): they would start what strangers name.
void offer_engines(const std::vector<std::string>& words) {
  for (const char* one : {"match", "study", "play", "think", "list"})
    if (!words.empty() && words[0] == one) protocol::offer_engines();
}

int run(const std::vector<std::string>& words) {
  if (words.size() == 1 && words[0] == "--version")
    return fmt::print("polymax {} (commit {})\n", POLYMAX_VERSION, commit()), 0;
  if (words.size() <= 3 && !words.empty() && words[0] == "help") {  // help COMMAND
    std::vector<std::string> asked(words.begin() + 1, words.end());
    asked.emplace_back("--help");
    return cli::run_words(program(), asked);
  }
  offer_engines(words);
  return cli::run_words(program(), words);
}

// The exit code; what libraries throw is said in our words.
int guarded(const std::vector<std::string>& words) {
  try {
    return run(words);
  } catch (const Error& error) {
    return fail(error.what(), error.kind() == Error::Kind::usage ? kBadUsage : kFailed);
  } catch (const std::bad_alloc&) {
    return fail("there is not enough memory for this", kFailed);
  } catch (const std::length_error&) {
    return fail("there is not enough memory for this", kFailed);
  } catch (const std::filesystem::filesystem_error& error) {
    return fail("'" + error.path1().string() + "': " + error.code().message(), kFailed);
  } catch (const std::system_error& error) {
    if (std::ferror(stdout)) return kFailed;  // said below
    return fail("the system refuses: " + error.code().message(), kFailed);
  } catch (const std::exception& error) {
    return fail("this should not happen, please report it: " + first_line(error.what()), kFailed);
  }
}

}  // namespace

int main(int argc, char** argv) {
  open_standard_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of writing
  hear_notices([](const std::string& text) { cli::tell("polymax: " + text + "\n"); });
  const int code = guarded({argv + 1, argv + argc});
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return code;
  if (said) return code;
  return fail("the output cannot be written: is the disk full?", kFailed);
}

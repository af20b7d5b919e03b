// polymax check-engine: walks another program through its protocol and names the first step that
// fails.
#include <fmt/core.h>

#include <array>
#include <string>

#include "catalog/catalog.hpp"
#include "cli/commands.hpp"
#include "cli/terminal.hpp"
#include "core/json.hpp"
#include "protocol/check.hpp"

namespace polymax::cli::check_engine {

namespace {

struct Options {
  std::string cmd, game = "tictactoe";
  bool gtp = false, json = false;
  double start = protocol::TalkLimits{}.start, move = 60, grace = protocol::TalkLimits{}.grace;

  static Arguments fields() {
    constexpr double kDay = 86400;
    return {
        argument(field("CMD", &Options::cmd, "what a shell starts, e.g. './my-engine --quiet'")),
        field("game", &Options::game, "the game that it plays, as a spec"),
        field("gtp", &Options::gtp, "it speaks GTP"),
        field("start", &Options::start, "seconds to answer when it is started", 0.001, kDay),
        field("move", &Options::move, "seconds for a move without a time limit", 0.001, kDay),
        field("grace", &Options::grace, "seconds that a timed move may be late", 0.0, kDay),
        field("json", &Options::json, "one line of JSON for each step")};
  }
};

void show(const protocol::CheckedStep& step, bool json) {
  if (json) {
    Json out{{"step", step.name}, {"passed", step.passed}};
    if (!step.passed) {
      out["expected"] = step.expected;
      out["got"] = step.got;
    }
    return fmt::print("{}\n", out.dump());
  }
  fmt::print("{}  {}\n", step.passed ? "ok  " : "FAIL", step.name);
  if (!step.passed) fmt::print("      expected: {}\n      got:      {}\n", step.expected, step.got);
}

int run(const Options& options) {
  const auto game = catalog::open_game(options.game);
  StatusLine line;
  const bool passed = protocol::check_engine(
      *game, options.cmd, options.gtp ? protocol::Language::gtp : protocol::Language::ugi,
      {options.start, options.move, options.grace},
      {[&](const std::string& step) {
         if (status_is_seen() || line.due())
           line.show(std::array{fmt::format("waits for the program: {}", step)});
       },
       [&](const protocol::CheckedStep& step) {
         line.clear();
         show(step, options.json);
         std::fflush(stdout);
       }});
  return passed ? 0 : 1;
}

}  // namespace

Command command() {
  return cli::command<Options>(
      "check-engine", "walk another program through UGI or GTP; names the first step that fails",
      "Example: polymax check-engine './my-engine --quiet' --game hex\n"
      "Exit code 1 when a step fails. docs/protocol.md says what each asks for.",
      run);
}

}  // namespace polymax::cli::check_engine

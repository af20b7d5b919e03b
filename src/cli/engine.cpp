// polymax engine: our players for other programs, by UGI with seats or GTP on standard input and
// output.
#include <fmt/core.h>

#include <iostream>
#include <string>

#include "arena/levels.hpp"
#include "catalog/catalog.hpp"
#include "cli/commands.hpp"
#include "cli/terminal.hpp"
#include "protocol/gtp.hpp"
#include "protocol/lines.hpp"
#include "protocol/ugi.hpp"
#include "report/board_text.hpp"

namespace polymax::cli::engine {

namespace {

struct Options {
  std::string game, player, budget = "seconds=1";
  std::uint64_t seed = 0;
  bool gtp = false;

  static Arguments fields() {
    return {
        argument(field("GAME", &Options::game, "game spec, e.g. quadrothello or 'hex(n=9)'")),
        field("player", &Options::player,
              "player spec, e.g. 'mcts(c=0.5)'; default: unbounded_maxn, with the game's shipped "
              "network where there is one"),
        field("budget", &Options::budget, "what a move may cost when nobody says it"),
        field("seed", &Options::seed, "seed of the search"),
        field("gtp", &Options::gtp, "GTP, as Pentobi and HexGui speak it, instead of UGI")};
  }
};

template <class Loop>
void feed(Loop& loop, const StdoutLines& out) {
  std::string line;
  while (!out.failed() && protocol::read_line(std::cin, line) && loop.obey(line)) {
  }
  if constexpr (requires { loop.finish(); }) loop.finish();
  out.check();
}

void run(const Options& options, const Given& given) {
  const auto game = catalog::open_game(options.game);
  protocol::EngineSettings settings;
  settings.player = given.has("player") ? options.player : arena::default_player(*game);
  settings.budget = options.budget;
  settings.seed = options.seed;
  settings.version = POLYMAX_VERSION;
  StdoutLines out;
  const auto sink = [&out](const std::string& line) { out(line); };
  if (options.gtp) {
    protocol::GtpLoop loop(game->spec(), settings, sink, [](const Drawing& drawing) {
      return board_text(drawing, Colours::none);
    });
    feed(loop, out);
  } else {
    protocol::UgiLoop loop(*game, settings, sink);
    feed(loop, out);
  }
}

}  // namespace

Command command() {
  return cli::command<Options>(
      "engine", "play for another program: UGI with seats, or GTP, on standard input and output",
      "Example: polymax engine blokus --gtp --player 'mcts(eval=playouts)' --budget evals=5000\n"
      "docs/protocol.md describes both languages.",
      run);
}

}  // namespace polymax::cli::engine

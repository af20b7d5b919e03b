// polymax bench: speed and behaviour of this build on this machine.
#include "cli/command.hpp"

namespace polymax::cli {

void add_bench(CLI::App& app) {
  auto* bench = app.add_subcommand("bench", "speed and behaviour of this build on this machine");
  bench->require_subcommand(1);
  bench->footer("Example: polymax bench games --seconds 5");
  add_bench_games(*bench);
  add_bench_nets(*bench);
  add_bench_signature(*bench);
  auto* command = app.add_subcommand("bench", "speed of this build on this machine");
  command->require_subcommand(1);
  auto options = std::make_shared<Options>();
  auto* games = command->add_subcommand("games", "random games a CPU-second, all legal moves generated at every ply");
  games->add_option("GAMES", options->games, "game specs; all games when none is given");
  games->add_option("--seconds", options->seconds, "CPU time for each game")->check(CLI::Range(0.01, 3600.0));
  games->add_option("--seed", options->seed, "seed of the random moves");
  games->add_flag("--json", options->json, "one line of JSON a game");
  games->footer("Example: polymax bench games hex 'hex3(side=5)' --seconds 5");
  games->callback([options] { run_games(*options); });
  add_bench_searches(*command);
}

}  // namespace polymax::cli

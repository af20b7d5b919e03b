// polymax bench: speed and behaviour of this build on this machine.
#include "cli/command.hpp"

namespace polymax::cli {

void add_bench(CLI::App& app) {
  auto* bench = app.add_subcommand("bench", "speed and behaviour of this build on this machine");
  bench->require_subcommand(1);
  bench->footer("Example: polymax bench games --seconds 5");
  add_bench_games(*bench);
  add_bench_nets(*bench);
  add_bench_searches(*bench);
  add_bench_selfplay(*bench);
  add_bench_signature(*bench);
  add_bench_study(*bench);
}

}  // namespace polymax::cli

// polymax bench: speed and behaviour of this build on this machine.
#include "cli/commands.hpp"

namespace polymax::cli::bench {

Command command() {
  return command_of_parts(
      "bench", "speed and behaviour of this build on this machine",
      "Example: polymax bench games --seconds 5",
      {bench_games::command(), bench_nets::command(), bench_searches::command(),
       bench_selfplay::command(), bench_signature::command(), bench_study::command()});
}

}  // namespace polymax::cli::bench

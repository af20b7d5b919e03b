// polymax bench: speed and behaviour of this build on this machine.
#include "cli/commands.hpp"

namespace polymax::cli {

Command bench_command() {
  return command_of_parts(
      "bench", "speed and behaviour of this build on this machine",
      "Example: polymax bench games --seconds 5",
      {bench_games_command(), bench_nets_command(), bench_searches_command(),
       bench_selfplay_command(), bench_signature_command(), bench_study_command()});
}

}  // namespace polymax::cli

// polymax net bounds: the smallest and the largest values of a network over the positions of
// matches played with it, which is how the paper scales the rewards of MCTS_h.
#include "arena/net_bounds.hpp"

#include <fmt/core.h>

#include <string>

#include "arena/parallel.hpp"
#include "arena/strength.hpp"
#include "catalog/catalog.hpp"
#include "catalog/computed.hpp"
#include "cli/commands.hpp"
#include "core/error.hpp"
#include "core/json.hpp"
#include "nn/engines.hpp"
#include "nn/net_file.hpp"

namespace polymax::cli::net_bounds {

namespace {

struct Options {
  std::string file, settings;
  std::uint64_t games = 20, seed = 0;
  int threads = 0;
  bool write = false, json = false;

  static Arguments fields() {
    return {
        existing_file(argument(field("FILE", &Options::file, "a .safetensors file"))),
        field("games", &Options::games, "matches", 1, 1'000'000),
        field(
            "settings", &Options::settings,
            "of the network, e.g. engine=torch,device=cuda: hundreds of matches at once on a GPU"),
        field("threads", &Options::threads,
              "matches at once; default: one for each core, more on a GPU", 1, 4096),
        field("seed", &Options::seed, "of the first random moves"),
        field("write", &Options::write, "put them into FILE, for the rewards of mcts"),
        field("json", &Options::json, "one line of JSON")};
  }
};

void run(const Options& options) {
  const std::string bytes = read_net_bytes(options.file);
  Net net = net_from_bytes(bytes, options.file);
  const auto game = catalog::open_game(net.game);
  arena::NetBoundsSettings settings;
  settings.player = Spec::parse(arena::net_player("greedy", options.file, options.settings));
  settings.matches = options.games;
  settings.seed = options.seed;
  settings.threads = options.threads > 0
                         ? options.threads
                         : arena::default_matches({.gpu = catalog::asks_gpu(settings.player)});
  const auto [bounds, positions] = arena::net_bounds(*game, settings);
  if (options.json)
    fmt::print("{}\n", Json{{"file", options.file},
                            {"games", options.games},
                            {"positions", positions},
                            {"lo", bounds.lo},
                            {"hi", bounds.hi},
                            {"file_lo", net.lo},
                            {"file_hi", net.hi}}
                           .dump());
  else
    fmt::print(
        "{}: values from {:.6g} to {:.6g} over {} positions of {} matches; the file says {:.6g} to "
        "{:.6g}\n",
        options.file, bounds.lo, bounds.hi, positions, options.games, net.lo, net.hi);
  if (!options.write) return;
  if (!(bounds.lo < bounds.hi))
    throw Error("all values are the same: they are no bounds", Error::Kind::failed);
  net.lo = static_cast<float>(bounds.lo);
  net.hi = static_cast<float>(bounds.hi);
  save_net(net, options.file, precision_of(bytes, options.file));
}

}  // namespace

Command command() {
  return cli::command<Options>(
      "bounds", "its smallest and largest values in matches played with it; --write keeps them",
      "Example: polymax net bounds net.safetensors --games 100 --write", run);
}

}  // namespace polymax::cli::net_bounds

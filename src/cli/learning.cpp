#include "cli/learning.hpp"

#include <fmt/core.h>

#include <filesystem>

#include "catalog/catalog.hpp"
#include "core/cores.hpp"
#include "core/error.hpp"
#include "core/file.hpp"
#include "nn/engines.hpp"
#include "nn/torch_engine.hpp"

namespace polymax::cli {

void add_play_options(CLI::App& command, PlayOptions& options) {
  command.add_option("--search", options.search, "teaching search")->capture_default_str();
  command
      .add_option("--budget", options.budget,
                  "of a move; a line is always searched to its end (paper: seconds=2)")
      ->capture_default_str();
  command.add_option("--device", options.device, "cpu, cuda or auto")->capture_default_str();
  command.add_option("--parallel", options.parallel,
                     "matches at once; default: 256 on a GPU, one a core without");
  command
      .add_option("--keep-resolved", options.resolved,
                  "MiB for solved positions that are known from match to match; 0: every match "
                  "finds its own")
      ->check(CLI::Range(0, 1 << 20))
      ->capture_default_str();
  command.add_option("--batch", options.batch, "positions a GPU values at once, at most")
      ->capture_default_str();
}

void check(const PlayOptions& options) {
  Spec::parse(options.search);
  catalog::parse_budget(options.budget);
}

bool on_gpu(const PlayOptions& options) {
  if (options.device == "cuda" || options.device == "cpu") return options.device == "cuda";
  if (options.device != "auto")
    throw Error("--device is cpu, cuda or auto, not '" + options.device + "'");
  return cuda_available();
}

int matches_at_once(const PlayOptions& options, bool gpu) {
  if (options.parallel > 0) return options.parallel;
  return gpu ? 256 : cores();
}

std::shared_ptr<LiveNet> live_net(const PlayOptions& options, const Net& net, bool gpu) {
  return make_live_net(net,
                       {gpu ? Engine::torch : Engine::cpu,
                        gpu ? TorchDevice::cuda : TorchDevice::cpu, Isa::automatic},
                       options.batch);
}

learn::PlayMatch match_player(const PlayOptions& options, const AnyGame& game) {
  const auto resolved =
      options.resolved > 0
          ? std::make_shared<ResolvedPositions>(static_cast<std::size_t>(options.resolved) << 20)
          : nullptr;
  return [&game, resolved, search = Spec::parse(options.search),
          budget = catalog::parse_budget(options.budget)](
             std::shared_ptr<const LoadedNet> net, std::uint64_t seed, std::stop_token stop) {
    Budget own = budget;
    own.stop = std::move(stop);
    return game.self_play(std::move(net), search, own, seed, resolved.get());
  };
}

void say(const std::string& text) {
  fmt::print(stderr, "polymax: {}\n", text);
}

bool is_run(const std::string& folder) {
  return std::filesystem::exists(folder + "/run.json");
}

nlohmann::json run_description(const std::string& folder, const AnyGame& game) {
  auto run = nlohmann::json::parse(read_file(folder + "/run.json"), nullptr, false);
  if (!run.is_object() || run.value("format", "") != "polymax-run-1")
    throw Error(folder + "/run.json is not the description of a run", Error::Kind::failed);
  if (run.value("game", "") != game.spec())
    throw Error(folder + " is a run of " + run.value("game", "") + ", not of " + game.spec());
  return run;
}

}  // namespace polymax::cli

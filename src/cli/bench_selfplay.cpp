// polymax bench selfplay: positions a second that self-play values, against what the device
// computes alone, in one run; and where the rest goes.
#include <fmt/core.h>

#include <chrono>

#include "catalog/catalog.hpp"
#include "catalog/run_game.hpp"
#include "cli/commands.hpp"
#include "cli/device_bench.hpp"
#include "cli/gpu.hpp"
#include "cli/learning.hpp"
#include "core/clock.hpp"
#include "core/cores.hpp"
#include "core/json.hpp"
#include "learn/settings.hpp"
#include "learn/source.hpp"
#include "nn/net_file.hpp"
#include "nn/service.hpp"

namespace polymax::cli::bench_selfplay {

namespace {

struct Options {
  std::string game = "quadrothello", search = "descent", budget = "evals=100";
  TorchDevice device = TorchDevice::cpu;
  std::vector<int> parallel{};
  int channels = 64, blocks = 4, batch = 2048;
  double seconds = 10, settle = 3;
  bool turned = false, json = false;
  GpuOptions gpu;

  std::string_view device_name() const {
    return kTorchDeviceNames[static_cast<std::size_t>(device)];
  }

  static Arguments fields() {
    return {field("game", &Options::game, "game spec"),
            field("device", &Options::device, "our engine, or torch on a GPU", kTorchDeviceNames),
            field("parallel", &Options::parallel, "matches at once; several values: one line each",
                  1, kMaxMatches),
            field("channels", &Options::channels, "of the network", 1, 1024),
            field("blocks", &Options::blocks, "of the network", 0, 100),
            field("batch", &Options::batch, "positions the GPU takes at once", 1, kMaxBatch),
            field("turned", &Options::turned, "boards are turned so that the mover is seat 1"),
            field("search", &Options::search, "teaching search"),
            field("budget", &Options::budget, "of a move"),
            field("seconds", &Options::seconds, "measured", 0.01, 3600),
            field("settle", &Options::settle, "seconds before that", 0, 3600),
            part(&Options::gpu),
            field("json", &Options::json, "one line of JSON")};
  }
};

struct Measured {
  double seconds = 0, processor = 0;
  std::uint64_t positions = 0, lessons = 0, samples = 0;
  ServiceStatistics statistics;
};

Measured play_for(const Options& options, const learn::RunGame& game, const Net& net, bool gpu,
                  int parallel) {
  learn::PlaySettings play;
  play.search = options.search;
  play.budget = options.budget;
  play.batch = options.batch;
  const auto live = learn::live_net(play, net, gpu);
  learn::SelfPlay source(live, game.matches(play), parallel, 0, 1, 0, say);
  const auto take_for = [&](double seconds, Measured* out) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (std::chrono::steady_clock::now() < end)
      if (const auto lesson = source.next(std::chrono::milliseconds(20)); lesson && out) {
        ++out->lessons;
        out->samples +=
            lesson->samples.points.size() / static_cast<std::size_t>(game.subject.players);
      }
  };
  take_for(options.settle, nullptr);
  Measured out;
  const auto begin = std::chrono::steady_clock::now();
  const double processor = process_cpu_seconds();
  const auto positions = live->evaluated();
  const auto before = live->service() ? live->service()->statistics() : ServiceStatistics{};
  take_for(options.seconds, &out);
  out.positions = live->evaluated() - positions;
  if (live->service()) out.statistics = live->service()->statistics() - before;
  out.processor = process_cpu_seconds() - processor;
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return out;
}

void print(const Options& options, const AnyGame& game, int parallel, double raw,
           const Measured& m) {
  const double rate = static_cast<double>(m.positions) / m.seconds;
  const auto count = [](std::uint64_t n) {
    return static_cast<double>(std::max<std::uint64_t>(1, n));
  };
  const std::vector<std::pair<const char*, double>> figures{
      {"positions_per_second", rate},
      {"raw_positions_per_second", raw},
      {"share_of_raw", raw > 0 ? rate / raw : 0},
      {"matches_per_second", static_cast<double>(m.lessons) / m.seconds},
      {"samples_per_second", static_cast<double>(m.samples) / m.seconds},
      {"mean_batch", m.statistics.mean_batch()},
      {"fill", m.statistics.fill()},
      {"queue_us", 1e6 * m.statistics.queued_seconds / count(m.statistics.batches)},
      {"mean_request", static_cast<double>(m.statistics.positions) / count(m.statistics.requests)},
      {"utilisation", m.statistics.utilisation()},
      {"cores_busy", m.processor / m.seconds},
      {"cpu_us_per_position", 1e6 * m.processor / count(m.positions)}};
  if (options.json) {
    Json out{{"bench", "selfplay"},
             {"game", game.spec()},
             {"search", options.search},
             {"budget", options.budget},
             {"device", options.device_name()},
             {"channels", options.channels},
             {"blocks", options.blocks},
             {"turned", options.turned},
             {"batch", options.batch},
             {"parallel", parallel}};
    for (const auto& [key, value] : figures) out[key] = value;
    fmt::print("{}\n", out.dump());
  } else {
    fmt::print("{} with {} channels, {} matches at once on {}\n", game.spec(), options.channels,
               parallel, options.device_name());
    for (const auto& [key, value] : figures) fmt::print("  {:<26} {:>14.2f}\n", key, value);
  }
  std::fflush(stdout);
}

void run(const Options& options) {
  options.gpu.apply();
  const std::shared_ptr<const AnyGame> game = catalog::open_game(options.game);
  const learn::RunGame played = catalog::run_game(game);
  const learn::Subject& subject = played.subject;
  const bool gpu = options.device == TorchDevice::cuda;
  const NetShape shape{subject.planes, subject.players, options.channels, options.blocks,
                       8 * options.channels};
  Net net = untrained_net(shape, subject.game, subject.rules_version, 1);
  net.turned = options.turned;
  check_net_for(net, subject.purpose(), "--turned");
  const double raw = gpu ? raw_device_speed(net, TorchDevice::cuda, options.batch, 2) : 0;
  auto parallel = options.parallel;
  if (parallel.empty()) parallel.push_back(gpu ? 256 : cores());
  for (const int matches : parallel)
    print(options, *game, matches, raw, play_for(options, played, net, gpu, matches));
}

}  // namespace

Command command() {
  return cli::command<Options>(
      "selfplay", "positions a second of self-play, against the device alone",
      "Example: polymax bench selfplay --device cuda --parallel 256,512 --batch 2048", run);
}

}  // namespace polymax::cli::bench_selfplay

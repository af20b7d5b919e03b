// polymax bench nets: positions a second of the CPU engine for every instruction set of this
// machine, beside libtorch on one core where that is there, with their ratios; or of a torch device
// through the service.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "catalog/catalog.hpp"
#include "cli/commands.hpp"
#include "cli/device_bench.hpp"
#include "cli/gpu.hpp"
#include "core/clock.hpp"
#include "core/error.hpp"
#include "core/json.hpp"
#include "core/rng.hpp"
#include "core/thread.hpp"
#include "learn/lesson.hpp"
#include "nn/cpu_engine.hpp"
#include "nn/torch_engine.hpp"

namespace polymax::cli::bench_nets {

namespace {

enum class Device { own, cpu, cuda };  // the CPU engine, or torch
constexpr std::array<std::string_view, 3> kDeviceNames{"own", "cpu", "cuda"};

struct Options {
  std::string game = "quadrothello";
  std::vector<int> channels{64}, batches{1, 8, 16, 64};
  std::vector<std::string> isas;
  Device device = Device::own;
  int blocks = 4, threads = 1, callers = 256, moves = 0;
  double seconds = 0.5;
  bool fixed = false, json = false;
  GpuOptions gpu;

  std::string_view device_name() const { return kDeviceNames[static_cast<std::size_t>(device)]; }

  static Arguments fields() {
    return {
        field("game", &Options::game, "whose planes are used"),
        field("channels", &Options::channels, "channels of the nets", 1, 1024),
        field("blocks", &Options::blocks, "residual blocks", 0, 100),
        field("batch", &Options::batches, "positions at once", 1, 65'536),
        field("isa", &Options::isas, "instruction sets; all of this machine when absent"),
        field("device", &Options::device,
              "our engine on the CPU, or torch on this device through the service", kDeviceNames),
        field("moves", &Options::moves,
              "the second head is asked for so many moves of each position: what that costs on the "
              "CPU engine; on a device, the rate of callers who ask for them",
              1, 10'000),
        field("callers", &Options::callers, "threads that ask the service", 1, 4096),
        field("threads", &Options::threads, "callers at once, each computing in its own thread", 1,
              1024),
        field("seconds", &Options::seconds, "time for each line", 0.01, 3600),
        part(&Options::gpu),
        field("fixed", &Options::fixed,
              "with --device cpu or cuda: batches of one size, whose values are always the same"),
        field("json", &Options::json, "one line of JSON a measurement")};
  }
};

// A second, of all threads together. A machine's speed changes while it is measured (AMX has two
// states on some), so the peak of the instruction set is measured between the slices and the share
// is the median of theirs; the fastest slice tells what a machine does in its fast state.
struct Speed {
  double positions = 0, fastest = 0, peak = 0, share = 0;
};

struct Result {
  std::string isa;
  int channels = 0, batch = 0;
  Speed speed;
  double flops = 0, difference = 0;  // a second; difference from the plain kernels
};

double median(std::vector<double> numbers) {
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::ranges::nth_element(numbers, middle);
  return *middle;
}

// What is measured: values one batch of positions.
struct Measured {
  std::function<void()> value_batch;
  int batch;
  double flops_per_position;
  Isa peak_of;
  double (*spent)() = thread_cpu_seconds;  // CPU-seconds of whoever computes
};

// Positions a CPU-second of one thread: the median of ten slices or more, so that a disturbance of
// the machine does not count.
Speed speed(const Measured& m, double seconds) {
  const int count = std::max(10, static_cast<int>(seconds / 0.05));
  m.value_batch();
  std::vector<double> slices, peaks, shares;
  for (int slice = 0; slice < count; ++slice) {
    const double begin = m.spent();
    double spent = 0;
    int rounds = 0;
    for (; spent < seconds / count; spent = m.spent() - begin, ++rounds) m.value_batch();
    slices.push_back(rounds * m.batch / spent);
    peaks.push_back(peak_flops(m.peak_of, 0.005));
    shares.push_back(slices.back() * m.flops_per_position / peaks.back());
  }
  return {median(slices), std::ranges::max(slices), median(peaks), median(shares)};
}

Speed speed_of_threads(const CpuEngine& engine, const NetShape& shape,
                       const std::vector<std::uint64_t>& planes, const Options& options,
                       int batch) {
  std::vector<Speed> each(static_cast<std::size_t>(options.threads));
  std::mutex mutex;
  std::exception_ptr failure;
  const auto measure = [&](Speed& mine) {
    try {
      std::vector<float> out(static_cast<std::size_t>(batch * shape.players));
      mine = speed(
          {[&] { engine.evaluate(planes, out); }, batch, flops_per_position(shape), engine.isa()},
          options.seconds);
    } catch (...) {
      const std::scoped_lock lock(mutex);
      failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (auto& mine : each) threads.push_back(start_thread([&] { measure(mine); }));
  }
  if (failure) std::rethrow_exception(failure);
  Speed sum;
  for (const Speed& one : each) {
    sum.positions += one.positions;
    sum.fastest += one.fastest;
    sum.peak += one.peak;
    sum.share += one.share / options.threads;
  }
  return sum;
}

void print(const Result& r, const Options& options, const std::string& game) {
  if (options.json) {
    const Json out{{"bench", "nets"},
                   {"engine", r.isa == "torch" ? "torch" : "cpu"},
                   {"isa", r.isa},
                   {"game", game},
                   {"channels", r.channels},
                   {"blocks", options.blocks},
                   {"batch", r.batch},
                   {"threads", options.threads},
                   {"positions_per_second", r.speed.positions},
                   {"gflops", r.flops / 1e9},
                   {"fastest_gflops", r.flops / 1e9 * r.speed.fastest / r.speed.positions},
                   {"peak_gflops", r.speed.peak / 1e9},
                   {"share_of_peak", r.speed.share},
                   {"difference_from_plain", r.difference}};
    fmt::print("{}\n", out.dump());
  } else {
    fmt::print("{:<11} {:>8} {:>6} {:>12.0f} {:>10.1f} {:>10.1f} {:>9.1f} % {:>12.1e}\n", r.isa,
               r.channels, r.batch, r.speed.positions, r.flops / 1e9,
               r.flops / 1e9 * r.speed.fastest / r.speed.positions, 100 * r.speed.share,
               r.difference);
  }
  std::fflush(stdout);
}

Isa fastest_fp32() {
  Isa out = Isa::plain;
  for (const Isa isa : available_isas())
    if (isa == Isa::avx2 || isa == Isa::avx512) out = isa;
  return out;
}

std::vector<Isa> wanted_isas(const Options& options) {
  if (options.isas.empty()) return available_isas();
  std::vector<Isa> out;
  for (const auto& name : options.isas) {
    const auto found = std::find(kIsaNames.begin() + 1, kIsaNames.end(), name);
    if (found == kIsaNames.end())
      throw Error("--isa: no instruction set '" + name + "'; there are " +
                  one_of(std::span(kIsaNames).subspan(1)));
    out.push_back(static_cast<Isa>(found - kIsaNames.begin()));
  }
  return out;
}

// libtorch in fp32 on one core, in the same run.
std::vector<Result> bench_torch(const Options& options, const AnyGame& game, const Net& net) {
  std::vector<Result> out;
  for (const int batch : options.batches) {
    const auto planes = random_positions(net.shape.input, batch);
    std::vector<float> expected(static_cast<std::size_t>(batch * game.players()));
    CpuEngine(net, Isa::plain).evaluate(planes, expected);
    std::vector<float> got;
    Result r{"torch", net.shape.channels, batch, {}};
    r.speed = speed({torch_on_one_core(net, planes, got), batch, flops_per_position(net.shape),
                     fastest_fp32(), process_cpu_seconds},  // by the service's thread
                    options.seconds);
    r.flops = r.speed.positions * flops_per_position(net.shape);
    r.difference = relative_difference(expected, got);
    print(r, options, game.spec());
    out.push_back(r);
  }
  return out;
}

std::vector<Result> bench_isa(const Options& options, const AnyGame& game, const Net& net,
                              Isa isa) {
  const CpuEngine plain(net, Isa::plain), engine(net, isa);
  std::vector<Result> out;
  for (const int batch : options.batches) {
    const auto planes = random_positions(net.shape.input, batch);
    std::vector<float> expected(static_cast<std::size_t>(batch * game.players())),
        got(expected.size());
    plain.evaluate(planes, expected);
    engine.evaluate(planes, got);
    Result r{std::string(kIsaNames[static_cast<std::size_t>(isa)]), net.shape.channels, batch, {}};
    r.speed = speed_of_threads(engine, net.shape, planes, options, batch);
    r.flops = r.speed.positions * flops_per_position(net.shape);
    r.difference = relative_difference(expected, got);
    print(r, options, game.spec());
    out.push_back(r);
  }
  return out;
}

// What the second head costs: batches with and without it in turn, CPU-seconds of one thread.
void bench_second_head(const Options& options, const AnyGame& game, const Net& net, Isa isa) {
  constexpr int kSlices = 20;
  const CpuEngine engine(net, isa);
  for (const int batch : options.batches) {
    const auto planes = random_positions(net.shape.input, batch);
    Rng rng(2);
    RandomMoves moves(net.shape, static_cast<std::size_t>(batch), options.moves, rng);
    std::vector<float> out(static_cast<std::size_t>(batch * game.players()));
    const auto rate = [&](auto value_batch) {
      const double begin = thread_cpu_seconds();
      double spent = 0;
      int rounds = 0;
      for (; spent < options.seconds / kSlices; spent = thread_cpu_seconds() - begin, ++rounds)
        value_batch();
      return rounds * batch / spent;
    };
    std::vector<double> alone, both, costs;
    for (int slice = 0; slice < kSlices; ++slice) {
      alone.push_back(rate([&] { engine.evaluate(planes, out); }));
      both.push_back(rate(
          [&] { engine.evaluate(planes, out, moves.first(static_cast<std::size_t>(batch))); }));
      costs.push_back(alone.back() / both.back() - 1);
    }
    const std::string name(kIsaNames[static_cast<std::size_t>(isa)]);
    if (options.json)
      fmt::print("{}\n", Json{{"bench", "nets_second_head"},
                              {"isa", name},
                              {"game", game.spec()},
                              {"channels", net.shape.channels},
                              {"blocks", net.shape.blocks},
                              {"move_planes", net.shape.move_planes},
                              {"moves", options.moves},
                              {"batch", batch},
                              {"positions_per_second", median(alone)},
                              {"with_moves", median(both)},
                              {"cost", median(costs)}}
                             .dump());
    else
      fmt::print("{:<11} {:>8} {:>6} {:>12.0f} {:>12.0f} {:>9.1f} %\n", name, net.shape.channels,
                 batch, median(alone), median(both), 100 * median(costs));
    std::fflush(stdout);
  }
}

void run_second_head(const Options& options, const AnyGame& game, const PlaneShape& input) {
  const int move_planes = game.subject().move_planes;
  if (move_planes == 0) throw Error("'" + game.spec() + "' does not say where its moves lie");
  if (!options.json)
    fmt::print(
        "{} {}x{}, {} planes, {} blocks, {} moves a position in {} move planes, one thread\n"
        "{:<11} {:>8} {:>6} {:>12} {:>12} {:>11}\n",
        game.spec(), input.height, input.width, input.planes, options.blocks, options.moves,
        move_planes, "isa", "channels", "batch", "values/s", "with moves/s", "cost");
  for (const int channels : options.channels) {
    const Net net =
        untrained_net({input, game.players(), channels, options.blocks, 8 * channels, move_planes},
                      game.spec(), game.about().version, 1);
    for (const Isa isa : wanted_isas(options)) bench_second_head(options, game, net, isa);
  }
}

// What the fastest instruction set gains on one core, in this run: over the fastest fp32 one and
// over libtorch's fp32.
void print_ratios(const std::vector<Result>& all, const Options& options, const AnyGame& game,
                  int batch) {
  const Result *best = nullptr, *fp32 = nullptr, *torch = nullptr;
  for (const Result& r : all) {
    if (r.batch != batch) continue;
    const auto faster = [&](const Result* than) {
      return !than || r.speed.positions > than->speed.positions;
    };
    if (r.isa == "torch")
      torch = &r;
    else if (faster(best))
      best = &r;
    if ((r.isa == "plain" || r.isa == "avx2" || r.isa == "avx512") && faster(fp32)) fp32 = &r;
  }
  if (!best) return;
  const auto over = [&](const Result* a, const Result* b, double threads,
                        double Speed::*kind) -> std::optional<double> {
    if (!a || !b) return std::nullopt;
    return a->speed.*kind / threads / (b->speed.*kind);
  };
  const auto best_over_fp32 = over(best, fp32, 1, &Speed::positions),
             best_over_torch = over(best, torch, options.threads, &Speed::positions),
             fp32_over_torch = over(fp32, torch, options.threads, &Speed::positions),
             fastest_over_torch = over(best, torch, options.threads, &Speed::fastest);
  if (options.json) {
    const auto ratio = [](std::optional<double> x) { return x ? Json(*x) : nullptr; };
    const Json out{{"bench", "nets_ratios"},
                   {"game", game.spec()},
                   {"channels", best->channels},
                   {"batch", batch},
                   {"best_isa", best->isa},
                   {"best_share_of_peak", best->speed.share},
                   {"best_over_fp32", ratio(best_over_fp32)},
                   {"best_over_torch", ratio(best_over_torch)},
                   {"fp32_over_torch", ratio(fp32_over_torch)},
                   {"fastest_over_torch", ratio(fastest_over_torch)}};
    return fmt::print("{}\n", out.dump());
  }
  fmt::print("batch {}: {} at {:.1f} % of its peak", batch, best->isa, 100 * best->speed.share);
  if (fp32) fmt::print(", {:.2f} times {}", *best_over_fp32, fp32->isa);
  if (torch)
    fmt::print(", {:.2f} times libtorch in fp32 ({:.2f} in their fastest slices)", *best_over_torch,
               *fastest_over_torch);
  fmt::print("\n");
}

void run_cpu(const Options& options, const AnyGame& game, const PlaneShape& input) {
  const auto isas = wanted_isas(options);
  if (!options.json)
    fmt::print(
        "{} {}x{}, {} planes, {} blocks, {} thread(s)\n{:<11} {:>8} {:>6} {:>12} {:>10} {:>10} "
        "{:>11} {:>12}\n",
        game.spec(), input.height, input.width, input.planes, options.blocks, options.threads,
        "isa", "channels", "batch", "positions/s", "GFLOP/s", "fastest", "of peak", "difference");
  for (const int channels : options.channels) {
    const NetShape shape{input, game.players(), channels, options.blocks, 8 * channels};
    const Net net = untrained_net(shape, game.spec(), game.about().version, 1);
    std::vector<Result> all;
    const auto keep = [&](const std::vector<Result>& more) {
      all.insert(all.end(), more.begin(), more.end());
    };
    for (const Isa isa : isas) keep(bench_isa(options, game, net, isa));
    if (options.isas.empty() && torch_built()) keep(bench_torch(options, game, net));
    for (const int batch : options.batches) print_ratios(all, options, game, batch);
  }
}

// Many threads ask for 5 to 60 positions at a time, as searches do.
DeviceBenchResult bench_device(const Options& options, const Net& net, int batch) {
  DeviceBench bench;
  bench.callers = options.callers;
  bench.limit = batch;
  bench.seconds = options.seconds;
  bench.mode = options.fixed ? BatchMode::fixed : BatchMode::best;
  bench.moves = options.moves;
  return run_device_bench(net,
                          options.device == Device::cuda ? TorchDevice::cuda : TorchDevice::cpu,
                          random_positions(net.shape.input, 256), bench);
}

void run_torch(const Options& options, const AnyGame& game, const PlaneShape& input) {
  const int move_planes = options.moves > 0 ? game.subject().move_planes : 0;
  if (options.moves > 0 && move_planes == 0)
    throw Error("'" + game.spec() + "' does not say where its moves lie");
  if (!options.json)
    fmt::print(
        "{} {}x{}, {} planes, {} blocks, torch on {}, {} callers\n{:>8} {:>6} {:>12} {:>12} {:>7} "
        "{:>10} {:>9} {:>6} {:>11} {:>12}\n",
        game.spec(), input.height, input.width, input.planes, options.blocks, options.device_name(),
        options.callers, "channels", "batch", "raw/s", "batched/s", "share", "mean batch",
        "queue us", "busy", "1 caller us", "difference");
  for (const int channels : options.channels)
    for (const int batch : options.batches) {
      const NetShape shape{input,          game.players(), channels,
                           options.blocks, 8 * channels,   move_planes};
      const Net net = untrained_net(shape, game.spec(), game.about().version, 1);
      const DeviceBenchResult r = bench_device(options, net, batch);
      const Json out{{"bench", "nets"},
                     {"engine", "torch"},
                     {"device", options.device_name()},
                     {"game", game.spec()},
                     {"channels", channels},
                     {"blocks", options.blocks},
                     {"batch", batch},
                     {"callers", options.callers},
                     {"fixed", options.fixed},
                     {"moves", options.moves},
                     {"raw_positions_per_second", r.raw},
                     {"positions_per_second", r.batched},
                     {"share_of_raw", r.raw > 0 ? r.batched / r.raw : 0},
                     {"mean_batch", r.statistics.mean_batch()},
                     {"queue_us", r.queue_us},
                     {"utilisation", r.statistics.utilisation()},
                     {"fill", r.statistics.fill()},
                     {"one_caller_us", r.one_caller_us},
                     {"difference_from_plain", r.difference}};
      if (options.json)
        fmt::print("{}\n", out.dump());
      else
        fmt::print(
            "{:>8} {:>6} {:>12.0f} {:>12.0f} {:>6.1f}% {:>10.0f} {:>9.0f} {:>5.0f}% "
            "{:>11.0f} {:>12.1e}\n",
            channels, batch, r.raw, r.batched, r.raw > 0 ? 100 * r.batched / r.raw : 0,
            r.statistics.mean_batch(), r.queue_us, 100 * r.statistics.utilisation(),
            r.one_caller_us, r.difference);
      std::fflush(stdout);
    }
}

void run(const Options& options) {
  options.gpu.apply();
  const auto game = catalog::open_game(options.game);
  if (!game->planes()) throw Error("the game '" + game->spec() + "' has no network planes");
  if (options.device != Device::own) return run_torch(options, *game, *game->planes());
  options.moves > 0 ? run_second_head(options, *game, *game->planes())
                    : run_cpu(options, *game, *game->planes());
}

}  // namespace

Command command() {
  return cli::command<Options>("nets", "positions a CPU-second of value networks on this machine",
                               "Example: polymax bench nets --channels 64,128 --batch 1,16 --json",
                               run);
}

}  // namespace polymax::cli::bench_nets

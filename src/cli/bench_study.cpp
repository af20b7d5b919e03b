// polymax bench study: many networks on one device. Plays a study with copies of the shipped
// networks for a while and compares the positions it values with what the device computes alone:
// the time that each game's positions would take at the speed of one network's full batches,
// against the time that passed.
#include <fmt/core.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <stop_token>
#include <string_view>
#include <thread>

#include "arena/parallel.hpp"
#include "arena/study_run.hpp"
#include "cli/commands.hpp"
#include "cli/device_bench.hpp"
#include "cli/gpu.hpp"
#include "core/clock.hpp"
#include "core/error.hpp"
#include "core/file.hpp"
#include "core/json.hpp"
#include "nn/net_file.hpp"

namespace polymax::cli::bench_study {

namespace {

namespace fs = std::filesystem;

struct Options {
  std::string study = "studies/evals", budget = "evals=500", shard = "0/1", keep;
  TorchDevice device = TorchDevice::cuda;
  std::vector<std::string> games;
  int networks = 10, threads = arena::kMostGpuMatches;
  double seconds = 120;
  bool each = false;
  bool fixed = false, json = false;
  GpuOptions gpu;

  static Arguments fields() {
    return {
        existing_folder(field("study", &Options::study, "folder with study.json")),
        field("game", &Options::games, "only these games"),
        field("networks", &Options::networks, "copies of the shipped one, for each game", 1, 1000),
        field("budget", &Options::budget, "of a move"),
        field("device", &Options::device, "where torch computes", kTorchDeviceNames),
        field("threads", &Options::threads, "matches at once", 1, 4096),
        field("seconds", &Options::seconds, "at most", 0.1, 86'400),
        field("shard", &Options::shard,
              "I/N: only the matches k with k mod N = I; a small part of the study has all games "
              "and networks in it and can be played to its end"),
        field(
            "each", &Options::each,
            "game after game, each for its part of the seconds; a study of all of them stays long "
            "with the first"),
        part(&Options::gpu),
        field("fixed", &Options::fixed, "network(batch=fixed): values that stay the same"),
        field("keep", &Options::keep,
              "folder for the study, its networks and its matches, which are thrown away without; "
              "must not exist"),
        field("json", &Options::json, "one line of JSON")};
  }
};

struct GameRow {
  std::string name;
  NetShape shape;
  double raw = 0;  // positions a second of one network alone
  std::uint64_t positions = 0;
  double seconds = 0;  // of a study of this game alone
};

// Where the study is played: the folder that is to be kept, or one that is gone at the end.
class Folder {
 public:
  explicit Folder(const std::string& keep)
      : kept_(!keep.empty()),
        path_(kept_
                  ? fs::path(keep)
                  : fs::temp_directory_path() / fmt::format("polymax-bench-study-{}", ::getpid())) {
    if (kept_ && fs::exists(path_)) throw Error("--keep: '" + keep + "' exists already");
    make_folder(path_.string());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    if (!kept_) fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  bool kept_;
  fs::path path_;
};

// Leaves these games and what plays them.
void keep_games(Json& study, const std::vector<std::string>& games) {
  study["games"] = games;
  for (Json& player : study["players"].list()) {
    if (!player.contains("games")) continue;
    std::erase_if(player["games"].list(), [&](const Json& game) {
      return std::ranges::find(games, game.get<std::string>()) == games.end();
    });
  }
  std::erase_if(study["players"].list(), [](const Json& player) {
    return player.contains("games") && player["games"].empty();
  });
}

Json read_study(const Options& options) {
  if (!fs::exists(options.study + "/study.json"))
    throw Error("'" + options.study + "' has no study.json: a study is a folder with one");
  Json study = Json::parse(read_file(options.study + "/study.json"), Json::Comments::allowed);
  if (!study.is_object()) throw Error(options.study + "/study.json is no study");
  if (!options.games.empty()) keep_games(study, options.games);
  study["networks"] = {
      {"files", "../nets/$game/f_*.safetensors"},
      {"settings", fmt::format("engine=torch,device={}{}",
                               kTorchDeviceNames[static_cast<std::size_t>(options.device)],
                               options.fixed ? ",batch=fixed" : "")}};
  study["budget"] = options.budget;
  study["functions"] = options.networks;
  return study;
}

// Copies of the shipped networks of the study's games, in the folder.
std::vector<GameRow> copy_networks(const Options& options, const Json& study,
                                   const fs::path& folder) {
  std::vector<GameRow> out;
  for (const auto& game : study["games"]) {
    const auto name = game.get<std::string>();
    const std::string file = shipped_net_file(name);
    out.push_back({name, load_net_header(file).net.shape});
    make_folder((folder / "nets" / name).string());
    for (int i = 0; i < options.networks; ++i)
      fs::copy_file(file, folder / "nets" / name / fmt::format("f_{:03}.safetensors", i));
  }
  return out;
}

// Stops a run after some seconds, or not at all when it ends before.
class Alarm {
 public:
  explicit Alarm(double seconds)
      : thread_([this, seconds](const std::stop_token& over) {
          std::unique_lock lock(mutex_);
          waiting_.wait_for(lock, over, std::chrono::duration<double>(seconds),
                            [] { return false; });
          source_.request_stop();
        }) {}
  std::stop_token token() const { return source_.get_token(); }

 private:
  std::mutex mutex_;
  std::condition_variable_any waiting_;
  std::stop_source source_;
  std::jthread thread_;
};

// What was played, of one study or of several.
struct Played {
  double seconds = 0, ready = 0;
  std::uint64_t planned = 0, matches = 0, failed = 0;
  std::string first_error;
};

// Plays the study, or the shard of it that was asked for, in a folder of its own for so many
// seconds.
void play(const Options& options, const Json& study, const fs::path& folder, double seconds,
          Played& played) {
  make_folder(folder.string());
  write_file((folder / "study.json").string(), study.dump(1));
  const auto asked = std::chrono::steady_clock::now();
  const auto opened = arena::Study::open(folder.string());
  opened.check_all_players();
  const auto begin = std::chrono::steady_clock::now();
  arena::StudyRunSettings settings;
  settings.threads = options.threads;
  settings.shard = parse_part(options.shard, "shard");
  const Alarm alarm(seconds);
  const auto progress = arena::run_study(opened, settings, {}, alarm.token());
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  played.seconds += spent.count();
  played.ready += std::chrono::duration<double>(begin - asked).count();
  played.planned += progress.planned;
  played.matches += progress.played;
  played.failed += progress.failed;
  if (played.first_error.empty()) played.first_error = progress.first_error;
}

Json result(const Options& options, const std::vector<GameRow>& games, const Played& played,
            double processor, const ServiceStatistics& statistics, const NetService& service) {
  double alone = 0;
  std::uint64_t positions = 0;
  Json each = Json::object();
  for (const auto& game : games) {
    if (game.raw > 0) alone += static_cast<double>(game.positions) / game.raw;
    positions += game.positions;
    each[game.name] = {{"positions", game.positions}, {"raw_positions_per_second", game.raw}};
    if (game.seconds > 0 && game.raw > 0)
      each[game.name]["share_of_raw"] =
          static_cast<double>(game.positions) / game.raw / game.seconds;
  }
  const auto memory = service.memory();
  constexpr double kGib = 1024.0 * 1024 * 1024;
  return {
      {"bench", "study"},
      {"study", options.study},
      {"device", service.device().name()},
      {"budget", options.budget},
      {"networks", options.networks},
      {"threads", options.threads},
      {"fixed", options.fixed},
      {"each", options.each},
      {"ready_seconds", played.ready},  // until the first match may begin
      {"seconds", played.seconds},
      {"shard", options.shard},
      {"planned", played.planned},
      {"matches", played.matches},
      {"failed", played.failed},
      {"positions_per_second", static_cast<double>(positions) / played.seconds},
      {"share_of_raw", alone / played.seconds},
      {"mean_batch", statistics.mean_batch()},
      {"fill", statistics.fill()},
      {"swaps_per_batch", static_cast<double>(statistics.swaps) /
                              static_cast<double>(std::max<std::uint64_t>(1, statistics.batches))},
      {"utilisation", statistics.utilisation()},
      {"cores_busy", processor / played.seconds},
      {"graphs_gib", static_cast<double>(memory.shapes) / kGib},
      {"weights_gib", static_cast<double>(memory.weights) / kGib},
      {"networks_on_device", memory.networks},
      {"games", each}};
}

void print(const Options& options, const Json& out) {
  if (options.json) return fmt::print("{}\n", out.dump());
  for (const auto& [key, value] : out.items())
    if (!value.is_object()) fmt::print("{:<22} {}\n", key, value.dump());
  for (const auto& [name, game] : out["games"].items())
    fmt::print("  {:<14} {:>14} positions, {:>12.0f} a second alone\n", name,
               game["positions"].get<std::uint64_t>(),
               game["raw_positions_per_second"].get<double>());
}

void play_each(const Options& options, const Json& study, const fs::path& folder,
               std::vector<GameRow>& games, Played& played) {
  for (auto& game : games) {
    Json alone = study;
    keep_games(alone, {game.name});
    const double before = played.seconds;
    play(options, alone, folder / ("study-" + game.name),
         options.seconds / static_cast<double>(games.size()), played);
    game.seconds = played.seconds - before;
  }
}

void run(const Options& options) {
  options.gpu.apply();
  parse_part(options.shard, "shard");  // refused before anything is measured
  const Folder folder(options.keep);
  const Json study = read_study(options);
  auto games = copy_networks(options, study, folder.path());
  NetService& service = service_of(options.device);
  for (auto& game : games)
    game.raw =
        raw_device_speed(load_net(shipped_net_file(game.name)), options.device, kMostAtOnce, 1);
  for (auto& game : games) game.positions = service.positions_of(game.shape);
  const auto before = service.statistics();
  const double processor = process_cpu_seconds();
  Played played;
  if (options.each)
    play_each(options, study, folder.path(), games, played);
  else
    play(options, study, folder.path() / "study", options.seconds, played);
  for (auto& game : games) game.positions = service.positions_of(game.shape) - game.positions;
  print(options, result(options, games, played, process_cpu_seconds() - processor,
                        service.statistics() - before, service));
  if (played.failed > 0) throw Error(played.first_error, Error::Kind::failed);
}

}  // namespace

Command command() {
  return cli::command<Options>(
      "study", "many networks on one device: a study for a while, against one network alone",
      "Example: polymax bench study --networks 10 --seconds 240", run);
}

}  // namespace polymax::cli::bench_study

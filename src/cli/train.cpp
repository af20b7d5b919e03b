// polymax train: learns a network by self-play (learn/run.hpp). What a run looks like is shown by
// train_report.cpp.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "catalog/catalog.hpp"
#include "catalog/run_game.hpp"
#include "cli/command.hpp"
#include "cli/learning.hpp"
#include "cli/signals.hpp"
#include "core/error.hpp"
#include "learn/run.hpp"

namespace polymax::cli {

namespace {

struct Options {
  std::string game;
  learn::RunSettings run;
  bool json = false;
};

// "12.3k", "4.5M".
std::string brief(double number) {
  if (number >= 1e9) return fmt::format("{:.2f}G", number / 1e9);
  if (number >= 1e6) return fmt::format("{:.2f}M", number / 1e6);
  if (number >= 1e4) return fmt::format("{:.1f}k", number / 1e3);
  return fmt::format("{:.0f}", number);
}

// What the second head knows; nothing without one.
std::string recall_of(const learn::Entry& e) {
  const learn::Recall& recall = e.window.recall;
  if (recall.positions == 0) return "";
  return fmt::format(", prior {:.3f}, recall {:.0f}/{:.0f}/{:.0f} %", e.loss.prior,
                     100 * recall.share(&learn::Recall::first),
                     100 * recall.share(&learn::Recall::first4),
                     100 * recall.share(&learn::Recall::first8));
}

void show(const learn::Entry& e, double done, const learn::Workers* elsewhere) {
  const std::string workers = elsewhere == nullptr
                                  ? ""
                                  : fmt::format(", {} lessons waiting, {} workers alive",
                                                elsewhere->waiting, elsewhere->alive);
  const std::string busy =
      fmt::format("{} {:.0f} %", e.of_gpu ? "GPU" : "CPU", 100 * e.device_share);
  std::string left = "no end set";
  if (done > 0)
    left = fmt::format("{:.0f} s left", std::max(0.0, e.counters.seconds * (1 - done) / done));
  if (e.counters.matches == 0 && e.counters.steps > 0) {
    fmt::print(
        stderr,
        "{}warm-up on random matches: positions {}, loss {:.4f}, steps {} ({:.1f}/s), {}, {}{}",
        isatty(2) ? "\r\033[K" : "", brief(static_cast<double>(e.counters.learned)), e.loss.value,
        e.counters.steps, e.steps_per_second, busy, left, isatty(2) ? "" : "\n");
    return;
  }
  std::string wins;
  for (int p = 0; p < e.players; ++p)
    wins += fmt::format("{}{:.0f}", p == 0 ? "" : "/", 100 * e.window.win_share(p));
  fmt::print(stderr,
             "{}matches {}, positions {} ({}/s), loss {:.4f}{}, length {:.1f}, wins {} %, solved "
             "{:.0f} %, steps {} "
             "({:.1f}/s), {}{}, {}{}",
             isatty(2) ? "\r\033[K" : "", e.counters.matches,
             brief(static_cast<double>(e.counters.evaluations)), brief(e.positions_per_second),
             e.loss.value, recall_of(e), e.window.mean_length(), wins,
             100 * e.window.solved_share(), e.counters.steps, e.steps_per_second, busy, workers,
             left, isatty(2) ? "" : "\n");
}

void print_end(const Options& options, const std::string& game, const learn::RunEnd& end) {
  const learn::Counters& c = end.counters;
  if (options.json)
    fmt::print("{}\n", nlohmann::ordered_json{{"game", game},
                                              {"net", end.net},
                                              {"matches", c.matches},
                                              {"evaluations", c.evaluations},
                                              {"samples", c.samples},
                                              {"steps", c.steps},
                                              {"seconds", c.seconds}}
                           .dump());
  else
    fmt::print(
        "{}: {} matches, {} positions valued, {} samples, {} steps, {:.1f} "
        "minutes\n",
        end.net, c.matches, c.evaluations, c.samples, c.steps, c.seconds / 60);
}

void show_start(const learn::RunStart& start, const std::string& folder) {
  fmt::print(stderr, "polymax: learning {} with {} channels, {} blocks; {} on the {}; {}\n",
             start.game, start.net.channels, start.net.blocks,
             start.at_once == 0 ? "from the workers in " + start.workers
                                : fmt::format("{} matches at once", start.at_once),
             start.gpu ? "GPU" : "CPU", folder);
}

// What the command says itself, by the keys of run.json.
std::set<std::string> given(const CLI::App& command) {
  std::set<std::string> out;
  for (const char* flag : {"--net", "--search", "--budget", "--from", "--in", "--keep-resolved",
                           "--minutes", "--matches"}) {
    std::string key = flag + 2;
    std::ranges::replace(key, '-', '_');
    if (command.count(flag) > 0) out.insert(key);
  }
  return out;
}

void train(Options options, const CLI::App& command) {
  const StopOnSignal signals;  // before libraries make threads of their own
  if (options.game.empty()) throw Error("GAME is needed: polymax train GAME --out DIR");
  options.run.given = given(command);
  const learn::RunGame game = catalog::run_game(catalog::open_game(options.game));
  learn::RunWatch watch;
  watch.note = say;
  watch.begins = [&](const learn::RunStart& start) { show_start(start, options.run.out); };
  watch.entry = show;
  const learn::RunEnd end = learn::run(game, options.run, watch, signals.token());
  if (isatty(2)) fmt::print(stderr, "\n");
  print_end(options, game.subject.game, end);
  if (signals.signal_name() == nullptr) return;
  fmt::print(stderr, "polymax: stopped by {}; --resume goes on\n", signals.signal_name());
  throw CLI::RuntimeError(kUnfinished);
}

}  // namespace

void add_train(CLI::App& app) {
  auto* command = app.add_subcommand(
      "train", "learn a network by self-play; a folder holds the run and its checkpoints");
  auto options = std::make_shared<Options>();
  command->add_option("GAME", options->game, "game spec; needed to learn");
  command->add_option("--out", options->run.out, "folder of the run");
  command->add_option(
      "--net", options->run.net,
      "channels=64,blocks=4,dense=0,turned=on,moves=on; default: these on a GPU, "
      "channels=16,blocks=2 on the CPU. "
      "turned: boards are turned so that the mover is seat 0, where the game has "
      "symmetries for it. moves: a second head knows which moves deserve a look, where "
      "the game says where moves lie");
  command->add_option(
      "--learn", options->run.learn,
      "settings of learning: memory=75,duplication=3,batch=3000,rate=1e-4,first_rate=0,"
      "schedule=cosine,symmetries=on,warm_up=0.15,playouts=8,pace=0,prior=1; batch=250 on the CPU");
  command->add_option("--minutes", options->run.minutes,
                      "end after so many minutes, restarts included; --resume keeps the end of the "
                      "run unless one is given");
  command->add_option("--matches", options->run.matches,
                      "end after so many matches, restarts included");
  add_play_options(*command, options->run.play);
  command
      ->add_option("--threads", options->run.threads,
                   "of the trainer on the CPU; default: one for each core, 8 at most")
      ->check(CLI::Range(1, 1024));
  command->add_option("--seed", options->run.seed, "of everything random");
  command->add_option("--from", options->run.from,
                      "begin with a checkpoint, e.g. the compact.pmx of another run, or a "
                      ".safetensors network; of this game or "
                      "of another size of it");
  command->add_option(
      "--in", options->run.in,
      "learn from the workers of `polymax selfplay --out` of this folder; no matches here");
  command->add_option("--checkpoint-every", options->run.checkpoint_every, "seconds")
      ->capture_default_str();
  command->add_option("--journal-every", options->run.journal_every, "seconds")
      ->capture_default_str();
  command->add_flag("--resume", options->run.resume, "go on with the run in --out");
  command->add_flag("--json", options->json, "the result as one line of JSON");
  command->footer("Example: polymax train 'quadrothello(n=8)' --minutes 5 --out out/quad8");
  add_train_report(*command);
  command->callback([options, command] {
    if (!command->got_subcommand("report")) train(*options, *command);
  });
}

}  // namespace polymax::cli

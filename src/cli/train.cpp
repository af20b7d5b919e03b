// polymax train: learns a network by self-play (learn/run.hpp). What a run looks like is shown by
// train_report.cpp.
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "catalog/run_game.hpp"
#include "cli/commands.hpp"
#include "cli/gpu.hpp"
#include "cli/learning.hpp"
#include "cli/signals.hpp"
#include "cli/terminal.hpp"
#include "core/json.hpp"
#include "learn/run.hpp"
#include "report/curve_svg.hpp"

namespace polymax::cli::train {

namespace {

// "memory=75,duplication=3,...": all settings with their defaults.
template <class T>
std::string presets_text() {
  std::string out;
  for (const auto& setting : describe_settings<T>())
    out += (out.empty() ? "" : ",") + setting.key + "=" + setting.preset;
  return out;
}

std::string_view net_help() {
  static const std::string text =
      "network to learn: " + presets_text<learn::NetSettings>() +
      "; unless they are named, 16 channels and 2 blocks on the CPU, and turned and moves are on "
      "where the game can. turned: boards are turned so that the mover is seat 1, where the game "
      "has symmetries for it. moves: a second head knows which moves deserve a look, where the "
      "game says where moves lie";
  return text;
}

std::string_view learn_help() {
  static const std::string text = "settings of learning: " + presets_text<learn::Settings>() +
                                  "; batch=250 on the CPU unless it is named";
  return text;
}

// The options of learn::RunSettings.
Arguments run_fields() {
  using Run = learn::RunSettings;
  return {output_folder(required(field("out", &Run::out, "folder of the run"))),
          field("net", &Run::net, net_help()),
          field("learn", &Run::learn, learn_help()),
          field("minutes", &Run::minutes,
                "end after so many minutes, restarts included; --resume keeps the end of the run "
                "unless one is given",
                0.001, 1e7),
          field("matches", &Run::matches, "end after so many matches, restarts included", 1,
                1'000'000'000'000),
          part(&Run::play, play_fields()),
          field("threads", &Run::threads,
                "of the trainer on the CPU; default: one for each core, 8 at most", 1, 1024),
          field("seed", &Run::seed, "of everything random"),
          existing_file(field("from", &Run::from,
                              "begin with a checkpoint, e.g. the compact.pmx of another run, or a "
                              ".safetensors network; of this game or of another size of it")),
          output_folder(field("in", &Run::in,
                              "learn from the workers of `polymax selfplay --out` of this folder, "
                              "made where it is not there yet; no matches here")),
          field("checkpoint-every", &Run::checkpoint_every, "seconds", 0.001, 1e7),
          field("journal-every", &Run::journal_every, "seconds", 0.001, 1e7),
          field("resume", &Run::resume, "go on with the run in --out")};
}

struct Options {
  std::string game;
  learn::RunSettings run;
  GpuOptions gpu;
  bool json = false;

  static Arguments fields() {
    return {argument(field("GAME", &Options::game, "game spec")), part(&Options::run, run_fields()),
            part(&Options::gpu), field("json", &Options::json, "the result as one line of JSON")};
  }
};

// What the second head knows; nothing without one.
std::string recall_of(const learn::Entry& e) {
  const learn::Recall& recall = e.window.recall;
  if (recall.positions == 0) return "";
  return fmt::format("recall {:.0f}/{:.0f}/{:.0f} %", 100 * recall.share(&learn::Recall::first),
                     100 * recall.share(&learn::Recall::first4),
                     100 * recall.share(&learn::Recall::first8));
}

std::string time_left(const learn::Entry& e, double done) {
  if (done <= 0) return "no end set";
  return fmt::format("{:.0f} s left", std::max(0.0, e.counters.seconds * (1 - done) / done));
}

std::vector<std::string> warm_up_parts(const learn::Entry& e, double done) {
  return {"warm-up on random matches", fmt::format("loss {:.4f}", e.loss.value),
          fmt::format("{} {:.0f} %", e.of_gpu ? "GPU" : "CPU", 100 * e.device_share),
          time_left(e, done),
          fmt::format("steps {} ({:.1f}/s)", e.counters.steps, e.steps_per_second)};
}

// What matters most stands first: a narrow terminal shows less. All of it is in the log.
std::vector<std::string> progress_parts(const learn::Entry& e, double done,
                                        const learn::Workers* elsewhere) {
  std::string wins;
  for (int p = 0; p < e.players; ++p)
    wins += fmt::format("{}{:.0f}", p == 0 ? "" : "/", 100 * e.window.win_share(p));
  return {fmt::format("matches {}", e.counters.matches),
          time_left(e, done),
          fmt::format("loss {:.4f}", e.loss.value),
          elsewhere == nullptr ? ""
                               : fmt::format("{} lessons waiting, {} workers alive",
                                             elsewhere->waiting, elsewhere->alive),
          report::brief(e.positions_per_second) + " positions/s",
          fmt::format("{} {:.0f} %", e.of_gpu ? "GPU" : "CPU", 100 * e.device_share),
          "wins " + wins + " %",
          fmt::format("length {:.1f}", e.window.mean_length()),
          recall_of(e),
          fmt::format("solved {:.0f} %", 100 * e.window.solved_share()),
          fmt::format("steps {} ({:.1f}/s)", e.counters.steps, e.steps_per_second)};
}

void print_end(const Options& options, const std::string& game, const learn::RunEnd& end) {
  const learn::Counters& c = end.counters;
  if (options.json)
    fmt::print("{}\n", Json{{"game", game},
                            {"net", end.net},
                            {"matches", c.matches},
                            {"evaluations", c.evaluations},
                            {"samples", c.samples},
                            {"steps", c.steps},
                            {"seconds", c.seconds}}
                           .dump());
  else
    fmt::print("{}: {} matches, {} positions valued, {} samples, {} steps, {:.1f} minutes\n",
               end.net, c.matches, c.evaluations, c.samples, c.steps, c.seconds / 60);
}

void show_start(const learn::RunStart& start, const std::string& folder) {
  tell(fmt::format("polymax: learning {} with {}; {} on the {}; {}\n", start.game,
                   shape_text(start.net),
                   start.at_once == 0 ? "from the workers in " + start.workers
                                      : fmt::format("{} matches at once", start.at_once),
                   start.gpu ? "GPU" : "CPU", folder));
}

// What the command says itself, by the keys of run.json.
std::set<std::string> keys_of(const Given& given) {
  std::set<std::string> out;
  for (std::string key :
       {"net", "search", "budget", "from", "in", "keep-resolved", "minutes", "matches", "seed"}) {
    if (!given.has(key)) continue;
    std::ranges::replace(key, '-', '_');
    out.insert(key);
  }
  return out;
}

int train(Options options, const Given& given) {
  const StopOnSignal signals;  // before libraries make threads of their own
  options.gpu.apply();
  options.run.given = keys_of(given);
  const std::shared_ptr<const AnyGame> opened = catalog::open_game(options.game);
  opened->player(Spec::parse(options.run.play.search), 0);  // known, before a folder is made
  const learn::RunGame game = catalog::run_game(opened);
  learn::RunWatch watch;
  watch.note = say;
  watch.begins = [&](const learn::RunStart& start) { show_start(start, options.run.out); };
  StatusLine line;
  watch.entry = [&](const learn::Entry& e, double done, const learn::Workers* elsewhere) {
    if (!line.due()) return;
    const bool warming = e.counters.matches == 0 && e.counters.steps > 0;
    line.show(warming ? warm_up_parts(e, done) : progress_parts(e, done, elsewhere));
  };
  const learn::RunEnd end = learn::run(game, options.run, watch, signals.token());
  line.clear();
  print_end(options, game.subject.game, end);
  if (signals.signal_name() == nullptr) return 0;
  tell(fmt::format("polymax: stopped by {}; --resume goes on\n", signals.signal_name()));
  return kUnfinished;
}

}  // namespace

Command command() {
  auto out = cli::command<Options>(
      "train", "learn a network by self-play; a folder holds the run and its checkpoints",
      "Example: polymax train 'quadrothello(n=8)' --minutes 5 --out out/quad8", train);
  out.parts.push_back(train_report::command());
  return out;
}

}  // namespace polymax::cli::train

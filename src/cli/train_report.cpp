// polymax train report: what a run of learning looks like, as one HTML page in its folder, with
// matches that measure the strength of its networks.
#include <fmt/core.h>

#include <cmath>
#include <string>
#include <vector>

#include "arena/checksum.hpp"
#include "arena/parallel.hpp"
#include "arena/strength.hpp"
#include "catalog/catalog.hpp"
#include "cli/commands.hpp"
#include "cli/signals.hpp"
#include "cli/terminal.hpp"
#include "core/cores.hpp"
#include "core/error.hpp"
#include "core/file.hpp"
#include "nn/net_file.hpp"
#include "report/training_report.hpp"

namespace polymax::cli::train_report {

namespace {

struct Options {
  std::string folder, budget = "evals=100";
  std::uint64_t games = 10, seed = 0;
  int threads = 0, earlier = 4;
  bool curve = false, no_matches = false, json = false;

  static Arguments fields() {
    return {
        existing_folder(argument(field("DIR", &Options::folder, "folder of the run"))),
        field("games", &Options::games, "starts of a pairing, each played once from every seat", 1,
              1'000'000),
        field("budget", &Options::budget, "what a player may spend on a move"),
        field("earlier", &Options::earlier, "networks of history/ to play against, at most", 0,
              1000),
        field("curve", &Options::curve,
              "play earlier networks against mcts and greedy(eval=estimate) besides: strength over "
              "the run"),
        field("threads", &Options::threads, "matches at once; default: one for each core", 1, 4096),
        field("seed", &Options::seed, "of starts and players"),
        field("no-matches", &Options::no_matches, "curves, and strength as played before"),
        field("json", &Options::json, "print the numbers as one line of JSON")};
  }
};

arena::KeptNet kept_net(const std::string& file) {
  const std::string bytes = read_net_bytes(file);
  return {file, net_from_bytes(bytes, file).training.matches, arena::checksum_text(bytes)};
}

// Ascending by matches, the run's newest last; empty when there is no net.safetensors yet.
std::vector<arena::KeptNet> nets_of(const std::string& folder) {
  std::vector<arena::KeptNet> out;
  if (!exists(learn::net_file(folder))) return out;
  for (const auto& file : learn::earlier_nets(folder)) out.push_back(kept_net(file));
  out.push_back(kept_net(learn::net_file(folder)));
  return out;
}

void progress(const arena::Pairing& pairing, std::size_t k, std::size_t count, std::uint64_t done,
              std::uint64_t planned) {
  if (!status_is_seen() && done < planned) return;
  StatusLine().show(std::vector{
      fmt::format("pairing {} of {}: {} of {} matches", k + 1, count, done, planned),
      fmt::format("after {} matches against {}", pairing.net.matches, pairing.opponent)});
}

arena::StrengthSettings strength_settings(const Options& options, const AnyGame& game) {
  arena::StrengthSettings out;
  out.game = &game;
  out.budget = options.budget;
  out.starts = options.games;
  out.seed = options.seed;
  out.threads = options.threads > 0 ? options.threads : cores();
  const bool timed = std::isfinite(catalog::parse_budget(options.budget).seconds);
  arena::check_threads(out.threads, timed);
  return out;
}

int run(const Options& options) {
  report::TrainingReport report{learn::open_training(options.folder), {}, {}, 0};
  const auto game = catalog::open_game(report.run.game);
  const auto settings = strength_settings(options, *game);
  const StopOnSignal signals;
  const auto nets = nets_of(options.folder);
  arena::StrengthFile file(options.folder);
  if (nets.empty())
    report.notes.push_back("There is no net.safetensors yet: the first checkpoint writes it.");
  if (nets.size() == 1)
    report.notes.push_back("There is no earlier network in history/ yet to play against.");
  report.nets = nets.empty() ? 0 : nets.size() - 1;
  if (!nets.empty()) report.network = shape_text(load_net_header(nets.back().file).net.shape);
  if (!options.no_matches) {
    const auto wanted =
        arena::pairings(nets, static_cast<std::size_t>(options.earlier),
                        options.curve ? arena::Measured::all : arena::Measured::newest, settings);
    const auto watch = [&](std::size_t k, std::uint64_t done, std::uint64_t planned) {
      progress(wanted[k], k, wanted.size(), done, planned);
    };
    for (auto& note : arena::play_missing(wanted, settings, file, watch, signals.token()))
      report.notes.push_back(std::move(note));
    StatusLine().clear();
  }
  report.strength = file.results();
  const std::string page = options.folder + "/report.html";
  write_file(page, report::training_html(report));
  fmt::print("{}", options.json ? report::training_json(report) : report::training_text(report));
  tell(fmt::format("written: {}\n", page));
  if (signals.signal_name() == nullptr) return 0;
  tell(fmt::format("polymax: {}: not all pairings were played; the same command plays the rest\n",
                   signals.signal_name()));
  return kUnfinished;
}

}  // namespace

Command command() {
  return cli::command<Options>(
      "report", "curves and strength of a run, as DIR/report.html",
      "Example: polymax train report out/quad8 --games 20\n"
      "Pairings are kept in DIR/strength.jsonl; the same command plays only what is new.",
      run);
}

}  // namespace polymax::cli::train_report

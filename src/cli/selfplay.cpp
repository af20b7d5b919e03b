// polymax selfplay: a worker of a training on many machines. It plays with the newest network of
// the trainer's folder and leaves lessons in a folder that `polymax train --in` reads. May be
// killed and started again at any time.

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "catalog/run_game.hpp"
#include "cli/commands.hpp"
#include "cli/gpu.hpp"
#include "cli/learning.hpp"
#include "cli/signals.hpp"
#include "cli/terminal.hpp"
#include "core/clock.hpp"
#include "core/error.hpp"
#include "core/json.hpp"
#include "learn/worker.hpp"

namespace polymax::cli::selfplay {

namespace {

struct Options {
  std::string game, worker = "0/1", net_from, out;
  learn::PlaySettings play;
  GpuOptions gpu;
  double minutes = 0;  // minutes, matches 0: no end set
  std::uint64_t matches = 0, seed = 0, unread = 100;
  bool json = false;

  static Arguments fields() {
    return {
        argument(field("GAME", &Options::game, "game spec")),
        field("worker", &Options::worker, "I/N: which of how many workers this is"),
        output_folder(required(field("net-from", &Options::net_from,
                                     "the trainer's --out; its newest network is played with"))),
        output_folder(
            required(field("out", &Options::out, "folder for the lessons: the trainer's --in"))),
        part(&Options::play, play_fields()),
        part(&Options::gpu),
        field("matches", &Options::matches, "end after so many matches of this start", 1),
        field("minutes", &Options::minutes, "end after so many minutes of this start", 0.001, 1e7),
        field("unread", &Options::unread, "wait when so many lessons of this worker lie unread", 1,
              1 << 30),
        field("seed", &Options::seed,
              "of everything random; other workers and starts play other matches"),
        field("json", &Options::json, "the end as one line of JSON")};
  }
};

void show(const learn::WorkerReport& r) {
  StatusLine().show(std::vector{
      fmt::format("matches {} ({:.1f}/s)", r.matches, static_cast<double>(r.matches) / r.seconds),
      fmt::format("positions {:.0f}/s", static_cast<double>(r.evaluations) / r.seconds),
      fmt::format("{} lessons unread{}", r.unread, r.waits ? ": waits for the trainer" : ""),
      fmt::format("network of {} steps", r.net_steps)});
}

// Searches as the trainer's run says, where the command does not.
void read_run(Options& options, const Given& given, const AnyGame& game) {
  if (!learn::is_run(options.net_from)) return;
  const auto run = learn::read_run(options.net_from, game.spec());
  if (!given.has("search")) options.play.search = run.play.search;
  if (!given.has("budget")) options.play.budget = run.play.budget;
}

void print_end(const Options& options, const learn::WorkerReport& r, learn::WorkerEnd end) {
  constexpr const char* kWhy[] = {"planned", "stopped", "over"};
  const char* why = kWhy[static_cast<std::size_t>(end)];
  if (options.json)
    fmt::print("{}\n", Json{{"worker", options.worker},
                            {"matches", r.matches},
                            {"evaluations", r.evaluations},
                            {"net_steps", r.net_steps},
                            {"seconds", r.seconds},
                            {"end", why}}
                           .dump());
  else
    fmt::print("worker {}: {} matches, {} positions valued, {:.1f} minutes{}\n", options.worker,
               r.matches, r.evaluations, r.seconds / 60,
               end == learn::WorkerEnd::over ? "; the training is over" : "");
}

learn::WorkerEnd play(Options& options, const Given& given,
                      const std::shared_ptr<const AnyGame>& game, learn::WorkerFolder& folder,
                      const std::stop_token& stop, learn::WorkerReport& report) {
  const double begin = wall_seconds(), seconds = 60 * options.minutes;
  const learn::RunGame run = catalog::run_game(game);
  const learn::Subject& subject = run.subject;
  learn::NetWatch watch(options.net_from, subject);
  const auto net = learn::first_net(
      watch, folder, stop,
      [&] {
        tell(fmt::format("polymax: worker {} waits for {}{}\n", options.worker, watch.path(),
                         folder.over() ? ": the training is over, does it go on?" : ""));
      },
      seconds);
  if (!net && stop.stop_requested()) return learn::WorkerEnd::stopped;
  if (!net) return folder.over() ? learn::WorkerEnd::over : learn::WorkerEnd::planned;
  read_run(options, given, *game);
  const bool gpu = learn::on_gpu(options.play);
  const int parallel = learn::matches_at_once(options.play, gpu);
  tell(
      fmt::format("polymax: worker {}, start {}, plays {} with {}; {} matches at "
                  "once on the {}\n",
                  options.worker, folder.start(), game->spec(), shape_text(net->shape), parallel,
                  gpu ? "GPU" : "CPU"));
  learn::SelfPlay matches(learn::live_net(options.play, *net, gpu), run.matches(options.play),
                          parallel, static_cast<std::size_t>(parallel), folder.seed(options.seed),
                          0, say);
  learn::WorkerPlan plan;
  plan.matches = options.matches;
  if (seconds > 0)  // what is left of them; 0 would be no end
    plan.seconds = std::max(1e-9, seconds - (wall_seconds() - begin));
  plan.unread = options.unread;
  plan.report_every = status_is_seen() ? 1 : 30;
  plan.on_report = show;
  plan.stop = stop;
  learn::Worker worker(subject, std::move(plan), folder, watch, matches, *net);
  const auto end = worker.run();
  report = worker.report();
  return end;
}

int selfplay(Options options, const Given& given) {
  const StopOnSignal signals;  // before libraries make threads of their own
  options.gpu.apply();
  const auto name = parse_part(options.worker, "worker");
  const std::shared_ptr<const AnyGame> game = catalog::open_game(options.game);
  game->player(Spec::parse(options.play.search), 0);  // known, before a folder is made
  learn::try_search(catalog::run_game(game), options.play);
  learn::on_gpu(options.play);
  learn::WorkerFolder folder(options.out, name);
  learn::WorkerReport report;
  const auto end = play(options, given, game, folder, signals.token(), report);
  folder.end();
  StatusLine().clear();
  print_end(options, report, end);
  if (end != learn::WorkerEnd::stopped) return 0;
  tell(fmt::format("polymax: stopped by {}; the same command goes on with new matches\n",
                   signals.signal_name()));
  return kUnfinished;
}

}  // namespace

Command command() {
  return cli::command<Options>(
      "selfplay", "play matches for a trainer on another machine (train --in)",
      "Example: polymax selfplay 'quadrothello(n=8)' --worker 0/2 --net-from out/quad8/run --out "
      "out/quad8\n"
      "with     polymax train 'quadrothello(n=8)' --in out/quad8 --out out/quad8/run --minutes 60\n"
      "--search and --budget are those of the trainer's run where they are not given. SIGINT, "
      "SIGTERM,\nSIGUSR1 and SIGHUP end it with code 75; it ends with 0 when the trainer has all "
      "it "
      "wanted.",
      selfplay);
}

}  // namespace polymax::cli::selfplay

// polymax train: learns a network by self-play. What a run looks like is shown by train_report.cpp.

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "catalog/catalog.hpp"
#include "cli/command.hpp"
#include "cli/learning.hpp"
#include "cli/signals.hpp"
#include "core/cores.hpp"
#include "core/file.hpp"
#include "learn/exchange.hpp"
#include "learn/folder_source.hpp"
#include "learn/loop.hpp"
#include "nn/net_file.hpp"

namespace polymax::cli {

namespace {

namespace fs = std::filesystem;

constexpr int kTrainerThreads = 8;  // by default, at most: a batch has few samples for more
constexpr int kRandomEnds = 500;    // random matches that set the scale of a new network

struct Options {
  std::string game, out, net, learn, from, in;
  PlayOptions play;
  double minutes = 0, checkpoint_every = 120, journal_every = 5;
  std::uint64_t matches = 0, seed = 0;
  int threads = 0;  // as many as help
  bool resume = false, json = false;
};

Spec spec_of(const std::string& name, const std::string& settings) {
  return Spec::parse(name + (settings.empty() ? "" : "(" + settings + ")"));
}

// On the CPU a run of minutes would have too few steps of the paper's 3000 samples. Said in the
// text, which the run keeps: it does not change when the run goes on elsewhere.
void choose_batch(std::string& learn, bool gpu) {
  const Spec given = spec_of("learn", learn);
  if (std::ranges::find(given.arguments, "batch", &SpecArgument::key) != given.arguments.end())
    return;
  learn +=
      (learn.empty() ? "batch=" : ",batch=") + std::to_string(gpu ? learn::Settings{}.batch : 250);
}

// Unless they are given: boards are turned where the game has turns, and the CPU learns a smaller
// network.
learn::NetSettings net_settings(const std::string& text, bool gpu, bool turns) {
  const Spec given = spec_of("net", text);
  auto out = read_settings<learn::NetSettings>(given);
  const auto says_turned = [](const SpecArgument& a) { return a.key == "turned"; };
  if (std::ranges::none_of(given.arguments, says_turned)) out.turned = turns;
  if (!gpu && std::ranges::all_of(given.arguments, says_turned)) {
    out.channels = 16;
    out.blocks = 2;
  }
  return out;
}

// What a run is: kept in its folder, so that --resume needs no repetition.
nlohmann::ordered_json description(const Options& o, const std::string& game) {
  return {{"format", "polymax-run-1"},
          {"game", game},
          {"net", o.net},
          {"learn", o.learn},
          {"search", o.play.search},
          {"budget", o.play.budget},
          {"seed", o.seed},
          {"from", o.from},
          {"in", o.in},
          {"keep_resolved", o.play.resolved},
          {"minutes", o.minutes},
          {"matches", o.matches}};
}

constexpr const char* kLock = "lock";

// Nothing but what one that was killed before it described its run leaves.
bool is_unused(const std::string& folder) {
  std::error_code problem;
  bool out = fs::is_directory(folder, problem);
  for (const auto& entry : fs::directory_iterator(folder, problem))
    out = out && (entry.path().filename() == kLock || entry.path().filename() == "run.json.part");
  return out && !problem;
}

// A folder for a new run: it must not hold anything.
void make_folder(const Options& options) {
  if (is_run(options.out))
    throw Error(options.out +
                " holds a run already; --resume goes on with it, another --out begins a new one");
  std::error_code problem;
  if (fs::exists(options.out, problem) && !is_unused(options.out))
    throw Error(options.out + " is there and is not an empty folder; choose another --out");
  fs::create_directories(options.out, problem);
  if (problem)
    throw Error(options.out + ": cannot be made: " + problem.message(), Error::Kind::failed);
}

// The folder for this process alone; what a killed one left half written goes.
std::unique_ptr<learn::Held> hold(const std::string& folder) {
  constexpr double kPatience = 2;  // seconds: one that was just killed may take a while to go
  auto out = std::make_unique<learn::Held>(
      folder + "/" + kLock, folder + ": another process is learning there", kPatience);
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator(folder, problem)) {
    if (entry.path().extension() == ".part") fs::remove(entry.path(), problem);
  }
  return out;
}

// Settings of learning: those kept, but for the ones given.
std::string with_changes(const std::string& kept, const std::string& given) {
  const Spec changes = spec_of("learn", given);
  read_settings<learn::Settings>(changes);  // complains of what was given, not of what comes of it
  Spec out = spec_of("learn", kept);
  for (const SpecArgument& change : changes.arguments) {
    const auto known = std::ranges::find(out.arguments, change.key, &SpecArgument::key);
    if (known == out.arguments.end())
      out.arguments.push_back(change);
    else
      *known = change;
  }
  std::string text;
  for (const auto& argument : out.arguments)
    text += (text.empty() ? "" : ",") + argument.key + "=" + argument.value.text();
  return text;
}

// Settings of the run in the folder for everything not given again.
void keep_settings(Options& options, const CLI::App& command, const nlohmann::json& run) {
  const auto keep = [&](const char* flag, const char* key, std::string& text) {
    if (command.count(flag) == 0) text = run.value(key, text);
  };
  options.learn = with_changes(run.value("learn", ""), options.learn);
  keep("--search", "search", options.play.search);
  keep("--budget", "budget", options.play.budget);
  keep("--from", "from",
       options.from);              // a run that was killed before its first checkpoint begins again
  keep("--in", "in", options.in);  // --in '' plays here again
  if (command.count("--net") > 0 && run.value("net", "") != options.net)
    throw Error("a run keeps its network: --net cannot change with --resume");
  options.net = run.value("net", options.net);
  options.seed = run.value("seed", options.seed);
  if (command.count("--keep-resolved") == 0)
    options.play.resolved = run.value("keep_resolved", options.play.resolved);
  if (command.count("--minutes") == 0 && command.count("--matches") == 0) {
    options.minutes = run.value("minutes", options.minutes);
    options.matches = run.value("matches", options.matches);
  }
}

void read_run(Options& options, const CLI::App& command, const AnyGame& game) {
  if (!is_run(options.out))
    throw Error(options.out + ": there is no run to resume (no run.json)", Error::Kind::failed);
  const auto run = run_description(options.out, game);
  try {
    keep_settings(options, command, run);
  } catch (const nlohmann::json::exception& error) {
    throw Error(options.out + "/run.json is not the description of a run: " + error.what(),
                Error::Kind::failed);
  }
}

// "12.3k", "4.5M".
std::string brief(double number) {
  if (number >= 1e9) return fmt::format("{:.2f}G", number / 1e9);
  if (number >= 1e6) return fmt::format("{:.2f}M", number / 1e6);
  if (number >= 1e4) return fmt::format("{:.1f}k", number / 1e3);
  return fmt::format("{:.0f}", number);
}

// workers: what is known of them, or nothing
void show(const learn::Entry& e, double done, const std::string& workers) {
  const std::string busy =
      fmt::format("{} {:.0f} %", e.of_gpu ? "GPU" : "CPU", 100 * e.device_share);
  std::string left = "no end set";
  if (done > 0)
    left = fmt::format("{:.0f} s left", std::max(0.0, e.counters.seconds * (1 - done) / done));
  if (e.counters.matches == 0 && e.counters.steps > 0) {
    fmt::print(
        stderr,
        "{}warm-up on random matches: positions {}, loss {:.4f}, steps {} ({:.1f}/s), {}, {}{}",
        isatty(2) ? "\r\033[K" : "", brief(static_cast<double>(e.counters.learned)), e.loss,
        e.counters.steps, e.steps_per_second, busy, left, isatty(2) ? "" : "\n");
    return;
  }
  std::string wins;
  for (int p = 0; p < e.players; ++p)
    wins += fmt::format("{}{:.0f}", p == 0 ? "" : "/", 100 * e.window.win_share(p));
  fmt::print(stderr,
             "{}matches {}, positions {} ({}/s), loss {:.4f}, length {:.1f}, wins {} %, solved "
             "{:.0f} %, steps {} "
             "({:.1f}/s), {}{}, {}{}",
             isatty(2) ? "\r\033[K" : "", e.counters.matches,
             brief(static_cast<double>(e.counters.evaluations)), brief(e.positions_per_second),
             e.loss, e.window.mean_length(), wins, 100 * e.window.solved_share(), e.counters.steps,
             e.steps_per_second, busy, workers, left, isatty(2) ? "" : "\n");
}

// A network file as the beginning of a run: its weights and what it says of its training; Adam
// begins afresh.
learn::Checkpoint from_net(const std::string& file, std::uint64_t seed) {
  learn::Checkpoint out = learn::fresh_checkpoint(load_net(file), seed);
  const auto number = [&](const char* key) {
    const auto found = out.net.training.find(key);
    return found == out.net.training.end() ? 0.0 : std::strtod(found->second.c_str(), nullptr);
  };
  out.counters.matches = static_cast<std::uint64_t>(number("matches"));
  out.counters.evaluations = static_cast<std::uint64_t>(number("evaluations"));
  out.counters.samples = static_cast<std::uint64_t>(number("positions"));
  out.counters.steps = static_cast<std::uint64_t>(number("steps"));
  out.counters.seeds = out.counters.matches;
  out.counters.seconds = 3600 * number("hours");
  out.counters.lowest = out.net.lo;
  out.counters.highest = out.net.hi;
  return out;
}

learn::Checkpoint untrained(const Options& options, const AnyGame& game,
                            const learn::Subject& subject, const learn::NetSettings& net) {
  const bool turned =
      net.turned && subject.purpose().turns;  // begin_run says what is wrong otherwise
  return learn::begin_run(
      subject, net, options.seed,
      game.random_samples(options.seed, {.matches = kRandomEnds, .turned = turned}));
}

// A spec without its size: what the sizes of a game have in common.
std::string without_size(const std::string& game) {
  Spec out = Spec::parse(game);
  std::erase_if(out.arguments,
                [](const SpecArgument& given) { return given.key == "n" || given.key == "side"; });
  return out.text();
}

// What --from names, as the beginning of a run of this game.
learn::Checkpoint given_checkpoint(const Options& options, const AnyGame& game,
                                   const learn::Subject& subject) {
  auto out = options.from.ends_with(".safetensors") ? from_net(options.from, options.seed)
                                                    : learn::load_checkpoint(options.from);
  const bool is_net = options.from.ends_with(".safetensors");
  const std::string file =
      is_net ? read_file(options.from) : net_to_bytes(out.net, NetPrecision::fp32);
  const std::string parent = out.net.game + " " + content_hash(file, options.from);
  if (out.net.game != subject.game && without_size(out.net.game) == without_size(subject.game)) {
    const auto small = catalog::open_game(out.net.game);
    const learn::Subject there = small->subject();
    check_net_for(out.net, there.purpose(), options.from);
    const NetShape& shape = out.net.shape;
    const learn::NetSettings net{shape.channels, shape.blocks, shape.dense, out.net.turned};
    out = learn::at_other_size(out, untrained(options, *small, there, net),
                               untrained(options, game, subject, net));
    fmt::print(stderr, "polymax: begins with the weights of {}\n", there.game);
  }
  if (out.net.game != subject.game)
    throw Error(options.from + " is of " + out.net.game + ", not of " + subject.game);
  check_net_for(out.net, subject.purpose(), options.from);
  out.net.training["parent"] = parent;
  return out;
}

learn::Checkpoint first_checkpoint(const Options& options, const AnyGame& game,
                                   const learn::Subject& subject, bool gpu) {
  if (!options.from.empty()) return given_checkpoint(options, game, subject);
  return untrained(options, game, subject, net_settings(options.net, gpu, subject.purpose().turns));
}

std::optional<learn::Checkpoint> newest(const Options& options, const learn::Subject& subject) {
  std::vector<std::string> damaged;
  auto out = learn::CheckpointFolder(options.out).newest(&damaged);
  for (const auto& problem : damaged)
    fmt::print(stderr, "polymax: {}; renamed to .bad, going on from the checkpoint before\n",
               problem);
  if (out) check_net_for(out->net, subject.purpose(), "the run in " + options.out);
  return out;
}

struct Begun {
  std::unique_ptr<learn::Held> held;
  learn::Checkpoint from;
};

Begun begin(const Options& options, const AnyGame& game, const learn::Subject& subject, bool gpu) {
  Begun out;
  if (options.resume) {
    out.held = hold(options.out);
    auto last = newest(options, subject);
    out.from = last ? std::move(*last) : first_checkpoint(options, game, subject, gpu);
  } else {
    out.from = first_checkpoint(options, game, subject, gpu);
    make_folder(options);
    out.held = hold(options.out);
  }
  write_file(options.out + "/run.json", description(options, game.spec()).dump(2) + "\n");
  return out;
}

std::unique_ptr<learn::SelfPlay> local_matches(const PlayOptions& options, const AnyGame& game,
                                               const learn::Checkpoint& from, bool gpu,
                                               double pace) {
  const int parallel = matches_at_once(options, gpu);
  auto out = std::make_unique<learn::SelfPlay>(
      live_net(options, from.net, gpu), match_player(options, game), parallel,
      pace > 0 ? 0 : static_cast<std::size_t>(parallel), from.seed, from.counters.seeds);
  out->note = say;
  return out;
}

std::unique_ptr<learn::FolderSource> from_workers(const Options& options,
                                                  const learn::Subject& subject,
                                                  const learn::Checkpoint& from) {
  learn::FolderSourceSettings settings;
  settings.exchange = options.in;
  settings.net = options.out + "/net.safetensors";
  settings.note = say;
  return std::make_unique<learn::FolderSource>(subject, std::move(settings), from.net,
                                               from.counters.seeds);
}

// On positions of random matches, made by all cores.
void warm_up(learn::Loop& loop, const AnyGame& game, std::uint64_t seed, int playouts,
             bool turned) {
  constexpr int kMatches = 16, kBefore = 8;  // of a lesson; positions of each match
  const auto make = [&](std::uint64_t number, const std::stop_token&) {
    learn::Lesson out;
    out.samples = game.random_samples(learn::match_seed(~seed, number),
                                      {kMatches, kBefore, playouts, turned});
    return std::optional(std::move(out));
  };
  learn::LessonThreads random(make, cores(), 4 * static_cast<std::size_t>(cores()),
                              loop.counters().learned);
  loop.warm_up(random);
}

void print_end(const Options& options, const AnyGame& game, const learn::Counters& c) {
  if (options.json)
    fmt::print("{}\n", nlohmann::ordered_json{{"game", game.spec()},
                                              {"net", options.out + "/net.safetensors"},
                                              {"matches", c.matches},
                                              {"evaluations", c.evaluations},
                                              {"samples", c.samples},
                                              {"steps", c.steps},
                                              {"seconds", c.seconds}}
                           .dump());
  else
    fmt::print(
        "{}/net.safetensors: {} matches, {} positions valued, {} samples, {} steps, {:.1f} "
        "minutes\n",
        options.out, c.matches, c.evaluations, c.samples, c.steps, c.seconds / 60);
}

void train(Options options, const CLI::App& command) {
  StopOnSignal signals;  // before libraries make threads of their own
  if (options.game.empty()) throw Error("GAME is needed: polymax train GAME --out DIR");
  const auto game = catalog::open_game(options.game);
  const learn::Subject subject = game->subject();
  if (options.out.empty()) throw Error("--out DIR is needed: the folder of the run");
  if (options.resume) read_run(options, command, *game);
  check(options.play);
  const bool gpu = on_gpu(options.play);
  choose_batch(options.learn, gpu);
  const auto settings = read_settings<learn::Settings>(spec_of("learn", options.learn));
  auto [held, from] = begin(options, *game, subject, gpu);

  std::unique_ptr<learn::SelfPlay> here;
  std::unique_ptr<learn::FolderSource> workers;
  if (options.in.empty())
    here = local_matches(options.play, *game, from, gpu, settings.pace);
  else
    workers = from_workers(options, subject, from);
  const auto report = [&](const learn::Entry& entry, double done) {
    show(entry, done,
         workers ? fmt::format(", {} lessons waiting, {} workers alive", workers->waiting(),
                               workers->alive())
                 : "");
  };
  const learn::Plan plan{options.out,           60 * options.minutes,
                         options.matches,       options.checkpoint_every,
                         options.journal_every, report,
                         signals.token()};
  fmt::print(stderr, "polymax: learning {} with {} channels, {} blocks; {} on the {}; {}\n",
             game->spec(), from.net.shape.channels, from.net.shape.blocks,
             workers ? "from the workers in " + options.in
                     : fmt::format("{} matches at once", matches_at_once(options.play, gpu)),
             gpu ? "GPU" : "CPU", options.out);
  learn::Source& source = workers ? static_cast<learn::Source&>(*workers) : *here;
  const bool turned = from.net.turned;
  learn::Loop loop(
      subject, settings,
      {gpu, options.threads > 0 ? options.threads : std::min(cores(), kTrainerThreads)}, plan,
      std::move(from), source);
  warm_up(loop, *game, options.seed, settings.playouts, turned);
  loop.run();
  if (isatty(2)) fmt::print(stderr, "\n");
  print_end(options, *game, loop.counters());
  if (signals.signal_name() != nullptr) {
    fmt::print(stderr, "polymax: stopped by {}; --resume goes on\n", signals.signal_name());
    throw CLI::RuntimeError(kUnfinished);
  }
  if (workers) workers->finish();
}

}  // namespace

void add_train(CLI::App& app) {
  auto* command = app.add_subcommand(
      "train", "learn a network by self-play; a folder holds the run and its checkpoints");
  auto options = std::make_shared<Options>();
  command->add_option("GAME", options->game, "game spec; needed to learn");
  command->add_option("--out", options->out, "folder of the run");
  command->add_option("--net", options->net,
                      "channels=64,blocks=4,dense=0,turned=on; default: these on a GPU, "
                      "channels=16,blocks=2 on the CPU. "
                      "turned: boards are turned so that the mover is seat 0, where the game has "
                      "symmetries for it");
  command->add_option(
      "--learn", options->learn,
      "settings of learning: memory=75,duplication=3,batch=3000,rate=1e-4,first_rate=0,"
      "schedule=cosine,symmetries=on,warm_up=0.15,playouts=8,pace=0; batch=250 on the CPU");
  command->add_option("--minutes", options->minutes,
                      "end after so many minutes, restarts included; --resume keeps the end of the "
                      "run unless one is given");
  command->add_option("--matches", options->matches,
                      "end after so many matches, restarts included");
  add_play_options(*command, options->play);
  command
      ->add_option("--threads", options->threads,
                   "of the trainer on the CPU; default: one for each core, 8 at most")
      ->check(CLI::Range(1, 1024));
  command->add_option("--seed", options->seed, "of everything random");
  command->add_option("--from", options->from,
                      "begin with a checkpoint, e.g. the compact.pmx of another run, or a "
                      ".safetensors network; of this game or "
                      "of another size of it");
  command->add_option(
      "--in", options->in,
      "learn from the workers of `polymax selfplay --out` of this folder; no matches here");
  command->add_option("--checkpoint-every", options->checkpoint_every, "seconds")
      ->capture_default_str();
  command->add_option("--journal-every", options->journal_every, "seconds")->capture_default_str();
  command->add_flag("--resume", options->resume, "go on with the run in --out");
  command->add_flag("--json", options->json, "the result as one line of JSON");
  command->footer("Example: polymax train 'quadrothello(n=8)' --minutes 5 --out out/quad8");
  add_train_report(*command);
  command->callback([options, command] {
    if (!command->got_subcommand("report")) train(*options, *command);
  });
}

}  // namespace polymax::cli

#include "learn/run.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/cores.hpp"
#include "core/error.hpp"
#include "core/file.hpp"
#include "learn/folder_source.hpp"
#include "learn/run_folder.hpp"
#include "nn/net_file.hpp"
#include "nn/torch_engine.hpp"

namespace polymax::learn {

namespace {

constexpr int kTrainerThreads = 8;  // by default, at most: a batch has few samples for more
constexpr int kRandomEnds = 500;    // random matches that set the scale of a new network
constexpr int kBatchOnCpu = 250;

// On the CPU a run of minutes would have too few steps of the paper's 3000 samples. The run keeps
// what was chosen: it does not change when the run goes on elsewhere.
void choose_batch(Spec& learn, bool gpu) {
  if (find_argument(learn, "batch") == nullptr)
    learn.arguments.push_back(
        {"batch", 0, word(std::to_string(gpu ? Settings{}.batch : kBatchOnCpu))});
}

// Unless they are given: boards are turned and a second head knows the moves where the game can,
// and the CPU learns a smaller network.
NetSettings net_settings(const std::string& text, bool gpu, const NetPurpose& of) {
  const Spec given = settings_spec("net", text);
  auto out = read_settings<NetSettings>(given);
  const auto says = [&](const char* key) { return find_argument(given, key) != nullptr; };
  if (!says("turned")) out.turned = of.turns;
  if (!says("moves")) out.moves = of.move_planes > 0;
  if (!gpu && !says("channels") && !says("blocks") && !says("dense")) {
    out.channels = 16;
    out.blocks = 2;
  }
  return out;
}

// A network file as the beginning of a run: its weights and what it says of its training; Adam
// begins afresh.
Checkpoint from_net(const std::string& file, std::uint64_t seed) {
  Checkpoint out = fresh_checkpoint(load_net(file), seed);
  const NetTraining& known = out.net.training;
  out.counters.matches = out.counters.seeds = known.matches;
  out.counters.evaluations = known.evaluations;
  out.counters.samples = known.positions;
  out.counters.steps = known.steps;
  out.counters.seconds = 3600 * known.hours;
  out.counters.lowest = out.net.lo;
  out.counters.highest = out.net.hi;
  return out;
}

NetSettings settings_of(const Net& net) {
  const NetShape& shape = net.shape;
  return {shape.channels, shape.blocks, shape.dense, net.turned, shape.move_planes > 0};
}

// Throws Error where the text asks for another network than the file has.
void check_given(const std::string& text, const Net& net, const std::string& file) {
  const Spec given = settings_spec("net", text);
  auto asked = read_settings<NetSettings>(given);
  const NetSettings has = settings_of(net);
  if (asked.dense == 0) asked.dense = 8 * has.channels;
  for (const Field& field : NetSettings::fields()) {
    if (find_argument(given, field.key) == nullptr) continue;
    const std::string key = std::string(field.key) + "=";
    const std::string wanted = value_of(field, &asked).text(), is = value_of(field, &has).text();
    if (wanted != is)
      throw Error(file + " is a network with " + key + is + ", which --net " + key + wanted +
                  " cannot change");
  }
}

Checkpoint untrained(const RunSettings& settings, const RunGame& game, const NetSettings& net) {
  // begin_run says what is wrong otherwise.
  const bool turned = net.turned && game.subject.purpose().turns;
  return begin_run(game.subject, net, settings.seed,
                   game.random_samples(settings.seed, {.matches = kRandomEnds, .turned = turned}));
}

// A spec without its size: what the sizes of a game have in common.
Spec without_size(const std::string& game, const NetPurpose& of) {
  Spec out = Spec::parse(game);
  for (const auto& key : of.size_options) take_argument(out, key);
  return out;
}

class Beginning {
 public:
  Beginning(const RunSettings& settings, const RunGame& game, const RunWatch& watch, bool gpu)
      : settings_(settings), game_(game), watch_(watch), gpu_(gpu) {}

  Checkpoint first() const {
    if (settings_.from.empty())
      return untrained(settings_, game_,
                       net_settings(settings_.net, gpu_, game_.subject.purpose()));
    Checkpoint out = given();
    if (read_settings<NetSettings>(settings_spec("net", settings_.net)).moves)
      add_second_head(out, game_.subject, settings_.seed);
    check_given(settings_.net, out.net, settings_.from);
    return out;
  }

  std::optional<Checkpoint> newest() const {
    std::vector<std::string> damaged;
    auto out = CheckpointFolder(settings_.out).newest(&damaged);
    for (const auto& problem : damaged)
      note(problem + "; renamed to .bad, going on from the checkpoint before");
    if (out) check_net_for(out->net, game_.subject.purpose(), "the run in " + settings_.out);
    return out;
  }

 private:
  void note(const std::string& text) const {
    if (watch_.note) watch_.note(text);
  }

  // What `from` names, as the beginning of a run of this game.
  Checkpoint given() const {
    const std::string& file = settings_.from;
    const bool is_net = file.ends_with(".safetensors");
    auto out = is_net ? from_net(file, settings_.seed) : load_checkpoint(file);
    const std::string bytes =
        is_net ? read_net_bytes(file) : net_to_bytes(out.net, NetPrecision::fp32);
    const std::string parent = out.net.game + " " + content_hash(bytes, file);
    const std::string& wanted = game_.subject.game;
    const NetPurpose& of = game_.subject;
    if (out.net.game != wanted && without_size(out.net.game, of) == without_size(wanted, of))
      out = at_this_size(out);
    if (out.net.game != wanted) throw Error(file + " is of " + out.net.game + ", not of " + wanted);
    check_net_for(out.net, game_.subject.purpose(), file);
    out.net.training.parent = parent;
    return out;
  }

  Checkpoint at_this_size(const Checkpoint& from) const {
    const RunGame there = game_.open(from.net.game);
    check_net_for(from.net, there.subject.purpose(), settings_.from);
    const NetSettings net = settings_of(from.net);
    auto out =
        at_other_size(from, untrained(settings_, there, net), untrained(settings_, game_, net));
    note("begins with the weights of " + there.subject.game);
    return out;
  }

  const RunSettings& settings_;
  const RunGame& game_;
  const RunWatch& watch_;
  bool gpu_;
};

// Who gives the lessons of a run.
struct Sources {
  std::unique_ptr<SelfPlay> here;
  std::unique_ptr<FolderSource> elsewhere;
  Source& source() { return elsewhere ? static_cast<Source&>(*elsewhere) : *here; }
};

std::unique_ptr<SelfPlay> local_matches(const RunSettings& settings, const RunGame& game,
                                        const RunWatch& watch, const Checkpoint& from, bool gpu,
                                        double pace) {
  const auto net = live_net(settings.play, from.net, gpu);
  const auto play = game.matches(settings.play);
  const int parallel = matches_at_once(settings.play, gpu);
  return std::make_unique<SelfPlay>(net, play, parallel,
                                    pace > 0 ? 0 : static_cast<std::size_t>(parallel), from.seed,
                                    from.counters.seeds, watch.note);
}

std::unique_ptr<FolderSource> from_workers(const RunSettings& settings, const RunGame& game,
                                           const RunWatch& watch, const Checkpoint& from) {
  FolderSourceSettings folder;
  folder.exchange = settings.in;
  folder.net = settings.out + "/net.safetensors";
  folder.note = watch.note;
  return std::make_unique<FolderSource>(game.subject, std::move(folder), from.net,
                                        from.counters.seeds);
}

struct Begun {
  std::unique_ptr<Held> held;
  Checkpoint from;
  Sources given;
};

// Nothing is written before everything that was asked for is known to work.
Begun begin(const RunSettings& settings, const RunGame& game, const RunWatch& watch, bool gpu,
            double pace, const std::function<void(const Checkpoint&)>& try_trainer) {
  const Beginning beginning(settings, game, watch, gpu);
  Begun out;
  if (settings.resume)
    out.held = hold_run_folder(settings.out);
  else
    check_new_folder(settings.out);
  auto last = settings.resume ? beginning.newest() : std::nullopt;
  out.from = last ? std::move(*last) : beginning.first();
  if (settings.in.empty())
    out.given.here = local_matches(settings, game, watch, out.from, gpu, pace);
  if (!settings.resume) {
    try_trainer(out.from);
    make_run_folder(settings.out);
    out.held = hold_run_folder(settings.out);
  }
  if (!settings.in.empty()) out.given.elsewhere = from_workers(settings, game, watch, out.from);
  write_run(settings, game.subject.game);
  return out;
}

// On positions of random matches, made by all cores.
void warm_up(Loop& loop, const RunGame& game, std::uint64_t seed, int playouts, bool turned) {
  constexpr int kMatches = 16, kBefore = 8;  // of a lesson; positions of each match
  const auto make = [&](std::uint64_t number, const std::stop_token&) {
    Lesson out;
    out.samples =
        game.random_samples(match_seed(~seed, number), {kMatches, kBefore, playouts, turned});
    return std::optional(std::move(out));
  };
  LessonThreads random(make, cores(), 4 * static_cast<std::size_t>(cores()),
                       loop.counters().learned);
  loop.warm_up(random);
}

// Says once when self-play begins to repeat itself, and again only after it has recovered.
class CollapseWatch {
 public:
  explicit CollapseWatch(const RunWatch& watch) : watch_(watch) {}

  void look(const Entry& entry) {
    if (!entry.different) return;
    const double different = *entry.different;
    if (different > 2 * Variety::kCollapsed) said_ = false;
    if (said_ || different > Variety::kCollapsed || !watch_.note) return;
    said_ = true;
    watch_.note(collapse_text(different));
  }

 private:
  const RunWatch& watch_;
  bool said_ = false;
};

}  // namespace

bool on_gpu(const PlaySettings& settings) {
  if (settings.device != "cuda" && settings.device != "cpu" && settings.device != "auto")
    throw Error("the device is cpu, cuda or auto, not '" + settings.device + "'");
  if (settings.device == "cpu") return false;
  const bool there = cuda_available();
  if (there || settings.device == "auto") return there;
  throw Error("device cuda: torch finds no GPU here; cpu or auto would do", Error::Kind::failed);
}

void try_search(const RunGame& game, PlaySettings settings) {
  settings.resolved = 0;
  const Subject& subject = game.subject;
  const Net small = untrained_net({subject.planes, subject.players, 1, 0, 1}, subject.game,
                                  subject.rules_version, 0);
  std::stop_source over;
  over.request_stop();
  game.matches(settings)(live_net(settings, small, false), 0, over.get_token());
}

int matches_at_once(const PlaySettings& settings, bool gpu) {
  if (settings.parallel > 0) return settings.parallel;
  return gpu ? 256 : cores();
}

std::shared_ptr<LiveNet> live_net(const PlaySettings& settings, const Net& net, bool gpu) {
  return make_live_net(net,
                       {gpu ? Engine::torch : Engine::cpu,
                        gpu ? TorchDevice::cuda : TorchDevice::cpu, Isa::automatic},
                       settings.batch);
}

RunEnd run(const RunGame& game, RunSettings settings, const RunWatch& watch, std::stop_token stop,
           const MakeTrainer& make_trainer) {
  if (settings.out.empty()) throw Error("the folder of the run is missing");
  if (settings.resume) keep_settings(settings, game.subject.game);
  try_search(game, settings.play);
  const bool gpu = on_gpu(settings.play);
  Spec learn = settings_spec("learn", settings.learn);
  choose_batch(learn, gpu);
  const auto learning = read_settings<Settings>(learn);
  settings.learn = settings_text(learn);
  const int threads = settings.threads > 0 ? settings.threads : std::min(cores(), kTrainerThreads);
  const auto try_trainer = [&](const Checkpoint& first) {
    if (!learning.values && (settings.from.empty() || first.net.shape.move_planes == 0))
      throw Error(
          "--learn values=off keeps the values of a network and teaches its second head: name the "
          "network with --from, and add --net moves=on where it has no second head");
    make_trainer(first.net, first.optimiser, game.subject.symmetries, {gpu, threads});
  };
  auto begun = begin(settings, game, watch, gpu, learning.pace, try_trainer);
  Sources& given = begun.given;
  Checkpoint& from = begun.from;
  Plan plan{settings.out,
            60 * settings.minutes,
            settings.matches,
            settings.checkpoint_every,
            settings.journal_every,
            {},
            stop};
  CollapseWatch collapse(watch);
  plan.on_entry = [&](const Entry& entry, double done) {
    collapse.look(entry);
    if (!watch.entry) return;
    if (!given.elsewhere) return watch.entry(entry, done, nullptr);
    const Workers workers{given.elsewhere->waiting(), given.elsewhere->alive()};
    watch.entry(entry, done, &workers);
  };
  if (watch.begins)
    watch.begins({game.subject.game, from.net.shape, gpu,
                  given.here ? matches_at_once(settings.play, gpu) : 0, settings.in});
  const bool turned = from.net.turned;
  Loop loop(game.subject, learning, {gpu, threads}, std::move(plan), std::move(from),
            given.source(), make_trainer);
  warm_up(loop, game, settings.seed, learning.playouts, turned);
  loop.run();
  if (given.elsewhere && !stop.stop_requested()) given.elsewhere->finish();
  return {settings.out + "/net.safetensors", loop.counters()};
}

}  // namespace polymax::learn

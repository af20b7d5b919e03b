#include "learn/loop.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>

#include "core/clock.hpp"
#include "core/columns.hpp"
#include "core/commit.hpp"
#include "core/cores.hpp"
#include "core/error.hpp"
#include "core/file.hpp"
#include "core/number.hpp"
#include "nn/net_file.hpp"

namespace polymax::learn {

namespace {

constexpr std::string_view kHistoryName = "net-", kHistoryEnd = ".safetensors";
constexpr double kSwapEvery = 0.25;  // seconds between new weights for the matches, with a pace

// The spread of points around their mean, over all seats.
float spread_of_points(const std::vector<float>& points) {
  if (points.empty()) return 1;
  double sum = 0, squares = 0;
  for (const double x : points) {
    sum += x;
    squares += x * x;
  }
  const double n = static_cast<double>(points.size()), variance = squares / n - sum / n * (sum / n);
  return variance > 1e-6 ? static_cast<float>(std::sqrt(variance)) : 1.0f;
}

// An untrained net says the mean points of every seat instead of 0, so that the first steps need
// not learn them.
void set_mean(Net& net, const std::vector<float>& points) {
  const auto players = static_cast<std::size_t>(net.shape.players);
  const auto bias = std::ranges::find(net.tensors, "dense2.bias", &Tensor::name);
  for (std::size_t p = 0; p < players && !points.empty(); ++p) {
    double sum = 0;
    for (std::size_t i = p; i < points.size(); i += players) sum += points[i];
    bias->values[p] +=
        static_cast<float>(sum / static_cast<double>(points.size() / players)) / net.scale;
  }
}

// Measured on quadrothello(n=8): 16 channels in 2 blocks learn faster at 3e-3 than at 1e-3, 64 in 4
// the other way round.
double first_rate_for(const NetShape& shape) {
  return 3e-3 * std::sqrt(32.0 / (shape.channels * std::max(1, shape.blocks)));
}

void demand_finite(const std::vector<float>& numbers) {
  if (std::ranges::all_of(numbers, [](float x) { return std::isfinite(x); })) return;
  throw Error(
      "learning has diverged: weights are no longer finite numbers. The last checkpoint is kept; "
      "to go on from there with a smaller rate and first_rate may help",
      Error::Kind::failed);
}

// The largest number of matches of a network in the history of a run.
std::uint64_t newest_history(const std::string& folder) {
  std::uint64_t out = 0;
  if (!exists(folder + "/history")) return out;
  for (const auto& entry : files_in(folder + "/history")) {
    const std::string_view name = entry.name;
    if (name.starts_with(kHistoryName) && name.ends_with(kHistoryEnd))
      out = std::max(out, number_of<std::uint64_t>(
                              name.substr(kHistoryName.size(),
                                          name.size() - kHistoryName.size() - kHistoryEnd.size()))
                              .value_or(0));
  }
  return out;
}

}  // namespace

Checkpoint fresh_checkpoint(Net net, std::uint64_t seed) {
  Checkpoint out;
  out.net = std::move(net);
  out.seed = seed;
  out.random = Rng(mix64(seed + 1));
  out.replay_random = Rng(mix64(seed + 2));
  return out;
}

Checkpoint begin_run(const Subject& subject, const NetSettings& settings, std::uint64_t seed,
                     const Samples& ends) {
  if (settings.turned && !subject.purpose().turns)
    throw Error("turned=on: '" + subject.game +
                "' has a seat that no symmetry of the game makes seat 1");
  if (settings.moves && subject.move_planes == 0)
    throw Error("moves=on: '" + subject.game + "' does not say where its moves lie");
  Net net = untrained_net(settings.shape(subject.planes, subject.players, subject.move_planes),
                          subject.game, subject.rules_version, seed);
  net.turned = settings.turned;
  net.scale = subject.spread > 0 ? subject.spread : spread_of_points(ends.points);
  set_mean(net, ends.points);
  const auto [lowest, highest] = std::ranges::minmax_element(ends.points);
  if (lowest != ends.points.end()) {
    net.lo = *lowest;
    net.hi = *highest > *lowest ? *highest : *lowest + 1;
  }
  return fresh_checkpoint(std::move(net), seed);
}

Checkpoint at_other_size(const Checkpoint& from, const Checkpoint& begun, Checkpoint fresh) {
  Net& net = fresh.net;
  NetShape shape = from.net.shape;
  const float larger =
      static_cast<float>(net.shape.input.cells()) / static_cast<float>(shape.input.cells());
  shape.input.height = net.shape.input.height;
  shape.input.width = net.shape.input.width;
  shape.move_planes = net.shape.move_planes;  // of another size there may be more or fewer
  if (!(shape == net.shape) || !(begun.net.shape == from.net.shape) ||
      from.net.turned != net.turned)
    throw Error("a network of '" + from.net.game + "' does not fit '" + net.game +
                "': seats, planes, channels, blocks, dense and turned must be the same");
  std::vector<float> mean = net.tensor("dense2.bias").values;
  for (std::size_t p = 0; p < mean.size(); ++p)
    mean[p] -= begun.net.tensor("dense2.bias").values[p] * begun.net.scale / from.net.scale;
  for (Tensor& tensor : net.tensors) {
    const auto known = std::ranges::find(from.net.tensors, tensor.name, &Tensor::name);
    if (known != from.net.tensors.end() && known->dims == tensor.dims) tensor = *known;
    if (tensor.name == "dense1.weight")
      for (float& weight : tensor.values) weight /= larger;
    if (tensor.name == "dense2.bias")
      for (std::size_t p = 0; p < mean.size(); ++p) tensor.values[p] += mean[p];
  }
  fresh.counters = from.counters;
  fresh.counters.lowest = net.lo;
  fresh.counters.highest = net.hi;
  return fresh;
}

void add_second_head(Checkpoint& run, const Subject& subject, std::uint64_t seed) {
  if (subject.move_planes == 0)
    throw Error("moves=on: '" + subject.game + "' does not say where its moves lie");
  Net& net = run.net;
  if (net.shape.move_planes > 0) return;
  NetShape shape = net.shape;
  shape.move_planes = subject.move_planes;
  Net fresh = untrained_net(shape, net.game, net.rules_version, seed);
  std::ranges::copy(net.tensors, fresh.tensors.begin());  // the second head's come last
  net.shape = shape;
  net.tensors = std::move(fresh.tensors);
  if (run.optimiser.first.empty()) return;
  run.optimiser.first.resize(parameter_count(shape));
  run.optimiser.second.resize(parameter_count(shape));
}

Loop::Loop(const Subject& subject, const Settings& settings, const TrainerSettings& trainer,
           Plan plan, Checkpoint from, Source& source, const MakeTrainer& make_trainer)
    : subject_(subject),
      settings_(settings),
      plan_(std::move(plan)),
      counters_(from.counters),
      at_start_(from.counters),
      at_report_(from.counters),
      seed_(from.seed),
      rng_(from.random),
      replay_({settings.memory, settings.duplication}, 0),
      source_(source),
      journal_(plan_.folder, from.counters),
      checkpoints_(plan_.folder),
      history_(newest_history(plan_.folder)),
      processor_(process_cpu_seconds()),
      knows_moves_(from.net.shape.move_planes > 0) {
  if (settings_.first_rate <= 0)
    settings_.first_rate = std::max(settings_.rate, first_rate_for(from.net.shape));
  replay_.restore(std::move(from.replay), from.replay_random);
  if (settings_.pace <= 0) phase_ = std::move(from.phase);
  auto symmetries = subject.symmetries;
  if (from.net.turned)
    std::erase_if(symmetries, [](const Symmetry& by) { return by.seats[0] != 0; });
  if (!settings.symmetries) symmetries.resize(1);
  subject_.symmetries = symmetries;
  TrainerSettings for_loss = trainer;
  for_loss.prior = settings.prior;
  for_loss.values = settings.values;
  trainer_ = make_trainer(from.net, from.optimiser, std::move(symmetries), for_loss);
  begin_ = Clock::now();  // loading torch is not learning
}

bool Loop::done() const {
  return (plan_.matches > 0 && counters_.matches >= plan_.matches) ||
         (plan_.seconds > 0 && at_start_.seconds + running() >= plan_.seconds);
}

double Loop::share_done() const {
  double out = 0;
  if (plan_.matches > 0)
    out = static_cast<double>(counters_.matches) / static_cast<double>(plan_.matches);
  if (plan_.seconds > 0) out = std::max(out, (at_start_.seconds + running()) / plan_.seconds);
  return std::min(out, 1.0);
}

double Loop::rate() const {
  if (settings_.schedule == Schedule::constant || (plan_.matches == 0 && plan_.seconds <= 0))
    return settings_.rate;
  const double fall = (1 + std::cos(std::numbers::pi * share_done())) / 2;
  return settings_.rate + (settings_.first_rate - settings_.rate) * fall;
}

void Loop::take(Lesson lesson) {
  count(counters_, lesson, subject_.players);
  window_.add(lesson, subject_.players);
  variety_.add(lesson);
  if (settings_.pace > 0) {
    due_ += settings_.duplication * static_cast<double>(lesson.samples.points.size()) /
            subject_.players;
    replay_.store(std::move(lesson.samples), subject_.players);
    // what is forgotten is not learned any more
    due_ = std::min(
        due_, std::max<double>(settings_.batch,
                               settings_.duplication * static_cast<double>(replay_.samples())));
    return;
  }
  phase_ = replay_.push(std::move(lesson.samples), subject_.players);
  next_ = 0;
}

bool Loop::may_step() const {
  if (settings_.pace > 0)
    return due_ >= settings_.batch && running() >= paced_ && replay_.samples() > 0;
  return next_ < phase_.size();
}

void Loop::add_to_batch(const Samples& from, std::size_t sample) {
  const auto words = static_cast<std::ptrdiff_t>(subject_.planes.words());
  const auto players = static_cast<std::ptrdiff_t>(subject_.players);
  const auto at = static_cast<std::ptrdiff_t>(sample);
  planes_.insert(planes_.end(), from.planes.begin() + at * words,
                 from.planes.begin() + (at + 1) * words);
  points_.insert(points_.end(), from.points.begin() + at * players,
                 from.points.begin() + (at + 1) * players);
  symmetry_.push_back(static_cast<std::uint8_t>(
      rng_.below(static_cast<std::uint32_t>(subject_.symmetries.size()))));
  if (knows_moves_) priors_.add(from.priors, sample);
}

void Loop::clear_batch() {
  planes_.clear();
  points_.clear();
  symmetry_.clear();
  priors_.clear();
}

void Loop::learn_batch() {
  trainer_->step({planes_, points_, symmetry_, priors_.view()}, rate());
  ++counters_.steps;
  counters_.learned += symmetry_.size();
  published_ = false;
  clear_batch();
}

void Loop::step() {
  if (settings_.pace > 0) {
    phase_ = replay_.draw(static_cast<std::size_t>(settings_.batch));
    next_ = 0;
    due_ -= settings_.batch;
    paced_ = std::max(paced_, running() - 1) + 1 / settings_.pace;
  }
  const std::size_t end =
      std::min(phase_.size(), next_ + static_cast<std::size_t>(settings_.batch));
  for (; next_ < end; ++next_)
    add_to_batch(replay_.match(phase_[next_].match), phase_[next_].sample);
  learn_batch();
}

bool Loop::warm() const {
  return counters_.matches > 0 || !settings_.values ||
         at_start_.seconds + running() >= settings_.warm_up * plan_.seconds;
}

void Loop::warm_up(LessonThreads& random) {
  warming_ = true;
  while (!warm() && !plan_.stop.stop_requested()) {
    const auto lesson = random.next(std::chrono::milliseconds(50));
    const std::size_t count =
        lesson ? lesson->samples.points.size() / static_cast<std::size_t>(subject_.players) : 0;
    for (std::size_t i = 0; i < count; ++i) {
      add_to_batch(lesson->samples, i);
      if (symmetry_.size() == static_cast<std::size_t>(settings_.batch)) learn_batch();
    }
    keep_up();
  }
  warming_ = false;
  clear_batch();
  if (!published_) publish();
}

void Loop::publish() {
  source_.set_weights(net());
  published_ = true;
  swapped_ = running();
}

void Loop::run() {
  try {
    learn();
  } catch (const std::exception& error) {
    if (!rescued()) throw;
    const auto* own = dynamic_cast<const Error*>(&error);
    throw Error(first_line(error.what()) +
                    "; what was learned is in a checkpoint, --resume goes on from it",
                own != nullptr ? own->kind() : Error::Kind::failed);
  }
  const bool told = counters_.matches == at_report_.matches && counters_.steps == at_report_.steps;
  if (!told || reported_ == 0) report();
  checkpoint();
}

bool Loop::rescued() {
  try {
    checkpoint();
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

void Loop::learn() {
  while (!done() && !plan_.stop.stop_requested()) {
    const bool stepping = may_step();
    if (stepping) step();
    const bool phase_over = next_ == phase_.size();
    if (settings_.pace > 0 || phase_over) {
      // wait only when there is nothing else to do
      const auto wait = stepping ? std::chrono::milliseconds(0)
                                 : std::chrono::milliseconds(settings_.pace > 0 ? 2 : 50);
      while (auto lesson = source_.next(may_step() ? std::chrono::milliseconds(0) : wait)) {
        take(std::move(*lesson));
        if (settings_.pace <= 0 || done()) break;
      }
    }
    if (!published_ && (settings_.pace > 0 ? running() - swapped_ >= kSwapEvery : phase_over))
      publish();
    keep_up();
  }
}

void Loop::keep_up() {
  if (running() - reported_ >= plan_.journal_every) report();
  if (running() - saved_ >= plan_.checkpoint_every) checkpoint();
}

void Loop::report() {
  const double now = running(), span = std::max(now - reported_, 1e-9);
  counters_.seconds = at_start_.seconds + now;
  Entry entry{counters_, window_, subject_.players, trainer_->take_loss(), rate()};
  entry.knows_moves = knows_moves_;
  entry.different = variety_.different();
  const std::uint64_t evaluated = source_.evaluated();
  entry.positions_per_second = static_cast<double>(evaluated - evaluated_) / span;
  entry.steps_per_second = static_cast<double>(counters_.steps - at_report_.steps) / span;
  const double processor = process_cpu_seconds();
  const auto busy = warming_ ? std::nullopt : source_.busy();  // the source does not play yet
  entry.of_gpu = busy.has_value();
  entry.device_share =
      busy ? std::min(1.0, (*busy - busy_) / span) : (processor - processor_) / span / cores();
  busy_ = busy.value_or(0);
  journal_.write(entry);
  if (plan_.on_entry) plan_.on_entry(entry, share_done());
  window_ = {};
  at_report_ = counters_;
  reported_ = now;
  evaluated_ = evaluated;
  processor_ = processor;
}

Net Loop::net() const {
  Net out = trainer_->net();
  for (const Tensor& tensor : out.tensors) demand_finite(tensor.values);
  if (counters_.matches > 0) {
    out.lo = counters_.lowest;
    out.hi = std::max(counters_.highest, counters_.lowest + 1);
  }
  NetTraining& training = out.training;
  training.matches = counters_.matches;
  training.positions = counters_.samples;
  training.evaluations = counters_.evaluations;
  training.steps = counters_.steps;
  training.hours = std::round((at_start_.seconds + running()) / 3600 * 1e6) / 1e6;
  training.seed = seed_;
  training.commit = commit();
  return out;
}

void Loop::checkpoint() {
  counters_.seconds = at_start_.seconds + running();
  counters_.seeds = source_.begun();
  const Net now = net();
  OptimiserState optimiser = trainer_->optimiser();
  demand_finite(optimiser.first);
  demand_finite(optimiser.second);
  const std::vector<SampleRef> rest(phase_.begin() + static_cast<std::ptrdiff_t>(next_),
                                    phase_.end());
  checkpoints_.write(
      {now, std::move(optimiser), counters_, seed_, rng_, replay_.rng(), replay_.stored(), rest});
  save_net(now, plan_.folder + "/net.safetensors", NetPrecision::fp32);
  if (counters_.matches >= std::max<std::uint64_t>(10, history_ * 3 / 2)) {
    make_folder(plan_.folder + "/history");
    save_net(now,
             plan_.folder + "/history/" + std::string(kHistoryName) +
                 std::to_string(counters_.matches) + std::string(kHistoryEnd),
             NetPrecision::bf16);
    history_ = counters_.matches;
  }
  saved_ = running();
}

}  // namespace polymax::learn

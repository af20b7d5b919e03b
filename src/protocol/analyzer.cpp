#include "protocol/analyzer.hpp"

#include <exception>

#include "arena/match.hpp"
#include "catalog/catalog.hpp"
#include "core/error.hpp"
#include "core/thread.hpp"
#include "protocol/exactly.hpp"
#include "protocol/words.hpp"

namespace polymax::protocol {

namespace {

constexpr std::size_t kMostWaiting = 100'000, kMostGames = 64, kMostPlayers = 64;

// A query may come from anybody: it names searches, and starts no program, whoever offers some.
void refuse_programs(const Spec& spec) {
  if (catalog::names_program(spec))
    throw Error("no search '" + spec.name + "' here: a query starts no program");
}

}  // namespace

Analyzer::Analyzer(Query presets, std::string (*default_player)(const AnyGame&), int threads,
                   Sink sink)
    : presets_(std::move(presets)), default_player_(default_player), sink_(std::move(sink)) {
  try {
    for (int t = 0; t < threads; ++t)
      crew_.push_back(start_thread([this](const std::stop_token& over) { work(over); }));
  } catch (const Error&) {  // the machine has no more threads: those that there are do the work
    if (crew_.empty()) throw;
  }
}

Analyzer::~Analyzer() {
  {
    const std::scoped_lock lock(mutex_);
    waiting_.clear();
    for (auto& [id, job] : known_) job->stop.request_stop();
  }
  for (auto& one : crew_) one.request_stop();
}

void Analyzer::say(const std::string& line) {
  const std::scoped_lock lock(saying_);
  sink_(line);
}

void Analyzer::take(std::string_view line) {
  if (words_of(line).empty()) return;
  try {
    const Request request = read_request(line, presets_);
    if (const auto* asked = std::get_if<Cancel>(&request))
      cancel(*asked);
    else
      add(std::get<Query>(request));
  } catch (const std::exception& error) {
    complain(id_of(line), error.what());
  }
}

void Analyzer::complain(const std::string& id, const std::string& what) {
  try {
    say(error_line(id, what));
  } catch (const std::exception&) {  // the sink does not take it: there is nobody to tell
  }
}

void Analyzer::add(Query query) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return waiting_.size() < kMostWaiting; });
  auto job = std::make_shared<Job>();
  job->query = std::move(query);
  const std::string id = job->query.id;
  if (!known_.emplace(id, job).second) throw Error("the id is in use by a query before it");
  waiting_.push_back(std::move(job));
  changed_.notify_all();
}

void Analyzer::cancel(const Cancel& asked) {
  bool only_waited = false;
  {
    const std::scoped_lock lock(mutex_);
    const auto at = known_.find(asked.id);
    if (at == known_.end()) return;  // answered already
    at->second->stop.request_stop();
    only_waited = std::erase(waiting_, at->second) > 0;
    if (only_waited) known_.erase(at);
  }
  if (only_waited) say(cancelled_line(asked.id));
  changed_.notify_all();
}

void Analyzer::finish() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return known_.empty(); });
}

void Analyzer::work(const std::stop_token& over) {
  for (;;) {
    std::shared_ptr<Job> job;
    {
      std::unique_lock lock(mutex_);
      if (!changed_.wait(lock, over, [&] { return !waiting_.empty(); })) return;
      job = std::move(waiting_.front());
      waiting_.pop_front();
    }
    try {
      answer(*job);
    } catch (const std::exception& error) {
      complain(job->query.id, error.what());
    }
    const std::scoped_lock lock(mutex_);
    known_.erase(job->query.id);
    changed_.notify_all();
  }
}

void Analyzer::answer(Job& job) {
  const Query& query = job.query;
  Budget budget = catalog::parse_budget(query.budget);
  budget.stop = job.stop.get_token();
  const auto game = game_of(query.game);
  const std::string spec = query.player.empty() ? default_player_(*game) : query.player;
  const auto player = player_of(*game, spec, query.seed);
  arena::check_budget(Spec::parse(spec), budget);
  const auto match = game->start(query.seed);
  for (std::size_t i = 0; i < query.moves.size(); ++i) {
    try {
      play_exactly(*match, query.moves[i]);
    } catch (const Error& error) {
      throw Error("move " + std::to_string(i + 1) + ": " + error.what());
    }
  }
  if (match->over()) throw Error("the game is over: there is nothing to think about");
  Watch watch;
  watch.every = query.report_every;
  if (query.report_every > 0)
    watch.see = [&](const AnyVerdict& verdict) {
      if (!budget.stop.stop_requested())
        say(answer_line(query, *game, *player, *match, verdict, Answer::report));
    };
  AnyVerdict verdict = player->think(*match, budget, watch);
  say(budget.stop.stop_requested()
          ? cancelled_line(query.id)
          : answer_line(query, *game, *player, *match, std::move(verdict), Answer::last));
}

std::shared_ptr<const AnyGame> Analyzer::game_of(const std::string& spec) {
  {
    const std::scoped_lock lock(mutex_);
    if (const auto at = warm_.find(spec); at != warm_.end()) return at->second.game;
  }
  std::shared_ptr<const AnyGame> made = catalog::open_game(spec);
  const std::scoped_lock lock(mutex_);
  if (warm_.size() >= kMostGames) warm_.clear();
  return warm_.try_emplace(spec, Warm{made, {}}).first->second.game;
}

// The first player of a kind stays, unused, so that its network need not be loaded again. It goes
// with its game: players live no longer than that.
std::unique_ptr<AnyPlayer> Analyzer::player_of(const AnyGame& game, const std::string& spec,
                                               std::uint64_t seed) {
  const Spec parsed = Spec::parse(spec);
  refuse_programs(parsed);
  auto out = game.player(parsed, seed);
  const std::scoped_lock lock(mutex_);
  for (auto& [name, warm] : warm_)
    if (warm.game.get() == &game && warm.players.size() < kMostPlayers &&
        !warm.players.contains(spec))
      warm.players[spec] = game.player(parsed, 0);
  return out;
}

}  // namespace polymax::protocol

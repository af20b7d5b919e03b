#include "arena/study_run.hpp"

#include <chrono>
#include <filesystem>
#include <optional>
#include <set>
#include <string>

#include "arena/gather.hpp"
#include "arena/results.hpp"
#include "arena/shard.hpp"
#include "arena/study_lines.hpp"
#include "catalog/computed.hpp"
#include "core/clock.hpp"
#include "core/error.hpp"

namespace polymax::arena {

namespace fs = std::filesystem;

namespace {

// Broken files of others; ours is repaired by its writer.
void repair_others(const Study& study, const std::string& own) {
  for (const auto& path : shard_files(study.folder())) {
    if (path == own || scan_shard(path).broken.empty()) continue;
    const auto held = hold_shard(path);
    repair_shard(path);
  }
}

// What a match of each game takes, about: its longest length and the size of its board.
std::vector<double> match_costs(const Study& study) {
  std::vector<double> out;
  for (std::size_t g = 0; g < study.file().games.size(); ++g) {
    const AnyGame& game = study.game(static_cast<int>(g));
    const auto planes = game.planes();
    out.push_back(game.max_length() * (planes ? planes->cells() : 1.0));
  }
  return out;
}

// With counted budgets all processes must compute the same values.
void check_engines(const Study& study, const std::string& here,
                   const std::set<std::string>& there) {
  if (study.timed()) return;
  for (const auto& other : there)
    if (other != here)
      throw Error("the values of networks are computed by " + here + " here and were by " + other +
                      " in this study: they round differently, matches would not be the same. Say "
                      "in the study what all machines have (\"settings\": \"isa=avx2\"), or allow "
                      "engines to mix",
                  Error::Kind::failed);
}

class Counter {
 public:
  Counter(const Study& study, std::uint64_t planned, std::uint64_t before) : study_(study) {
    progress.planned = planned;
    progress.before = before;
    progress.score_sum.resize(study.file().players.size());
    progress.results.resize(study.file().players.size());
  }

  void add(std::uint64_t k, const MatchRecord& record) {
    const auto match = study_.schedule().at(k);
    const auto p = static_cast<std::size_t>(match.player);
    ++progress.played;
    progress.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    if (record.forfeit >= 0 && ++progress.forfeits == 1)
      progress.first_forfeit = forfeit_text(k, record);
    if (record.error.empty()) {
      progress.score_sum[p] += static_cast<double>(record.gain[match.seat]);
      ++progress.results[p];
      return;
    }
    ++progress.failed;
    if (progress.first_error.empty())
      progress.first_error = "match " + std::to_string(k) + ": " + record.error;
  }

  StudyProgress progress;

 private:
  const Study& study_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

// What a run has to play of its shard, and how many matches that shard has.
struct Left {
  std::vector<std::uint64_t> todo;
  std::uint64_t owned = 0;
};

Left left_of(const Study& study, const StudyRunSettings& settings, const Gathered& there) {
  Left out;
  for (std::uint64_t k = 0; k < study.schedule().size(); ++k) {
    if (!settings.shard.owns(k)) continue;
    ++out.owned;
    if (!there.done[k] || (settings.retry_failed && there.failed.contains(k)))
      out.todo.push_back(k);
  }
  return out;
}

// What a run has to play of a study whose results are published and which has no shards here.
std::optional<Left> left_of_published(const Study& study, const StudyRunSettings& settings) {
  if (!fs::exists(results_file(study.folder())) || !shard_files(study.folder()).empty()) return {};
  return left_of(study, settings, gather(study));
}

}  // namespace

MatchLoad load_of(const Study& study) {
  return {.gpu = std::ranges::any_of(study.first_players(), &catalog::asks_gpu),
          .timed = study.timed(),
          .evaluations = study.most_evaluations()};
}

StudyProgress run_study(const Study& study, const StudyRunSettings& settings,
                        const std::function<void(const StudyProgress&)>& watch,
                        std::stop_token stop) {
  if (!settings.share_cores) check_threads(settings.threads, study.timed());
  // Nothing to play needs nothing that plays.
  if (const auto left = left_of_published(study, settings); left && left->todo.empty())
    return Counter(study, left->owned, left->owned).progress;
  const std::string computed = study.computed_by();
  ShardWriter shard(study.folder(), settings.shard, study.identity(),
                    settings.repair ? BrokenLines::left_out : BrokenLines::refused, computed);
  if (settings.repair) repair_others(study, shard.path());
  const auto there = gather(study);
  if (!settings.mix_engines) check_engines(study, computed, there.computed);
  auto [todo, owned] = left_of(study, settings, there);
  Counter counter(study, owned, owned - todo.size());
  if (todo.empty()) return counter.progress;
  if (!settings.make_player) study.check_all_players();
  const auto setup_of = [&](std::uint64_t k) {
    MatchSetup setup = study.setup(k);
    if (settings.make_player)
      setup.make_player = [&make = settings.make_player, plain = setup](int seat) {
        return make(plain, seat);
      };
    return setup;
  };
  if (watch) watch(counter.progress);
  play_matches(
      playing_order(study.schedule(), std::move(todo), settings.threads, match_costs(study)),
      settings.threads, setup_of,
      [&](std::uint64_t k, MatchRecord&& record) {
        shard.append(study_line(study, k, record, unix_seconds()));
        counter.add(k, record);
        if (watch) watch(counter.progress);
        return true;
      },
      Order::as_ended, std::move(stop));
  return counter.progress;
}

}  // namespace polymax::arena

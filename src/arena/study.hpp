// A study that is ready to be played: the file is read, games are open, networks are found. Studies
// live in folders:
//   DIR/study.json            what is to be played
//   DIR/shards/I-of-N.jsonl   what was played, one file for every process
//   DIR/results.csv           results without moves, to be published
//   DIR/study.sqlite          all shards merged
//   DIR/report/               tables and plots
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "arena/match.hpp"
#include "arena/schedule.hpp"
#include "arena/study_file.hpp"
#include "catalog/any.hpp"

namespace polymax::arena {

class Study {
 public:
  // Throws Error with line and key for a bad file or a network that is not there.
  static Study open(const std::string& folder);

  const std::string& folder() const { return folder_; }
  const StudyFile& file() const { return file_; }
  const Schedule& schedule() const { return schedule_; }
  const AnyGame& game(int index) const { return *games_[static_cast<std::size_t>(index)]; }
  bool timed() const;  // by the clock: matches cannot be played again move for move
  std::uint64_t most_evaluations() const;  // that any player may spend on a move

  // What records of this study must agree on: the plan, the versions of the rules, the networks.
  // JSON.
  const std::string& identity() const { return identity_; }
  // What computes the values of its networks on this machine; empty without networks. Records of
  // counted budgets must agree on it, too: instruction sets and devices round differently. Throws
  // Error when a device that it asks for is not here.
  std::string computed_by() const;

  // The table without rows.
  StudyTable table() const;

  MatchSetup setup(std::uint64_t k) const;
  std::uint64_t start_of(const ScheduledMatch& match) const;      // the seed of its start
  Spec player_spec(const ScheduledMatch& match, int seat) const;  // what sits there

  // Every player of every game with its first networks, the benchmark too.
  std::vector<Spec> first_players() const;

  // Makes every player of every game with every function once. Throws Error with line and key: a
  // search that a game does not offer, a network of another game, a budget without an end, an
  // opening that leaves nothing.
  void check_all_players() const;

 private:
  Study(std::string folder, std::string text, StudyFile file);
  void open_games();
  void read_budgets();
  void find_functions();
  void take_common_functions();
  void check_openings() const;
  const Budget& budget_of(const StudyFile::Player& player) const;
  std::vector<Spec> network_specs(const StudyFile::Game& game,
                                  const StudyFile::Functions& functions);
  [[noreturn]] void fail(const std::string& path, const std::string& message) const;

  std::string folder_, text_;
  StudyFile file_;
  std::map<std::string, Budget> budgets_;  // by their text
  std::vector<std::unique_ptr<const AnyGame>> games_;
  std::vector<std::vector<Spec>> functions_;  // of every game
  // Of its network files: name, size, sample of the content.
  std::vector<std::vector<std::string>> file_marks_;
  std::vector<std::vector<StudyTable::Function>> evaluators_;  // of every game, for people
  std::vector<std::vector<int>> channels_;                     // of its networks
  Schedule schedule_{1, 0, {}, {}};
  std::string identity_;
};

// "budget: "evals=100" is now "evals=200"; ..." for two identities.
std::string differences(const std::string& before, const std::string& now);

}  // namespace polymax::arena

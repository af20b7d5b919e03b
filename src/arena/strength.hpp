// How strong the networks of a run are: the newest against earlier ones, mcts and
// greedy(eval=estimate), one of it in every seat against copies of the other in all others. Results
// are lines of JSON that a later report finds again, so that no pairing is played twice.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "arena/statistics.hpp"
#include "catalog/any.hpp"
#include "core/file.hpp"

namespace polymax::arena {

// A network's file in the folder of a run.
struct KeptNet {
  std::string file;
  std::uint64_t matches = 0;  // that it has learned from
  std::string id;             // checksum of the file
};

struct StrengthSettings {
  const AnyGame* game = nullptr;
  std::string search = "unbounded_maxn";  // uses the networks
  std::string budget = "evals=100";       // of every player
  std::uint64_t starts = 10, seed = 0;    // a start is played once from every seat
  int threads = 1;
};

struct Pairing {
  KeptNet net;
  std::string opponent;           // for people: "mcts", "after 120 matches"
  std::string spec, opponent_id;  // what plays, and what it is wherever its file lies
};

struct StrengthResult {
  std::uint64_t net = 0;  // matches it had learned from
  std::string net_id, opponent, opponent_id, search, budget;
  std::uint64_t starts = 0, seed = 0, wins = 0, draws = 0, losses = 0, failed = 0;
  Interval score;  // of the net, -1..1; over starts

  friend bool operator==(const StrengthResult&, const StrengthResult&) = default;
};

// Which networks meet the players that stay the same, mcts and greedy(eval=estimate): the newest
// one, or those before it too, which shows strength over the run.
enum class Measured { newest, all };

// The newest net against at most `earlier` of the others, spread evenly, and nets against the
// players that stay the same. `nets`: ascending, the newest last.
std::vector<Pairing> pairings(std::span<const KeptNet> nets, std::size_t earlier, Measured measured,
                              const StrengthSettings& settings);

// search(eval=network(file=FILE)); settings: more of the network's, e.g. engine=torch,device=cuda.
std::string net_player(const std::string& search, const std::string& file,
                       const std::string& settings = "");

// Whether `result` is what playing the pairing would give.
bool answers(const StrengthResult& result, const Pairing& pairing,
             const StrengthSettings& settings);

// `watch`: matches done and planned. Throws Error when a player cannot be made for the game. A stop
// gives a result of fewer matches than planned.
StrengthResult play(const Pairing& pairing, const StrengthSettings& settings,
                    const std::function<void(std::uint64_t done, std::uint64_t planned)>& watch,
                    std::stop_token stop = {});

std::string strength_line(const StrengthResult& result);  // JSON without an end of line
// Lines that are none are left out.
std::vector<StrengthResult> read_strength(const std::string& lines);

// strength.jsonl in the folder of a run: what was played before.
class StrengthFile {
 public:
  explicit StrengthFile(const std::string& folder);

  const std::vector<StrengthResult>& results() const { return results_; }

  // For this process alone from now on, with what others have added meanwhile. Throws Error when
  // another has it.
  void hold();
  void add(const StrengthResult& result);  // held

 private:
  std::string read();

  std::string path_;
  std::unique_ptr<GrowingFile> file_;
  std::vector<StrengthResult> results_;
};

// Plays the pairings that the file does not have and adds them, until a stop. `watch`: which one of
// `wanted`, its matches done and planned. Returns why some could not be played, a line each.
std::vector<std::string> play_missing(
    std::span<const Pairing> wanted, const StrengthSettings& settings, StrengthFile& file,
    const std::function<void(std::size_t k, std::uint64_t done, std::uint64_t planned)>& watch,
    const std::stop_token& stop);

}  // namespace polymax::arena

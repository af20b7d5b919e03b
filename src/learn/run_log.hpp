// What a run of learning wrote down, read again: run.json (run_folder.hpp) and log.jsonl
// (journal.hpp) of its folder, from text, so that nothing here needs a run; and its networks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace polymax::learn {

// One line of the log. Length, wins, draws, solved and calibration are of the matches since the
// line before; numbers that a line does not have are NaN, and so is the loss without a step since
// the line before.
struct TrainingEntry {
  std::uint64_t matches = 0, evaluations = 0, samples = 0, steps = 0, learned = 0;
  std::uint64_t new_matches = 0;
  double seconds = 0, loss = 0, rate = 0, length = 0, draws = 0, solved = 0;
  double different = 0;  // part of the last matches that ended in a position of their own
  double positions_per_second = 0, steps_per_second = 0, device_share = 0;
  double prior_loss = 0;                     // of the second head; NaN without
  std::uint64_t recalled = 0;                // positions whose children were all valued
  double first = 0, first4 = 0, first8 = 0;  // part of them whose best child is among the prior's
  // points that the best of the prior's first 8, and the mean child, are worth less than the best
  double lost8 = 0, lost_mean = 0;
  std::vector<double> wins;  // share of every seat
  // Root mean squared error of values, in points, by tenths of the match.
  std::vector<double> calibration;
};

struct TrainingRun {
  std::string game, net, learn, search, budget;
  std::uint64_t seed = 0;
  std::vector<TrainingEntry> entries;  // one at least

  std::size_t players() const { return entries.back().wins.size(); }
  double last_loss() const;  // NaN before the first step
  // What is wrong when the last matches of self-play repeat each other; else empty.
  std::string collapse() const;
  double seconds_at(double matches) const;  // when so many matches were played
  // The newest entries together that hold at least so many positions of recall, or all; recalled
  // is 0 when there are none.
  TrainingEntry last_recall(std::uint64_t positions = 2000) const;
};

// `where` is the folder, for errors. A line cut off at the end of the log is left out. Throws Error
// for a description that is none, a broken line, or a log without entries.
TrainingRun read_training(const std::string& run_json, const std::string& log,
                          const std::string& where);

// The same of a run's folder. Throws Error also when it is none, or has no log yet.
TrainingRun open_training(const std::string& folder);

// The newest network of a run's folder, which need not be there yet.
std::string net_file(const std::string& folder);

// Files of history/ that have learned from fewer matches than the newest network, which is there;
// ascending by matches.
std::vector<std::string> earlier_nets(const std::string& folder);

}  // namespace polymax::learn

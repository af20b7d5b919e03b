// What a run has done so far, and what it has seen lately: for the status line, the journal and
// checkpoints.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "core/scores.hpp"
#include "learn/lesson.hpp"

namespace polymax::learn {

// Totals since the run began, over all its restarts.
struct Counters {
  std::uint64_t matches = 0, moves = 0, samples = 0;  // of lessons; samples: positions harvested
  std::uint64_t evaluations = 0;         // positions valued by the network in those matches
  std::uint64_t learned = 0, steps = 0;  // samples used in steps (a sample counts each time)
  std::uint64_t seeds = 0;               // matches begun
  double seconds = 0;                    // of running
  float lowest = 0, highest = 0;         // points of a seat at the end of a match

  // Calls see(name, member) for each.
  template <class See>
  static void each(const See& see) {
    using C = Counters;
    see("matches", &C::matches);
    see("moves", &C::moves);
    see("samples", &C::samples);
    see("evaluations", &C::evaluations);
    see("learned", &C::learned);
    see("steps", &C::steps);
    see("seeds", &C::seeds);
    see("seconds", &C::seconds);
    see("lowest", &C::lowest);
    see("highest", &C::highest);
  }
  friend bool operator==(const Counters&, const Counters&) = default;
};

// Of the matches since the last report. Calibration: how far the value of a position was from the
// points at the end, by tenths of the match.
struct Window {
  static constexpr std::size_t kTenths = 10;

  std::uint64_t matches = 0, moves = 0, solved = 0;
  std::array<double, kMaxPlayers> wins{};  // joint wins are shared
  std::uint64_t draws = 0;
  std::array<double, kTenths> squared{};
  std::array<std::uint64_t, kTenths> compared{};
  Recall recall;

  void add(const Lesson& lesson, int players);
  double mean_length() const {
    return matches == 0 ? 0 : static_cast<double>(moves) / static_cast<double>(matches);
  }
  double win_share(int seat) const;
  double draw_share() const {
    return matches == 0 ? 0 : static_cast<double>(draws) / static_cast<double>(matches);
  }
  double solved_share() const {
    return moves == 0 ? 0 : static_cast<double>(solved) / static_cast<double>(moves);
  }
  // Root of the mean squared error, in points; 0 without data.
  double calibration(std::size_t tenth) const;
};

// Whether matches of self-play still differ: where the last ones ended.
class Variety {
 public:
  static constexpr std::size_t kLast = 40;
  static constexpr double kCollapsed = 0.25;  // no more of them differ: always the same few matches

  void add(const Lesson& lesson);
  // How many different positions the last matches ended in, as part of these; nothing before there
  // were kLast.
  std::optional<double> different() const;

 private:
  std::deque<std::uint64_t> ends_;
};

// What is wrong when so few of the last matches differ: kCollapsed at most.
std::string collapse_text(double different);

void count(Counters& counters, const Lesson& lesson, int players);

}  // namespace polymax::learn

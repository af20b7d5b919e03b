#include "learn/progress.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace polymax::learn {

void Window::add(const Lesson& lesson, int players) {
  ++matches;
  moves += static_cast<std::uint64_t>(lesson.length);
  solved += static_cast<std::uint64_t>(lesson.solved_roots);
  recall.add(lesson.recall);
  if (!add_wins(lesson.gain, players, wins)) ++draws;
  for (std::size_t i = 0; i < lesson.predicted.size(); ++i) {
    const std::size_t tenth = i * kTenths / lesson.predicted.size();
    for (int p = 0; p < players; ++p) {
      const double off = lesson.predicted[i][p] - lesson.points[p];
      squared[tenth] += off * off;
      ++compared[tenth];
    }
  }
}

double Window::win_share(int seat) const {
  return matches == 0 ? 0 : wins[static_cast<std::size_t>(seat)] / static_cast<double>(matches);
}

double Window::calibration(std::size_t tenth) const {
  return compared[tenth] == 0 ? 0
                              : std::sqrt(squared[tenth] / static_cast<double>(compared[tenth]));
}

void Variety::add(const Lesson& lesson) {
  if (lesson.end == 0) return;
  ends_.push_back(lesson.end);
  if (ends_.size() > kLast) ends_.pop_front();
}

std::optional<double> Variety::different() const {
  if (ends_.size() < kLast) return std::nullopt;
  const std::set<std::uint64_t> all(ends_.begin(), ends_.end());
  return static_cast<double>(all.size()) / static_cast<double>(kLast);
}

std::string collapse_text(double different) {
  return "self-play repeats itself: the last " + std::to_string(Variety::kLast) +
         " matches ended in " + std::to_string(std::lround(different * Variety::kLast)) +
         " different positions; the network learns nothing new from them";
}

void count(Counters& counters, const Lesson& lesson, int players) {
  if (counters.matches == 0) counters.lowest = counters.highest = lesson.points[0];
  ++counters.matches;
  counters.moves += static_cast<std::uint64_t>(lesson.length);
  counters.samples += lesson.samples.points.size() / static_cast<std::size_t>(players);
  counters.evaluations += lesson.evaluations;
  for (int p = 0; p < players; ++p) {
    counters.lowest = std::min(counters.lowest, lesson.points[p]);
    counters.highest = std::max(counters.highest, lesson.points[p]);
  }
}

}  // namespace polymax::learn

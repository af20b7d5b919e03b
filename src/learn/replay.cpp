#include "learn/replay.hpp"

#include <cmath>
#include <numeric>

namespace polymax::learn {

std::vector<SampleRef> Replay::push(Samples samples, int players) {
  Match match{std::move(samples), {}, 0, 0};
  match.order.resize(match.samples.points.size() / static_cast<std::size_t>(players));
  std::iota(match.order.begin(), match.order.end(), 0u);
  rng_.shuffle(std::span(match.order));
  stored_.push_back(std::move(match));
  while (stored_.size() > static_cast<std::size_t>(settings_.matches)) stored_.pop_front();

  const double share = settings_.duplication / static_cast<double>(stored_.size());
  std::vector<SampleRef> out;
  for (std::uint32_t m = 0; m < stored_.size(); ++m) {
    Match& from = stored_[m];
    from.owed += share * static_cast<double>(from.order.size());
    for (; from.owed >= 1; from.owed -= 1) {
      if (from.next == from.order.size()) {
        rng_.shuffle(std::span(from.order));
        from.next = 0;
      }
      out.push_back({m, from.order[from.next++]});
    }
  }
  rng_.shuffle(std::span(out));
  return out;
}

std::size_t Replay::samples() const {
  std::size_t sum = 0;
  for (const auto& match : stored_) sum += match.order.size();
  return sum;
}

}  // namespace polymax::learn

#include "learn/replay.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace polymax::learn {

void Replay::store(Samples samples, int players) {
  Match match{std::move(samples), {}, 0, 0};
  match.order.resize(match.samples.points.size() / static_cast<std::size_t>(players));
  std::iota(match.order.begin(), match.order.end(), 0u);
  rng_.shuffle(std::span(match.order));
  stored_.push_back(std::move(match));
  while (stored_.size() > static_cast<std::size_t>(settings_.matches)) stored_.pop_front();
}

// The next sample of a match.
std::uint32_t Replay::take(Match& from) {
  if (from.next == from.order.size()) {
    rng_.shuffle(std::span(from.order));
    from.next = 0;
  }
  return from.order[from.next++];
}

std::vector<SampleRef> Replay::push(Samples samples, int players) {
  store(std::move(samples), players);
  const double share = settings_.duplication / static_cast<double>(stored_.size());
  std::vector<SampleRef> out;
  for (std::uint32_t m = 0; m < stored_.size(); ++m) {
    Match& from = stored_[m];
    from.owed += share * static_cast<double>(from.order.size());
    for (; from.owed >= 1; from.owed -= 1) out.push_back({m, take(from)});
  }
  rng_.shuffle(std::span(out));
  return out;
}

std::vector<SampleRef> Replay::draw(std::size_t count) {
  assert(samples() > 0);
  std::vector<std::uint64_t> ends;  // samples of all matches up to each
  for (const Match& match : stored_)
    ends.push_back((ends.empty() ? 0 : ends.back()) + match.order.size());
  std::vector<SampleRef> out;
  while (out.size() < count) {
    const std::uint64_t any = rng_.below(static_cast<std::uint32_t>(ends.back()));
    const auto m = static_cast<std::uint32_t>(std::ranges::upper_bound(ends, any) - ends.begin());
    out.push_back({m, take(stored_[m])});
  }
  return out;
}

std::size_t Replay::samples() const {
  std::size_t sum = 0;
  for (const auto& match : stored_) sum += match.order.size();
  return sum;
}

}  // namespace polymax::learn

#include "learn/priors.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/error.hpp"

namespace polymax::learn {

namespace {

// The kBest best ones first, in any order; behind them those drawn from the rest.
std::size_t keep_some(std::span<ValuedPlace> children, Rng& rng) {
  const auto better = [](const ValuedPlace& a, const ValuedPlace& b) { return a.value > b.value; };
  if (children.size() <= Priors::kMost) return children.size();
  std::ranges::nth_element(children, children.begin() + Priors::kBest, better);
  for (std::size_t i = Priors::kBest; i < Priors::kMost; ++i)
    std::swap(children[i],
              children[i + rng.below(static_cast<std::uint32_t>(children.size() - i))]);
  return Priors::kMost;
}

std::uint16_t quantised(double share) {
  return static_cast<std::uint16_t>(std::lround(share * static_cast<double>(Priors::kWhole)));
}

}  // namespace

float spread(std::span<const ValuedPlace> children) {
  if (children.size() < 2) return 0;
  double sum = 0, squares = 0;
  for (const ValuedPlace& child : children) sum += static_cast<double>(child.value);
  const double mean = sum / static_cast<double>(children.size());
  for (const ValuedPlace& child : children)
    squares += std::pow(static_cast<double>(child.value) - mean, 2);
  return static_cast<float>(std::sqrt(squares / static_cast<double>(children.size())));
}

void Priors::add(std::span<ValuedPlace> children, float scale, Rng& rng) {
  Position entry;
  if (!children.empty()) {
    const float best = std::ranges::max_element(children, {}, &ValuedPlace::value)->value;
    const auto raw = [&](const ValuedPlace& child) {
      return std::exp(static_cast<double>((child.value - best) / scale));
    };
    double sum = 0, others = 0;
    for (const ValuedPlace& child : children) sum += raw(child);
    const std::size_t kept = keep_some(children, rng);
    const std::size_t exact = kept == children.size() ? kept : kBest;
    for (std::size_t i = exact; i < children.size(); ++i) others += raw(children[i]) / sum;
    entry.drawn = static_cast<std::uint16_t>(kept - exact);
    entry.others = static_cast<std::uint16_t>(children.size() - exact);
    for (std::size_t i = 0; i < kept; ++i) {
      places.push_back(children[i].place);
      shares.push_back(quantised(i < exact ? raw(children[i]) / sum
                                           : others / static_cast<double>(kept - exact)));
    }
  }
  entry.end = static_cast<std::uint32_t>(places.size());
  positions.push_back(entry);
}

void Priors::check(std::size_t count) const {
  std::uint32_t before = 0;
  bool fits = positions.empty() || positions.size() == count;
  for (const Position& entry : positions) {
    fits &= entry.end >= before && entry.end - before <= kMost &&
            entry.drawn <= entry.end - before && entry.drawn <= entry.others;
    before = entry.end;
  }
  if (!fits || before != places.size() || shares.size() != places.size())
    throw Error("its priors do not fit its positions", Error::Kind::failed);
}

void put_priors(const Priors& priors, const std::string& number, Container& to) {
  if (priors.positions.empty()) return;
  to.put("prior_of" + number, priors.positions);
  to.put("prior_places" + number, priors.places);
  to.put("prior_shares" + number, priors.shares);
}

Priors get_priors(const std::string& number, const Container& from) {
  if (!from.parts.contains("prior_of" + number)) return {};
  return {from.get<Priors::Position>("prior_of" + number),
          from.get<std::uint16_t>("prior_places" + number),
          from.get<std::uint16_t>("prior_shares" + number)};
}

void PriorBatch::add(const Priors& from, std::size_t position) {
  const std::size_t at = places.size();
  places.resize(at + Priors::kMost);
  shares.resize(places.size());
  weights.resize(places.size());
  if (from.positions.empty()) return;
  const Priors::Position& entry = from.positions[position];
  const std::size_t begin = position == 0 ? 0 : from.positions[position - 1].end;
  const std::size_t count = entry.end - begin, exact = count - entry.drawn;
  float sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += static_cast<float>(from.shares[begin + i]);
  if (sum == 0) return;
  for (std::size_t i = 0; i < count; ++i) {
    places[at + i] = from.places[begin + i];
    shares[at + i] = static_cast<float>(from.shares[begin + i]) / sum;
    weights[at + i] =
        i < exact ? 1.0f : static_cast<float>(entry.others) / static_cast<float>(entry.drawn);
  }
}

void PriorBatch::clear() {
  places.clear();
  shares.clear();
  weights.clear();
}

namespace {

// Of the first `count` moves of the prior, the highest value. Of moves that it likes equally those
// with lower values come first.
float best_of_first(std::size_t count, std::span<const float> values,
                    std::span<const float> prior) {
  std::vector<std::pair<float, float>> liked;
  for (std::size_t i = 0; i < values.size(); ++i) liked.emplace_back(-prior[i], values[i]);
  const auto end = liked.begin() + static_cast<std::ptrdiff_t>(std::min(count, liked.size()));
  std::partial_sort(liked.begin(), end, liked.end());
  return std::max_element(liked.begin(), end, [](auto a, auto b) { return a.second < b.second; })
      ->second;
}

}  // namespace

// Of several best children the one that the prior likes most counts; moves that it likes as much
// come before it.
void Recall::add(std::span<const float> values, std::span<const float> prior) {
  const float best = std::ranges::max(values);
  float liked = -1;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] == best) liked = std::max(liked, prior[i]);
  std::size_t before = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    before += values[i] != best && prior[i] >= liked ? 1 : 0;
  ++positions;
  moves += values.size();
  first += before < 1 ? 1 : 0;
  first4 += before < 4 ? 1 : 0;
  first8 += before < 8 ? 1 : 0;
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  lost8 += static_cast<double>(best - best_of_first(8, values, prior));
  lost_mean += static_cast<double>(best) - sum / static_cast<double>(values.size());
}

void Recall::add(const Recall& other) {
  each([&](const char*, auto member) { this->*member += other.*member; });
}

}  // namespace polymax::learn

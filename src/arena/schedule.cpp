#include "arena/schedule.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <tuple>

namespace polymax::arena {

Schedule::Schedule(int functions, int repetitions, std::vector<int> seats,
                   std::vector<ScheduledMatch> pairs)
    : functions_(functions), repetitions_(repetitions), seats_(std::move(seats)) {
  for (auto pair : pairs)
    for (pair.seat = 0; pair.seat < seats_[static_cast<std::size_t>(pair.game)]; ++pair.seat)
      row_.push_back(pair);
  const auto n = static_cast<std::uint64_t>(functions);
  size_ = static_cast<std::uint64_t>(repetitions) * n * n * row_.size();
}

double Schedule::size_as_real() const {
  return static_cast<double>(repetitions_) * functions_ * functions_ *
         static_cast<double>(row_.size());
}

ScheduledMatch Schedule::at(std::uint64_t k) const {
  assert(k < size_);
  const auto n = static_cast<std::uint64_t>(functions_);
  const std::uint64_t step = k / row_.size(), pair = step % (n * n);
  ScheduledMatch out = row_[k % row_.size()];
  out.repetition = static_cast<int>(step / (n * n));
  out.i = static_cast<int>(pair % n);
  out.j = static_cast<int>((pair % n + pair / n) % n);
  return out;
}

std::vector<int> Schedule::functions(const ScheduledMatch& match) const {
  const int seats = seats_[static_cast<std::size_t>(match.game)];
  std::vector<int> out;
  int opponent = match.j;
  for (int seat = 0; seat < seats; ++seat)
    out.push_back(seat == match.seat ? match.i : opponent++ % functions_);
  return out;
}

std::uint64_t Schedule::start_number(const ScheduledMatch& match) const {
  const auto n = static_cast<std::uint64_t>(functions_);
  std::uint64_t out = static_cast<std::uint64_t>(match.repetition);
  out = out * seats_.size() + static_cast<std::uint64_t>(match.game);
  out = out * n + static_cast<std::uint64_t>(match.i);
  return out * n + static_cast<std::uint64_t>(match.j);
}

std::vector<std::uint64_t> playing_order(const Schedule& schedule, std::vector<std::uint64_t> which,
                                         int at_once, const std::vector<double>& cost) {
  if (which.empty()) return which;
  const int n = schedule.functions();
  const std::uint64_t size = schedule.step_size();
  const auto steps = static_cast<double>(which.back() / size - which.front() / size + 1);
  const double each = static_cast<double>(which.size()) / steps / static_cast<double>(cost.size());
  // A block is a square of i and j, or several repetitions of all of them. Squares go along
  // diagonals, as steps do: a part of a study has all networks in it.
  const double pairs = std::max(1.0, at_once / each);
  const int side = std::min(n, static_cast<int>(std::ceil(std::sqrt(std::min(pairs, 1e9)))));
  const int squares = (n + side - 1) / side;
  const int repetitions =
      side < n ? 1 : static_cast<int>(std::min(std::ceil(pairs / (n * n)), 1e9));
  const auto key = [&](std::uint64_t k) {
    const ScheduledMatch match = schedule.at(k);
    const int row = match.i * squares / n, column = match.j * squares / n;
    return std::tuple(match.repetition / repetitions, (column - row + squares) % squares, row,
                      -cost[static_cast<std::size_t>(match.game)], match.game, k);
  };
  std::ranges::sort(which, {}, key);
  return which;
}

}  // namespace polymax::arena

// See sprt.hpp.
#include "arena/sprt.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"

namespace polymax::arena {

namespace {

constexpr double kPriorBlocks = 4, kPriorVariance = 0.5;

bool is_chance(double p) {
  return p > 0 && p < 0.5;
}

}  // namespace

Sprt::Sprt(const Settings& settings) : settings_(settings) {
  if (!(settings.mean0 >= -1 && settings.mean0 < settings.mean1 && settings.mean1 <= 1))
    throw Error(
        fmt::format("sequential test: means {} and {} are wrong (-1 <= first < second <= 1)",
                    settings.mean0, settings.mean1));
  if (!is_chance(settings.alpha) || !is_chance(settings.beta))
    throw Error(
        fmt::format("sequential test: error chances {} and {} are wrong (above 0, below 0.5)",
                    settings.alpha, settings.beta));
  if (settings.least_blocks < 1) throw Error("sequential test: needs at least 1 block");
  lower_ = std::log(settings.beta / (1 - settings.alpha));
  upper_ = std::log((1 - settings.beta) / settings.alpha);
}

void Sprt::add(double block_mean) {
  ++blocks_;
  const double step = block_mean - mean_;
  mean_ += step / static_cast<double>(blocks_);
  squares_ += step * (block_mean - mean_);
  if (state_ != State::open || blocks_ < static_cast<std::uint64_t>(settings_.least_blocks)) return;
  if (ratio() >= upper_) state_ = State::accepted;
  if (ratio() <= lower_) state_ = State::rejected;
}

Sprt::State Sprt::state() const {
  return state_;
}

double Sprt::ratio() const {
  if (blocks_ == 0) return 0;
  const double n = static_cast<double>(blocks_);
  const double variance = (squares_ + kPriorBlocks * kPriorVariance) / (n - 1 + kPriorBlocks);
  return n * (settings_.mean1 - settings_.mean0) *
         (mean_ - (settings_.mean0 + settings_.mean1) / 2) / variance;
}

std::string Sprt::text() const {
  std::string said = "open, more matches are needed";
  if (state_ == State::accepted)
    said =
        fmt::format("its score is {:g} or more rather than {:g}", settings_.mean1, settings_.mean0);
  if (state_ == State::rejected)
    said =
        fmt::format("its score is {:g} or less rather than {:g}", settings_.mean0, settings_.mean1);
  return fmt::format(
      "{} (mean {:.3f} over {} start{}, log-likelihood ratio {:.2f} of {:.2f} to {:.2f})", said,
      mean_, blocks_, blocks_ == 1 ? "" : "s", ratio(), lower_, upper_);
}

}  // namespace polymax::arena

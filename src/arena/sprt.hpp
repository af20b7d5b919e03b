// A sequential test of a mean score: play until it is clear which of two hypotheses holds.
//
// Generalised SPRT, normal approximation: the log-likelihood ratio of mean1 against mean0 after n
// blocks of mean m and estimated variance v is n (mean1 - mean0) (m - (mean0 + mean1)/2) / v;
// Wald's bounds end it. A block is the mean score over all rotations of the seats with one start,
// so seats cancel and blocks are independent. Chosen: at least `least_blocks` blocks, and a prior
// of four blocks of variance 1/2 in v, so that a first run of equal results ends nothing.
#pragma once

#include <cstdint>
#include <string>

namespace polymax::arena {

class Sprt {
 public:
  // accepted: mean1 (the player is better); rejected: mean0.
  enum class State { open, accepted, rejected };

  struct Settings {
    double mean0 = 0, mean1 = 0.1;     // mean0 < mean1, in scores -1..1
    double alpha = 0.05, beta = 0.05;  // chances to accept under mean0, to reject under mean1
    int least_blocks = 8;
  };

  // Throws Error on settings that make no test.
  explicit Sprt(const Settings& settings);

  void add(double block_mean);

  State state() const;   // once accepted or rejected, it stays so whatever is added
  double ratio() const;  // log-likelihood ratio
  double lower() const { return lower_; }
  double upper() const { return upper_; }
  std::uint64_t blocks() const { return blocks_; }
  double mean() const { return mean_; }
  // For people: what it says of the score, then mean, starts and ratio in brackets.
  std::string text() const;

 private:
  Settings settings_;
  double lower_ = 0, upper_ = 0;
  std::uint64_t blocks_ = 0;
  double mean_ = 0, squares_ = 0;
  State state_ = State::open;
};

}  // namespace polymax::arena

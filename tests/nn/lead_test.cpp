// Expected points turned into expected gains: against the definition, many noisy endings counted.
#include "nn/lead.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/rng.hpp"

namespace polymax::lead_test {
namespace {

// The seat that is first of `players` when each one's points get Gumbel noise.
int first_of(const Scores& points, int players, double spread, Rng& rng) {
  int first = 0;
  double most = -INFINITY;
  for (int p = 0; p < players; ++p) {
    const double u = (static_cast<double>(rng.next() >> 11) + 0.5) / 9007199254740992.0;
    const double end = points[p] - spread * std::log(-std::log(u));
    if (end > most) {
      most = end;
      first = p;
    }
  }
  return first;
}

TEST(lead, GainsAreThoseOfManyNoisyEndings) {
  Rng rng(5);
  for (const auto& [points, players, spread] :
       {std::tuple{Scores{{30, 33, 28}}, 3, 4.0f}, std::tuple{Scores{{-2, 0, 1, 0.5f}}, 4, 1.5f},
        std::tuple{Scores{{-7, -9}}, 2, 3.0f}}) {
    constexpr int kEndings = 100000;
    Scores won;
    for (int i = 0; i < kEndings; ++i)
      ++won[first_of(points, players, static_cast<double>(spread), rng)];
    const Scores gains = gains_by_lead(points, players, spread);
    for (int p = 0; p < kMaxPlayers; ++p)
      EXPECT_NEAR(gains[p], p < players ? 2 * won[p] / kEndings - 1 : 0, 0.015)
          << players << " seats, seat " << p;
  }
}

TEST(lead, StaysWithinGainsWhateverTheLead) {
  EXPECT_EQ(gains_by_lead({{1e6f, -1e6f, 0}}, 3, 1), one_winner(0, 3));
  EXPECT_EQ(gains_by_lead({{5, 5, 5, 5}}, 4, 2), all_seats(4, -0.5f));
}

TEST(lead, TheSignOfPointsIsTheGain) {
  const Scores gains = gains_by_sign({{20, -20, 0, 3}}, 4, 10);
  EXPECT_FLOAT_EQ(gains[0], std::tanh(2.0f));
  EXPECT_FLOAT_EQ(gains[1], -gains[0]);
  EXPECT_EQ(gains[2], 0);
  EXPECT_GT(gains[3], 0);
  EXPECT_LE(gains_by_sign({{1e6f, -1e6f, 0}}, 3, 1)[0], 1);
}

}  // namespace
}  // namespace polymax::lead_test

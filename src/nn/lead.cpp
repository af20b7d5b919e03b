#include "nn/lead.hpp"

#include <algorithm>
#include <cmath>

namespace polymax {

Scores gains_by_lead(const Scores& points, int players, float spread) {
  float most = points[0];
  for (int p = 1; p < players; ++p) most = std::max(most, points[p]);
  Scores out;
  float sum = 0;
  for (int p = 0; p < players; ++p) sum += out[p] = std::exp((points[p] - most) / spread);
  for (int p = 0; p < players; ++p) out[p] = 2 * out[p] / sum - 1;
  return out;
}

Scores gains_by_sign(const Scores& points, int players, float spread) {
  Scores out;
  for (int p = 0; p < players; ++p) out[p] = std::tanh(points[p] / spread);
  return out;
}

}  // namespace polymax

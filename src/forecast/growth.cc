#include "forecast/growth.h"

#include <cmath>
#include <cstddef>

namespace berth {

bool GrowsSlowerThan(double rate, std::vector<double> c) {
  // Solutions in units that grow at the rate all die out if the recursion is stationary, which the
  // recursion of Durbin and Levinson, run backwards, tells.
  double unit = 1;
  for (double& coefficient : c) coefficient *= unit /= rate;
  std::vector<double> longer;
  while (!c.empty()) {
    const double partial = c.back();
    if (!(std::abs(partial) < 1)) return false;
    c.pop_back();
    longer = c;
    for (std::size_t i = 0; i < c.size(); ++i) {
      c[i] = (longer[i] + partial * longer[c.size() - 1 - i]) / (1 - partial * partial);
    }
  }
  return true;
}

}  // namespace berth

#include "base/normal.h"

#include <cmath>
#include <numbers>

namespace berth {

double NormalUpperTail(double value) { return std::erfc(value / std::numbers::sqrt2) / 2; }

double NormalQuantile(double p) {
  // Asked seldom: halving an interval is fast enough, and plainly right.
  double low = -40;
  double high = 40;
  for (int i = 0; i < 64; ++i) {
    const double middle = (low + high) / 2;
    const double below = NormalUpperTail(-middle);
    (below < p ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace berth

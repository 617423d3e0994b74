// Whether a recursion x(t) = sum c(i) x(t-i) runs away.
#pragma once

#include <vector>

namespace berth {

// No solution of the recursion grows by as much as `rate` a step: below one, all die out at least
// that fast. The first coefficient is of lag one.
bool GrowsSlowerThan(double rate, std::vector<double> coefficients);

}  // namespace berth

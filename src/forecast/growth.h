// Whether a recursion x(t) = sum c(i) x(t-i) runs away, and what keeps it from it. The first
// coefficient is of lag one.
#pragma once

#include <cstddef>
#include <vector>

namespace berth {

// No solution of the recursion grows by as much as `rate` a step: below one, all die out at least
// that fast.
bool GrowsSlowerThan(double rate, std::vector<double> coefficients);

// The share to keep of what a recursion tells of each step, that grows slower than `rate_max`, more
// than one: all until what grows fastest has grown by half, from then on what keeps it there. A
// rate that is little over a week is a factor of thousands over a year. Where nothing grows, all.
std::vector<double> SharesKept(const std::vector<double>& coefficients, double rate_max,
                               std::size_t steps);

}  // namespace berth

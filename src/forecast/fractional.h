// Fractional differences (Granger and Joyeux 1980): (1 - B)^d for any d, by which a series is made
// to remember long ago less and less, but never nothing.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace berth {

// What a value of j points ago counts for, j = 0, 1, ...; the first is one. Those of -d undo it.
std::vector<double> FractionalWeights(double d, std::size_t count);

// Before the first value is nothing. Values further back than kFractionalMemory are left out.
std::vector<double> FractionalDifferences(std::span<const double> values, double d);
inline constexpr std::size_t kFractionalMemory = 1'000;

// The d between -0.45 and 0.45 whose differences an autoregression of that order foresees best, by
// the sum of squares. The values are about zero. At least 4 (order + 1) of them.
double EstimateMemory(std::span<const double> values, std::size_t order);

}  // namespace berth

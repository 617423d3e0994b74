// Exact statistics of samples held in memory.
#pragma once

#include <span>
#include <vector>

namespace berth {

// The nearest-rank quantile: the smallest sample that at least q of the samples do not exceed. It
// is always one of the samples; q = 0 is the smallest, q = 1 the largest. There must be a sample.
double Quantile(std::vector<double> samples, double q);

// The sum over the number, summed in order. There must be a sample.
double Mean(std::span<const double> samples);

}  // namespace berth

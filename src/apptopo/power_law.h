// Whether counts follow a power law: the number of those of size d is proportional to d^-alpha.
#pragma once

#include <cstddef>
#include <span>

namespace berth {

// The sum of k^-alpha over k = from, from + 1, ...; alpha > 1, from >= 1.
double HurwitzZeta(double alpha, double from);

// The probability that a one-sample Kolmogorov-Smirnov distance, times the square root of the
// number of samples, is above `lambda`, in the limit of many samples.
double KolmogorovUpperTail(double lambda);

inline constexpr double kPowerLawAlphaMin = 1.001;
inline constexpr double kPowerLawAlphaMax = 20;

struct PowerLawFit {
  double alpha = 0;  // Of the greatest likelihood between the bounds, for d from the smallest on.
  double distance = 0;  // The largest between the distribution functions of sample and fit.
  double p = 0;         // That samples of such a law are as far from it.
  // alpha is not at a bound. At the upper one it tells nothing but that samples are nearly equal.
  bool inside = false;
};

// At least one sample, each at least 1.
PowerLawFit FitPowerLaw(std::span<const std::size_t> samples);

}  // namespace berth

// Variances that come in bursts: GARCH(1,1) (Bollerslev 1986), Eq. 6.4 of the thesis with one term
// each: the variance of an error is a constant, a share of the square of the error before it, and a
// share of the variance before it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace berth {

struct GarchModel {
  double constant = 0;
  double of_square = 0;  // Both shares are not negative, and together below one.
  double of_variance = 0;
  double next = 0;  // The variance of the next error.

  // What the variance comes back to.
  double Level() const { return constant / (1 - of_square - of_variance); }
  // Of the errors to come, the next first.
  std::vector<double> Variances(std::size_t horizon) const;
};

// Minus two times the logarithm of the likelihood of the errors, taken as normal, up to a constant.
// The first variance is the errors' mean square. The model's `next` is not read.
double GarchLikelihood(const GarchModel& model, std::span<const double> errors);

// The most likely of those whose level is the errors' mean square: where variances stay high or low
// for long, few errors tell little of the level, and bands are made of it. Of fewer than
// kGarchErrorsMin errors, or of none that differ from zero, one whose variance is constant.
GarchModel FitGarch(std::span<const double> errors);
inline constexpr std::size_t kGarchErrorsMin = 30;

}  // namespace berth

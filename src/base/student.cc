#include "base/student.h"

#include <cmath>
#include <numbers>

#include "base/normal.h"

namespace berth {
namespace {

constexpr std::size_t kDegreesMax = 1'000;

// The probability that a t variable is nearer to zero than `value`, which is at least zero: a sum
// of half as many terms as degrees (Abramowitz and Stegun 26.7.3 and 26.7.4).
double StudentWithin(double value, std::size_t degrees) {
  const auto n = static_cast<double>(degrees);
  const double cosine_squared = n / (n + value * value);
  const double sine = value / std::sqrt(n + value * value);
  const bool odd = degrees % 2 == 1;
  double term = odd ? std::sqrt(cosine_squared) : 1;
  double sum = 0;
  for (std::size_t power = odd ? 1 : 0; power + 2 <= degrees; power += 2) {
    sum += term;
    const auto next = static_cast<double>(power + 1);
    term *= cosine_squared * next / (next + 1);
  }
  if (!odd) return sine * sum;
  return (std::atan(value / std::sqrt(n)) + sine * sum) * 2 / std::numbers::pi;
}

}  // namespace

double StudentQuantile(double p, std::size_t degrees) {
  if (degrees >= kDegreesMax) return NormalQuantile(p);
  if (p < 0.5) return -StudentQuantile(1 - p, degrees);
  // As NormalQuantile; of one degree values are far out.
  double low = 0;
  double high = 1;
  while (StudentWithin(high, degrees) < 2 * p - 1 && high < 1e17) high *= 2;
  for (int i = 0; i < 64; ++i) {
    const double middle = (low + high) / 2;
    (StudentWithin(middle, degrees) < 2 * p - 1 ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace berth

#include "report/digits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace berth {
namespace {

constexpr int kDecimalsUsual = 3;
constexpr int kDecimalsMost = 9;
constexpr int kDigitsOfDouble = 16;

// Of 0.05, -2.
int PowerOfTen(double value) { return static_cast<int>(std::floor(std::log10(value))); }

}  // namespace

Digits::Digits(double difference, double greatest) : decimals_(kDecimalsUsual) {
  if (!(greatest > 0)) return;
  const int least = PowerOfTen(difference > 0 ? difference : greatest) - 2;
  const int first = PowerOfTen(greatest);
  exponent_ = -least > kDecimalsMost || first >= kDigitsOfDouble;
  decimals_ = exponent_ ? std::clamp(first - least, kDecimalsUsual, kDigitsOfDouble - 1)
                        : std::max(kDecimalsUsual, -least);
}

std::string Digits::operator()(double value) const {
  return exponent_ ? fmt::format("{:.{}e}", value, decimals_)
                   : fmt::format("{:.{}f}", value, decimals_);
}

}  // namespace berth

// The series that testdata/forecast/reference*.R and .py make too: a season of twelve, a slope, and
// noise that lingers; and what those of reference_made.R are made of.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <string_view>
#include <vector>

#include "forecast/made_noise_testing.h"

namespace berth {

inline constexpr std::array<std::size_t, 3> kReferenceSteps = {0, 11, 23};  // One, 12 and 24 ahead.
using AtSteps = std::array<double, 3>;
inline constexpr double kTwoSided = 1.959963984540054;  // Of 95%.

inline std::vector<double> ReferenceSeries() {
  std::uint64_t state = 12345;
  double wander = 0;
  std::vector<double> values;
  for (int i = 0; i < 240; ++i) {
    state = 16807 * state % 2147483647;
    wander = 0.7 * wander + static_cast<double>(state) / 2147483647 - 0.5;
    values.push_back(50 + 10 * (i % 12) + 0.02 * i + 8 * wander);
  }
  return values;
}

// `count` errors, after the first so many that others take.
inline std::vector<double> ErrorsAfter(std::size_t skip, std::size_t count) {
  MadeNoise noise;
  for (std::size_t i = 0; i < skip; ++i) (void)noise();
  std::vector<double> errors;
  errors.reserve(count);
  for (std::size_t i = 0; i < count; ++i) errors.push_back(noise());
  return errors;
}

// An ARMA process, from nothing. Coefficients of lags 1, 2, ...
inline std::vector<double> ProcessOf(const std::vector<double>& errors,
                                     const std::vector<double>& ar,
                                     const std::vector<double>& ma = {}) {
  std::vector<double> values;
  for (std::size_t t = 0; t < errors.size(); ++t) {
    double value = errors[t];
    for (std::size_t i = 1; i <= ar.size() && i <= t; ++i) value += ar[i - 1] * values[t - i];
    for (std::size_t j = 1; j <= ma.size() && j <= t; ++j) value += ma[j - 1] * errors[t - j];
    values.push_back(value);
  }
  return values;
}

// Sums that undo differences of a lag.
inline std::vector<double> Summed(std::vector<double> values, std::size_t lag) {
  for (std::size_t t = lag; t < values.size(); ++t) values[t] += values[t - lag];
  return values;
}

// level + slope i + size value.
inline std::vector<double> About(double level, const std::vector<double>& values, double size = 1,
                                 double slope = 0) {
  std::vector<double> about;
  about.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    about.push_back(level + slope * static_cast<double>(i) + size * values[i]);
  }
  return about;
}

inline double SineAt(std::size_t i, std::size_t period) {
  return std::sin(2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(period));
}
inline std::vector<double> WithWave(std::vector<double> values, std::size_t period, double size) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += size * SineAt(i, period);
  return values;
}

// What smoothing of this kind foresees best: "simple_exponential", "holt" or "holt_winters".
inline std::vector<double> SmoothedSeries(std::string_view kind, std::size_t skip) {
  const bool simple = kind == "simple_exponential";
  const std::vector<double> level =
      Summed(ProcessOf(ErrorsAfter(skip, 240), {}, {simple ? -0.6 : -0.7}), 1);
  if (simple) return About(50, level);
  if (kind == "holt") return About(50.5, level, 2, 0.5);
  return WithWave(About(100.3, level, 1, 0.3), 12, 20);
}

}  // namespace berth

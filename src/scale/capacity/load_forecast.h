// The load that a plan is made for: what is expected, and how sure that is.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "berth/status.h"
#include "berth/time.h"

namespace berth {

inline constexpr std::size_t kPlanStepsMax = 1'000;

struct LoadPoint {
  double mean = 0;
  double lower = 0;
  double upper = 0;
};

// Requests a second. Points are equally far apart; each holds until the next.
struct LoadForecast {
  Time start{};
  Duration step{};
  double level = 0;  // Of the band between lower and upper, as 0.95.
  std::vector<LoadPoint> points{};
};

// What the load stays below with the probability q, 0 < q < 1: on the bell curve through the mean
// and the bound of the band that is on that side. Never below zero.
double LoadQuantile(const LoadPoint& point, double level, double q);

// Reads what `berth forecast --json` prints: at_ms, mean, lower and upper of one step or more, at
// most kPlanStepsMax. One point alone is taken to hold for an hour.
Result<LoadForecast> ParseLoadForecast(std::string_view text, const std::string& file_name);

}  // namespace berth

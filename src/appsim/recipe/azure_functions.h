// What files in the format of the public Azure Functions trace of 2019 tell about applications: how
// many services they have, how often they are called in each hour of a day, and how long their
// functions take (section 9.2.5.2 of the thesis on predictive autoscaling).
//
// Read are invocations_per_function_md.anon.dNN.csv (HashApp, HashFunction, and 1 to 1440: calls in
// each minute of a day) and function_durations_percentiles.anon.dNN.csv (HashApp, HashFunction,
// Average, percentile_Average_25 and percentile_Average_75: milliseconds).
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "berth/status.h"

namespace berth {

inline constexpr std::size_t kFunctionRowsMax = 1'000'000;

struct FunctionsQuery {
  std::string invocations_file{};
  std::string durations_file{};
  // Applications with a number of calls between these quantiles of all are looked at.
  double calls_quantile_from = 0;
  double calls_quantile_to = 1;
  double size_quantile = 0.8;  // Of their numbers of functions.
};

struct FunctionsProfile {
  std::size_t applications = 0;
  std::size_t services = 0;
  std::array<double, 24> hourly_rates{};  // Requests a second, of an average application.
  // A function each: its average, and the deviation of the bell curve whose middle half is as wide.
  std::vector<double> duration_ms_means{};
  std::vector<double> duration_ms_deviations{};
};

Result<FunctionsProfile> ReadFunctions(const FunctionsQuery& query);

}  // namespace berth

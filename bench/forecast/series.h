// The series that bench_forecast measures on; testdata/forecast/split.txt names the real ones.
#pragma once

#include <string>
#include <vector>

namespace berth {

inline constexpr std::size_t kFitted = 504;    // Three weeks of hours,
inline constexpr std::size_t kForecast = 168;  // and the one after them.

struct BenchSeries {
  std::string name;
  std::vector<double> values;  // kFitted + kForecast.
};

// 46 real ones: windows of taxi rides, volumes of tweets, the hourly series of the M4 competition
// (every eighth of those at hand). None where the data is not.
std::vector<BenchSeries> JudgedSeries();
// 125 more: those of the competition that nobody had looked at when the chooser was developed.
std::vector<BenchSeries> BlindSeries();
// As many that are made up, of days, weeks, trends and noise.
std::vector<BenchSeries> MadeUpSeries(std::size_t count);

}  // namespace berth

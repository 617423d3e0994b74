// Patterns of load as rates that hold for a step each.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "berth/status.h"
#include "berth/time.h"
#include "forecast/sarima.h"
#include "forecast/series.h"

namespace berth {

struct RateSteps {
  Duration step{};
  std::vector<double> rates{};  // Requests a second.
};

struct LoadLevel {
  Duration length{};
  double rate = 0;
};
// One level after the other, again and again until `duration`. Refused if the lengths have no
// common measure that cuts this into at most kAppStepsMax steps.
Result<RateSteps> LevelRates(std::span<const LoadLevel> levels, Duration duration);

// A sine between two rates that begins at its lowest, sixty steps a period.
struct LoadSine {
  Duration period{};
  double low = 0;
  double high = 0;
};
Result<RateSteps> SineRates(const LoadSine& sine, Duration duration);

// The rates of days: a day is cut into as many equal parts as there are values.
struct LoadDay {
  std::vector<bool> months = std::vector<bool>(12, true);   // January first.
  std::vector<bool> weekdays = std::vector<bool>(7, true);  // Sunday first.
  std::vector<double> values{};
};
// Of several that fit a day the first counts; of none: no load. `start_s` is when the run begins,
// in seconds since the Unix epoch.
Result<RateSteps> SeasonRates(std::span<const LoadDay> days, std::int64_t start_s,
                              Duration duration);

// A series of measured rates, from its first point on; gaps are filled on the straight line.
Result<RateSteps> SeriesRates(const TimeSeries& series, double scale, Duration duration);

// A path of the process, as long as needed, lifted so that it is nowhere below zero, and scaled.
struct SampledLoad {
  SarimaModel model{};
  Duration step{};
  double scale = 1;
  std::uint64_t seed = 1;
};
Result<RateSteps> SampledRates(const SampledLoad& sampled, Duration duration);

}  // namespace berth

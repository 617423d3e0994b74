// Many methods on many series: who is good, who is fast, and who is both. The four performance
// classes of section 6.3 of the thesis.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "berth/status.h"
#include "forecast/backtest.h"
#include "forecast/read_series.h"

namespace berth {

// A method on the end of a series. The score is MSIS, so that series of any size compare.
struct MethodTrial {
  std::size_t series = 0;
  std::string_view method;
  double score = 0;
  double coverage = 0;
  Duration fitting{};
};

enum class PerformanceClass : std::uint8_t {
  kGoodAndFast,
  kGoodAndSlow,
  kPoorAndFast,
  kPoorAndSlow
};

// Of all trials: a score, or a time, up to its median is good, or fast.
struct ClassBorders {
  double score = 0;
  Duration fitting{};

  PerformanceClass ClassOf(const MethodTrial& trial) const;
};
// At least one trial.
ClassBorders BordersOf(std::span<const MethodTrial> trials);

struct MethodStanding {
  std::string_view method;
  std::array<std::size_t, 4> in_class{};  // By PerformanceClass.
  double score_median = 0;
  double score_mean = 0;
  double coverage_mean = 0;
  Duration fitting_median{};
};
// In the order in which methods first appear.
std::vector<MethodStanding> StandingsOf(std::span<const MethodTrial> trials);

struct SeriesTrials {
  std::vector<MethodTrial> trials{};
  // "web.csv: why": too few points for one of the methods, or too many, or the same from season to
  // season.
  std::vector<std::string> left_out{};
};
// "a; b; and 5 more", of many.
std::string ListedShort(std::span<const std::string> names);

// Series by series, each with the seasons that SeasonsNamed gives it. Refused if none has a score.
// `done` is told how many series were tried.
Result<SeriesTrials> TryMethods(std::span<const ForecasterEntry* const> methods,
                                std::span<const NamedSeries> series, BacktestOptions options,
                                std::string_view season,
                                const std::function<void(std::size_t)>& done);

}  // namespace berth

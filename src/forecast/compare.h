// Several methods on one series: how each did on its end, and what each foresees.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "berth/status.h"
#include "forecast/backtest.h"

namespace berth {

struct MethodForecast {
  std::string_view method{};
  std::string description{};
  std::string reason{};  // Why this, of a method that chooses.
  std::vector<std::string> notes{};
  std::vector<std::size_t> seasons{};  // Those used.
  std::string_view used{};             // Not `method` where the history is too short for it.
  Duration fitting{};                  // To all of the series, in real time.
  std::optional<ForecastScores>
      backtest{};       // None if too few points are left when some are held out; then noted.
  Forecast forecast{};  // With one band.
};

// In the order of `methods`. Refused, before any is fitted, if one would take too long. Each is
// fitted twice, to all and to what comes before the end; `done` is told how many of these fits are
// over.
Result<std::vector<MethodForecast>> CompareMethods(
    std::span<const ForecasterEntry* const> methods, const TimeSeries& series,
    const BacktestOptions& options,
    const std::function<void(std::size_t)>& done = [](std::size_t) {});

// The one with the lowest interval score, the first of equals. But the default method where it is
// among them without a score: then only methods have one that look at next to nothing.
const MethodForecast& BestOf(std::span<const MethodForecast> compared);

}  // namespace berth

#include "forecast/compare.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/stopwatch.h"

namespace berth {

Result<std::vector<MethodForecast>> CompareMethods(std::span<const ForecasterEntry* const> methods,
                                                   const TimeSeries& series,
                                                   const BacktestOptions& options,
                                                   const std::function<void(std::size_t)>& done) {
  for (const ForecasterEntry* const method : methods) {
    BERTH_RETURN_IF_ERROR(CheckFit(*method, series, options.fit));
  }
  std::vector<MethodForecast> compared;
  std::size_t fits = 0;
  for (const ForecasterEntry* const method : methods) {
    MethodForecast one{.method = method->name};
    const Stopwatch watch;
    BERTH_TRY(const SeriesForecaster fitted, SeriesForecaster::Fit(*method, series, options.fit));
    one.fitting = watch.elapsed();
    done(++fits);
    BERTH_TRY(one.forecast, fitted.Predict(options.horizon, std::span(&options.level, 1)));
    one.description = fitted.description();
    one.reason = fitted.reason();
    one.notes = fitted.notes();
    one.seasons = fitted.seasons();
    one.used = fitted.method();
    if (const Status status = CheckBacktest(*method, series, options); !status.ok()) {
      one.notes.push_back(fmt::format("no score of {}: {}", method->name, status.message()));
    } else {
      BERTH_TRY(const BacktestResult backtest, Backtest(*method, series, options));
      one.backtest = backtest.scores;
    }
    compared.push_back(std::move(one));
    done(++fits);
  }
  return compared;
}

const MethodForecast& BestOf(std::span<const MethodForecast> compared) {
  const auto standard = std::ranges::find(compared, kDefaultForecaster, &MethodForecast::method);
  if (standard != compared.end() && !standard->backtest) return *standard;
  const MethodForecast* best = &compared.front();
  for (const MethodForecast& one : compared) {
    if (!one.backtest) continue;
    if (!best->backtest || one.backtest->interval_score < best->backtest->interval_score) {
      best = &one;
    }
  }
  return *best;
}

}  // namespace berth

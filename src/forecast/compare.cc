#include "forecast/compare.h"

#include "base/stopwatch.h"

namespace berth {

Result<std::vector<MethodForecast>> CompareMethods(std::span<const ForecasterEntry* const> methods,
                                                   const TimeSeries& series,
                                                   const BacktestOptions& options) {
  std::vector<MethodForecast> compared;
  for (const ForecasterEntry* const method : methods) {
    MethodForecast one{.method = method->name};
    const Stopwatch watch;
    BERTH_TRY(const SeriesForecaster fitted, SeriesForecaster::Fit(*method, series, options.fit));
    one.fitting = watch.elapsed();
    BERTH_TRY(one.forecast, fitted.Predict(options.horizon, std::span(&options.level, 1)));
    one.description = fitted.description();
    one.reason = fitted.reason();
    one.notes = fitted.notes();
    if (series.values.size() > options.horizon) {
      BERTH_TRY(BacktestResult backtest, Backtest(*method, series, options));
      one.backtest = backtest.scores;
    }
    compared.push_back(std::move(one));
  }
  return compared;
}

const MethodForecast& BestOf(std::span<const MethodForecast> compared) {
  const MethodForecast* best = &compared.front();
  for (const MethodForecast& one : compared) {
    if (one.backtest && one.backtest->interval_score < best->backtest->interval_score) best = &one;
  }
  return *best;
}

}  // namespace berth

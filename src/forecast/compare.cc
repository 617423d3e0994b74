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

std::vector<std::size_t> UsualSeasons(Duration step) {
  std::vector<std::size_t> seasons;
  for (const Duration season :
       {Duration(std::chrono::hours(24)), Duration(std::chrono::hours(168))}) {
    const auto points = static_cast<std::size_t>(season / step);
    if (season % step == Duration::zero() && points >= 2 && points <= kSeasonMax) {
      seasons.push_back(points);
    }
  }
  return seasons;
}

}  // namespace berth

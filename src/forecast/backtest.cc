#include "forecast/backtest.h"

#include <fmt/format.h>

#include <cmath>

#include "base/stopwatch.h"
#include "base/text.h"

namespace berth {

Result<BacktestResult> Backtest(const ForecasterEntry& method, const TimeSeries& series,
                                const BacktestOptions& options) {
  BERTH_RETURN_IF_ERROR(CheckSeries(series));
  BERTH_RETURN_IF_ERROR(CheckSeasons(options.fit.seasons));
  const std::vector<double>& values = series.values;
  if (values.size() <= options.horizon) {
    return Status(Code::kInvalidArgument,
                  fmt::format("a backtest holds out {}, and the series has {}; it needs at least "
                              "one more",
                              Plural(options.horizon, "point"), values.size()));
  }
  TimeSeries before = series;
  before.values.resize(values.size() - options.horizon);
  while (std::isnan(before.values.back())) before.values.pop_back();
  // Gaps where the two meet belong to neither: the forecast is made across them.
  const std::size_t begin = before.values.size();
  const Stopwatch watch;
  BERTH_TRY(const SeriesForecaster fitted, SeriesForecaster::Fit(method, before, options.fit));
  BacktestResult result;
  result.fitting = watch.elapsed();
  BERTH_TRY(const Forecast forecast,
            fitted.Predict(values.size() - begin, std::span(&options.level, 1)));
  const std::vector<std::size_t>& seasons = options.fit.seasons;
  const bool seasonal = !seasons.empty() && seasons.front() < begin;
  const auto scores = ScoreForecast(forecast, 0, std::span(values).subspan(begin), before.values,
                                    seasonal ? seasons.front() : 1);
  // The last point is no gap.
  result.scores = *scores;
  result.description = fitted.description();
  result.notes = fitted.notes();
  return result;
}

}  // namespace berth

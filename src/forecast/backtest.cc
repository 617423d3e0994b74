#include "forecast/backtest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/stopwatch.h"
#include "base/text.h"

namespace berth {

namespace {

// Without those held out, and without a gap at the end.
std::size_t PointsBefore(const TimeSeries& series, std::size_t held_out) {
  std::size_t points = series.values.size() - std::min(series.values.size(), held_out);
  while (points > 0 && std::isnan(series.values[points - 1])) --points;
  return points;
}

// How many points are foreseen of a series fitted up to `begin`: to its end, with a gap where the
// two meet, but not further than a forecast goes.
std::size_t PointsForeseen(const TimeSeries& series, std::size_t begin) {
  return std::min(series.values.size() - begin, kHorizonMax);
}

bool AllGaps(std::span<const double> values) {
  return std::ranges::all_of(values, [](double value) { return std::isnan(value); });
}

}  // namespace

Status CheckBacktest(const ForecasterEntry& method, const TimeSeries& series,
                     const BacktestOptions& options) {
  BERTH_RETURN_IF_ERROR(CheckSeries(series));
  const std::size_t left = PointsBefore(series, options.horizon);
  if (left < method.points_min) {
    return {Code::kInvalidArgument,
            fmt::format("the last {} would be held out, the series has {}, and {} needs {} before "
                        "them; shorten the horizon",
                        Plural(options.horizon, "point"), FormatCount(series.values.size()),
                        method.name, method.points_min)};
  }
  const std::size_t foreseen = PointsForeseen(series, left);
  if (options.horizon > 0 && AllGaps(std::span(series.values).subspan(left, foreseen))) {
    return {Code::kInvalidArgument,
            fmt::format("the gap before the last {} is longer than the {} that a forecast goes; "
                        "lengthen the horizon, or take averages of longer steps",
                        Plural(options.horizon, "point"), Plural(kHorizonMax, "point"))};
  }
  return {};
}

Result<BacktestResult> Backtest(const ForecasterEntry& method, const TimeSeries& series,
                                const BacktestOptions& options) {
  BERTH_RETURN_IF_ERROR(CheckAsk(options.horizon, std::span(&options.level, 1)));
  BERTH_RETURN_IF_ERROR(CheckBacktest(method, series, options));
  BERTH_RETURN_IF_ERROR(CheckSeasons(options.fit.seasons));
  const std::vector<double>& values = series.values;
  TimeSeries before = series;
  before.values.resize(PointsBefore(series, options.horizon));
  // Gaps where the two meet belong to neither: the forecast is made across them.
  const std::size_t begin = before.values.size();
  const Stopwatch watch;
  BERTH_TRY(const SeriesForecaster fitted, SeriesForecaster::Fit(method, before, options.fit));
  BacktestResult result;
  result.fitting = watch.elapsed();
  const std::size_t foreseen = PointsForeseen(series, begin);
  BERTH_TRY(const Forecast forecast, fitted.Predict(foreseen, std::span(&options.level, 1)));
  const std::vector<std::size_t>& seasons = options.fit.seasons;
  const bool seasonal = !seasons.empty() && seasons.front() < begin;
  const auto scores = ScoreForecast(forecast, 0, std::span(values).subspan(begin), before.values,
                                    seasonal ? seasons.front() : 1);
  // CheckBacktest has found one that is no gap.
  result.scores = *scores;
  result.description = fitted.description();
  result.notes = fitted.notes();
  return result;
}

}  // namespace berth

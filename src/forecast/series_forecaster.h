// A method fitted to a series, with what holds for all methods:
//
// - Gaps are filled on a straight line. A point on a line shows no error, so bands are widened as
// if
//   all errors were those of the points that were seen: by the root of the points over those seen.
//   Of a random walk that is exact, of noise about a level a little much. Seasons of which the
//   history holds less than two are left out, as are those that it does not take. With fewer points
//   than the method needs, the last value is the forecast. With a single point nothing is known of
//   the spread, and the bands are that point. Each of these is noted.
// - What would take too long to fit is refused (fit_cost.h).
// - Answers are numbers: no further outside what was seen than ten times its range, and not below
//   zero if nothing seen was.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "berth/forecast.h"
#include "berth/status.h"
#include "forecast/fit_cost.h"
#include "forecast/forecaster.h"
#include "forecast/series.h"
#include "forecast/within_reason.h"

namespace berth {

inline constexpr std::size_t kHorizonMax = 10'000;
inline constexpr std::size_t kLevelsMax = 10;
inline constexpr std::size_t kSeasonsMax = 4;
inline constexpr std::size_t kSeasonMax = 10'000;

class SeriesForecaster {
 public:
  static Result<SeriesForecaster> Fit(const ForecasterEntry& method, const TimeSeries& series,
                                      const ForecastOptions& options);

  // Each level is a probability, as 0.95.
  Result<Forecast> Predict(std::size_t horizon, std::span<const double> levels) const;

  // The points that came next, without gaps.
  Status Update(std::span<const double> values);

  std::string description() const { return fitted_->description(); }
  // Why this, of a method that chooses; otherwise empty.
  std::string reason() const { return fitted_->reason(); }
  // What was done for want of points, and the seasons that the method does not use.
  const std::vector<std::string>& notes() const { return notes_; }
  // Those that it uses. Ascending.
  const std::vector<std::size_t>& seasons() const { return seasons_; }
  // The one asked for, or what there is instead with so short a history.
  std::string_view method() const { return method_->name; }

 private:
  SeriesForecaster(const ForecasterEntry& method, std::unique_ptr<FittedForecaster> fitted, Rng rng)
      : method_(&method), fitted_(std::move(fitted)), rng_(rng) {}

  const ForecasterEntry* method_;
  std::unique_ptr<FittedForecaster> fitted_;
  std::vector<std::string> notes_;
  std::vector<std::size_t> seasons_;
  Rng rng_;
  SeenRange seen_;
  double stretch_ = 1;  // Of bands, for gaps.
};

// What Predict refuses.
Status CheckAsk(std::size_t horizon, std::span<const double> levels);

// What Fit refuses, before anything is fitted.
Status CheckFit(const ForecasterEntry& method, const TimeSeries& series,
                const ForecastOptions& options);

// 1 to kSeasonsMax seasons or none, each of 2 to kSeasonMax points, ascending.
Status CheckSeasons(std::span<const std::size_t> seasons);

}  // namespace berth

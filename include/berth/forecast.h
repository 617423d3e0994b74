// What comes next of a series, and how sure that is:
//
//   TimeSeries load{.start = TimeFromMicros(0), .step = std::chrono::hours(1), .values = {...}};
//   auto fitted = Forecaster::Fit("chooser", load, {.seasons = {24, 168}});
//   const std::vector<double> levels = {0.95};
//   auto next = fitted.value().Predict(24, levels);        // A day: means, and bands of 95%.
//   next.value().mean[0];                                  // An hour from now,
//   next.value().bands[0].upper[0];                        // and at most this, most likely.
//   fitted.value().reason();                               // Why "chooser" kept what it kept.
//   Backtest("sarima", load, {.horizon = 24});             // How well would it have done
//   yesterday?
//
// docs/library.md shows a whole program, docs/forecasting.md what the methods do. Nothing reads a
// clock but the time that Backtest says fitting took: the same series gives the same forecast.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "berth/series.h"
#include "berth/status.h"
#include "berth/time.h"

namespace berth {

// Between `lower` and `upper` the value is expected with the probability `level`, point by point.
struct ForecastBand {
  double level = 0;
  std::vector<double> lower{};
  std::vector<double> upper{};
};

struct Forecast {
  std::vector<double> mean{};
  std::vector<ForecastBand> bands{};  // One for each level asked for, in that order.
};

// What fitting may take, if nothing else is said: about so many microseconds of a core.
inline constexpr double kFitCostMax = 300e6;

struct ForecastOptions {
  std::vector<std::size_t> seasons{};  // In points: 24 and 168 of an hourly series. Ascending.
  std::uint64_t seed = 1;
  double cost_max = kFitCostMax;  // A fit that would take longer is refused.
};

enum class ForecasterUpdates : std::uint8_t {
  kKeepsSettings,  // The state follows the new points; what was estimated stays.
  kLikeFitting,    // The answers are those of fitting anew.
};

struct ForecasterInfo {
  std::string_view name;
  std::string_view summary;
  std::size_t points_min;  // With fewer, the last value is the forecast.
  ForecasterUpdates updates;
};

// The simplest first. Each has variants: NAME+outliers is fitted without the outliers; NAME+garch
// has bands that follow the variance of its errors; NAME+outliers+garch both.
std::vector<ForecasterInfo> Forecasters();

// A method fitted to a series. Cheap to move; Predict may be called from several threads at once.
class Forecaster {
 public:
  // The message of a method that there is not names those there are. Up to four seasons are taken,
  // each of up to 10,000 points, and up to a million points of up to 1e100.
  static Result<Forecaster> Fit(std::string_view method, const TimeSeries& series,
                                const ForecastOptions& options = {});
  ~Forecaster();
  Forecaster(Forecaster&& other) noexcept;
  Forecaster& operator=(Forecaster&& other) noexcept;

  // Up to 10,000 points, at up to ten levels, each a probability as 0.95.
  Result<Forecast> Predict(std::size_t horizon, std::span<const double> levels) const;

  // The points that came next, so that forecasts go on from there: much cheaper than fitting anew.
  // A gap (NaN) is refused, and with it all of them: in its place give the mean that was foreseen
  // of it, or fit anew.
  Status Update(std::span<const double> values);

  // The one asked for, or what there is instead with so short a history.
  std::string_view method() const;
  // What was fitted, for people: "ETS(A,Ad,N)".
  std::string description() const;
  // Why this, of a method that chooses; otherwise empty.
  std::string reason() const;
  // What was done for want of points, and the seasons that the method does not use.
  const std::vector<std::string>& notes() const;
  // Those that it uses. Ascending.
  const std::vector<std::size_t>& seasons() const;

 private:
  class Impl;
  explicit Forecaster(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

struct ForecastScores {
  std::size_t points = 0;     // Values compared.
  double interval_score = 0;  // Their average.
  double coverage = 0;        // The share of values within the band.
  // The average distance from the mean, and the average interval score, in units of how far the
  // history is on average from itself one season before. None if it repeats itself exactly.
  std::optional<double> mase;
  std::optional<double> msis;
};

// `band` is one of the forecast's. Values that are gaps are left out, as are those of the history.
// The season is in points, shorter than the history; one for none. None if no value is known.
std::optional<ForecastScores> ScoreForecast(const Forecast& forecast, std::size_t band,
                                            std::span<const double> actual,
                                            std::span<const double> history, std::size_t season);

struct BacktestOptions {
  std::size_t horizon = 24;  // So many of the last points are held out.
  double level = 0.95;
  ForecastOptions fit{};
};

struct BacktestResult {
  ForecastScores scores;
  Duration fitting{};  // Of real time.
  std::string description;
  std::vector<std::string> notes;
};

// A method fitted to all but the end of a series, and compared with the end. The scale of MASE and
// MSIS is the shortest season that fits.
Result<BacktestResult> Backtest(std::string_view method, const TimeSeries& series,
                                const BacktestOptions& options = {});

}  // namespace berth

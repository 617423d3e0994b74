#include "forecast/series_forecaster.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "base/text.h"
#include "forecast/choice.h"
#include "forecast/season_use.h"

namespace berth {

Status CheckAsk(std::size_t horizon, std::span<const double> levels) {
  if (horizon == 0 || horizon > kHorizonMax) {
    return {Code::kInvalidArgument, fmt::format("a horizon is of 1 to {} points, not {}",
                                                FormatCount(kHorizonMax), horizon)};
  }
  if (levels.size() > kLevelsMax) {
    return {Code::kInvalidArgument, fmt::format("at most {} levels are taken", kLevelsMax)};
  }
  for (const double level : levels) {
    if (!(level > 0 && level < 1)) {
      return {Code::kInvalidArgument, fmt::format("a level is between 0 and 1, not {}", level)};
    }
  }
  return {};
}

namespace {

// Those of which there are at least two.
std::vector<std::size_t> SeasonsThatFit(std::span<const std::size_t> seasons, std::size_t points,
                                        std::vector<std::string>& notes) {
  std::vector<std::size_t> fit;
  for (const std::size_t season : seasons) {
    if (2 * season <= points) {
      fit.push_back(season);
    } else {
      notes.push_back(fmt::format("no season of {}: the history is of {}, not twice as long",
                                  season, Plural(points, "point")));
    }
  }
  return fit;
}

struct Gaps {
  std::size_t count = 0;
  std::size_t points = 0;  // With them.

  double stretch() const {
    return std::sqrt(static_cast<double>(points) / static_cast<double>(points - count));
  }
};

Gaps GapsOf(std::span<const double> values) {
  const auto is_gap = [](double value) { return std::isnan(value); };
  return {.count = static_cast<std::size_t>(std::ranges::count_if(values, is_gap)),
          .points = values.size()};
}

void NoteGaps(const Gaps& gaps, std::vector<std::string>& notes) {
  if (gaps.count == 0) return;
  notes.push_back(
      fmt::format("{} of {} points were gaps, filled on a line; bands are {:.1f}% wider for "
                  "them",
                  FormatCount(gaps.count), FormatCount(gaps.points), 100 * (gaps.stretch() - 1)));
  if (2 * gaps.count > gaps.points) {
    notes.emplace_back("more was filled than seen: averages of longer steps would have fewer gaps");
  }
}

SeasonUse SeasonsUsed(const ForecasterEntry& method, const FittedForecaster& fitted,
                      std::size_t points, std::span<const std::size_t> seasons) {
  if (method.seasons == SeasonsTaken::kOfItsMethods) {
    return {.used = fitted.seasons(), .notes = fitted.notes()};
  }
  SeasonUse use = SeasonUseOf(method, points, seasons);
  std::ranges::move(fitted.notes(), std::back_inserter(use.notes));
  return use;
}

}  // namespace

Status CheckSeasons(std::span<const std::size_t> seasons) {
  if (seasons.size() > kSeasonsMax) {
    return {Code::kInvalidArgument, fmt::format("at most {} seasons are taken", kSeasonsMax)};
  }
  for (std::size_t i = 0; i < seasons.size(); ++i) {
    if (seasons[i] < 2 || seasons[i] > kSeasonMax) {
      return {Code::kInvalidArgument, fmt::format("a season is of 2 to {} points, not {}",
                                                  FormatCount(kSeasonMax), seasons[i])};
    }
    if (i > 0 && seasons[i] <= seasons[i - 1]) {
      return {Code::kInvalidArgument, "seasons are ascending, each once"};
    }
  }
  return {};
}

Status CheckFit(const ForecasterEntry& method, const TimeSeries& series,
                const ForecastOptions& options) {
  BERTH_RETURN_IF_ERROR(CheckSeries(series));
  BERTH_RETURN_IF_ERROR(CheckSeasons(options.seasons));
  const std::size_t points = series.values.size();
  std::vector<std::string> notes;
  return CheckFitCost(method, points, SeasonsThatFit(options.seasons, points, notes),
                      options.cost_max);
}

Result<SeriesForecaster> SeriesForecaster::Fit(const ForecasterEntry& method,
                                               const TimeSeries& series,
                                               const ForecastOptions& options) {
  BERTH_RETURN_IF_ERROR(CheckFit(method, series, options));
  const std::vector<double> values = WithoutGaps(series.values);
  const Gaps gaps = GapsOf(series.values);
  std::vector<std::string> notes;
  NoteGaps(gaps, notes);
  const ForecasterEntry* used = &method;
  if (values.size() < method.points_min) {
    BERTH_TRY(used, FindForecaster("last_value"));
    notes.push_back(
        fmt::format("the last value: {} needs {} points", method.name, method.points_min));
  }
  if (values.size() == 1) notes.emplace_back("of one point the spread is not known: bands are it");
  const std::vector<std::size_t> seasons = SeasonsThatFit(options.seasons, values.size(), notes);
  const Rng rng(options.seed);
  BERTH_TRY(auto fitted, used->fit({.values = values, .seasons = seasons, .rng = rng.Fork("fit")}));
  SeriesForecaster forecaster(*used, std::move(fitted), rng.Fork("predict"));
  SeasonUse use = SeasonsUsed(*used, *forecaster.fitted_, values.size(), seasons);
  // The last value has no seasons, and that it is the last value was noted.
  if (used == &method) std::ranges::move(use.notes, std::back_inserter(notes));
  forecaster.notes_ = std::move(notes);
  forecaster.seasons_ = std::move(use.used);
  forecaster.seen_ = SeenRange::Of(values);
  forecaster.stretch_ = gaps.stretch();
  return forecaster;
}

Result<Forecast> SeriesForecaster::Predict(std::size_t horizon,
                                           std::span<const double> levels) const {
  BERTH_RETURN_IF_ERROR(CheckAsk(horizon, levels));
  Forecast forecast = fitted_->Predict(horizon, levels, rng_);
  if (stretch_ > 1) StretchBands(forecast, stretch_);
  KeepWithinReason(forecast, seen_);
  return forecast;
}

Status SeriesForecaster::Update(std::span<const double> values) {
  for (const double value : values) {
    if (!(std::abs(value) <= kSeriesValueMax)) {
      return {Code::kInvalidArgument,
              fmt::format("{} is no value to update with: {}", value,
                          std::isnan(value)
                              ? "for a gap give the mean that was foreseen of it, or fit anew"
                              : fmt::format("none is beyond {}", kSeriesValueMax))};
    }
  }
  for (const double value : values) {
    fitted_->Update(value);
    seen_.See(value);
  }
  return {};
}

}  // namespace berth

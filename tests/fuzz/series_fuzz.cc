// Whatever bytes a file of a series holds, it is read or refused with an error that names the file;
// what was read is written and reads back the same; and each method, filter, aggregator and
// correlator answers with as many numbers as it should, or refuses. Few changed files are series
// still, so the bytes are also taken for the points of one.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "berth/check.h"
#include "berth/rng.h"
#include "forecast/aggregator.h"
#include "forecast/correlator.h"
#include "forecast/filter.h"
#include "forecast/read_series.h"
#include "forecast/series_forecaster.h"
#include "forecast/write_series.h"
#include "fuzz/target.h"

namespace {

using berth::CheckSeries;
using berth::Result;
using berth::Rng;
using berth::TimeSeries;

constexpr const char* kFile = "fuzz.csv";
// Of longer ones, which two rows far apart make, the beginning is taken.
constexpr std::size_t kPointsMax = 150;
constexpr double kPointCostMax = 10;  // Of a method, in the units of methods.def.

Result<TimeSeries> Read(const std::string& text) {
  return berth::ReadSeries(berth::LineReader::FromText(text, kFile));
}

bool Same(double one, double other) {
  return one == other || (std::isnan(one) && std::isnan(other));
}

void CheckReadsBack(const TimeSeries& series) {
  const Result<TimeSeries> again = Read(ToCsv(series));
  BERTH_CHECK(again.ok());
  BERTH_CHECK(again.value().start == series.start);
  BERTH_CHECK(series.values.size() == 1 || again.value().step == series.step);
  BERTH_CHECK(std::ranges::equal(again.value().values, series.values, Same));
}

// Most are small numbers, some are gaps or extremes.
double PointOf(std::uint8_t byte) {
  constexpr double kExtremes[] = {0, 1e100, -1e100, 1e-300, 1e12, 0.1};
  if (byte < 8) return std::nan("");
  if (byte >= 250) return kExtremes[byte - 250];
  return (byte - 100) / 10.0;
}

TimeSeries SeriesOf(const std::uint8_t* bytes, std::size_t size) {
  TimeSeries series;
  for (std::size_t i = 0; i < size; ++i) {
    const double value = PointOf(bytes[i]);
    if (series.values.empty() && std::isnan(value)) continue;
    series.values.push_back(value);
  }
  while (!series.values.empty() && std::isnan(series.values.back())) series.values.pop_back();
  return series;
}

void Shorten(TimeSeries& series) {
  if (series.values.size() <= kPointsMax) return;
  series.values.resize(kPointsMax);
  while (std::isnan(series.values.back())) series.values.pop_back();
}

template <typename Entry>
const Entry& OneOf(std::span<const Entry> entries, Rng& rng) {
  return entries[rng.Below(entries.size())];
}

void CheckForecast(const TimeSeries& series, Rng& rng) {
  std::vector<const berth::ForecasterEntry*> methods;
  for (const auto entries : {berth::BuiltinForecasters(), berth::ForecasterVariants()}) {
    for (const berth::ForecasterEntry& entry : entries) {
      // Those that choose try several.
      const bool chooses = entry.seasons == berth::SeasonsTaken::kOfItsMethods;
      if (!chooses && entry.point_cost <= kPointCostMax) methods.push_back(&entry);
    }
  }
  std::vector<std::size_t> seasons;
  if (rng.Below(2) == 0) seasons.push_back(2 + rng.Below(30));
  auto fitted = berth::SeriesForecaster::Fit(*methods[rng.Below(methods.size())], series,
                                             {.seasons = seasons});
  BERTH_CHECK(fitted.ok());
  const std::size_t horizon = 1 + rng.Below(12);
  const double level = 0.95;
  const berth::Forecast forecast = fitted.value().Predict(horizon, std::span(&level, 1)).value();
  BERTH_CHECK(forecast.mean.size() == horizon);
  for (std::size_t i = 0; i < horizon; ++i) {
    const auto& [probability, lower, upper] = forecast.bands.front();
    BERTH_CHECK(std::isfinite(lower[i]) && std::isfinite(upper[i]));
    BERTH_CHECK(lower[i] <= forecast.mean[i] && forecast.mean[i] <= upper[i]);
  }
}

void CheckFiltered(const TimeSeries& series, Rng& rng) {
  const Result<TimeSeries> filtered = berth::ApplyFilter(
      OneOf(berth::BuiltinFilters(), rng), series,
      {.value = rng.Normal(), .season = 2 + rng.Below(30), .period = 2.1 + 10'000 * rng.Unit()});
  if (!filtered.ok()) return;
  BERTH_CHECK(filtered.value().values.size() == series.values.size());
  for (const double value : filtered.value().values) BERTH_CHECK(std::isfinite(value));
}

void CheckAggregated(const TimeSeries& series, Rng& rng) {
  const std::size_t points = 1 + rng.Below(6);
  const auto windows =
      berth::Aggregate(OneOf(berth::BuiltinAggregators(), rng), series,
                       series.step * static_cast<std::int64_t>(points), {.quantile = rng.Unit()});
  BERTH_CHECK(windows.ok());
  const std::size_t count = windows.value().values.size();
  BERTH_CHECK(count * points >= series.values.size());
  BERTH_CHECK(count <= series.values.size() / points + 2);
  const TimeSeries whole = WholeWindows(windows.value(), series);
  BERTH_CHECK(whole.values.size() * points <= series.values.size());
  if (whole.values.empty()) return;
  for (const double end : {whole.values.front(), whole.values.back()}) {
    BERTH_CHECK(std::isfinite(end));
  }
}

void CheckCorrelated(const TimeSeries& one, const TimeSeries& other, Rng& rng) {
  const std::size_t lags = rng.Below(3);
  const auto found = berth::Correlate(OneOf(berth::BuiltinCorrelators(), rng), one, other, lags);
  if (!found.ok()) return;
  BERTH_CHECK(!found.value().lags.empty() && found.value().lags.size() <= 2 * lags + 1);
  for (const berth::LagCorrelation& lag : found.value().lags) {
    BERTH_CHECK(lag.pairs >= berth::kPairsMin);
    BERTH_CHECK(lag.value >= -1 - 1e-9 && lag.value <= 1 + 1e-9);
  }
}

void CheckOperations(TimeSeries one, TimeSeries other, Rng rng) {
  Shorten(one);
  Shorten(other);
  BERTH_CHECK(CheckSeries(one).ok() && CheckSeries(other).ok());
  CheckForecast(one, rng);
  CheckFiltered(one, rng);
  CheckAggregated(one, rng);
  CheckCorrelated(one, other, rng);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  const Rng rng = Rng(1).Fork(text);
  const Result<TimeSeries> read = Read(text);
  if (!read.ok()) BERTH_CHECK(read.status().message().starts_with(kFile));
  if (read.ok()) CheckReadsBack(read.value());
  const auto columns = berth::ReadSeriesColumns(text, kFile);
  if (!columns.ok()) BERTH_CHECK(columns.status().message().starts_with(kFile));
  if (columns.ok()) {
    CheckOperations(columns.value().front().series, columns.value().back().series, rng);
  }
  const TimeSeries first = SeriesOf(data, size / 2);
  const TimeSeries second = SeriesOf(data + size / 2, size - size / 2);
  if (!first.values.empty() && !second.values.empty()) CheckOperations(first, second, rng);
  return 0;
}

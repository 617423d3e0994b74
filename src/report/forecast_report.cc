#include "report/forecast_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text.h"
#include "report/digits.h"

namespace berth {
namespace {

using OrderedJson = nlohmann::ordered_json;

double Milliseconds(Duration duration) { return static_cast<double>(duration.count()) / 1e3; }

Time TimeAfter(const TimeSeries& series, std::size_t points) {
  return series.start + series.step * static_cast<std::int64_t>(series.values.size() + points);
}

std::string Rounded(const std::optional<double>& value) {
  return value ? fmt::format("{:.3f}", *value) : "-";
}

// By the narrowest place of the band.
Digits DigitsOf(const Forecast& forecast) {
  const ForecastBand& band = forecast.bands.front();
  double narrowest = 0;
  double greatest = 0;
  for (std::size_t h = 0; h < forecast.mean.size(); ++h) {
    const double width = band.upper[h] - band.lower[h];
    if (width > 0 && (narrowest == 0 || width < narrowest)) narrowest = width;
    greatest = std::max({greatest, std::abs(band.lower[h]), std::abs(band.upper[h])});
  }
  return {narrowest, greatest};
}

// Of interval scores, by the lowest.
Digits DigitsOf(std::span<const MethodForecast> compared) {
  double lowest = 0;
  double greatest = 0;
  for (const MethodForecast& one : compared) {
    if (!one.backtest) continue;
    const double score = one.backtest->interval_score;
    if (score > 0 && (lowest == 0 || score < lowest)) lowest = score;
    greatest = std::max(greatest, score);
  }
  return {lowest, greatest};
}

OrderedJson NumberOrNull(const std::optional<double>& value) {
  return value ? OrderedJson(*value) : OrderedJson();
}

// As much of the past as makes three parts of the future.
Plot PlotOf(const MethodForecast& one, const TimeSeries& series) {
  const std::size_t horizon = one.forecast.mean.size();
  const std::size_t shown = std::min(series.values.size(), 3 * horizon);
  const double step_s = static_cast<double>(series.step.count()) / 1e6;
  PlotSeries past{.name = "seen"};
  for (std::size_t i = series.values.size() - shown; i < series.values.size(); ++i) {
    past.x.push_back(step_s * static_cast<double>(i));
    past.y.push_back(series.values[i]);
  }
  const ForecastBand& band = one.forecast.bands.front();
  Plot plot{.title = std::string(one.method), .note = one.description, .x_label = "time"};
  plot.series.push_back(std::move(past));
  const auto add = [&](std::string name, const std::vector<double>& values) {
    PlotSeries line{.name = std::move(name)};
    for (std::size_t h = 0; h < horizon; ++h) {
      line.x.push_back(step_s * static_cast<double>(series.values.size() + h));
      line.y.push_back(values[h]);
    }
    plot.series.push_back(std::move(line));
  };
  add("forecast", one.forecast.mean);
  add(fmt::format("{:g} % lower", 100 * band.level), band.lower);
  add(fmt::format("{:g} % upper", 100 * band.level), band.upper);
  return plot;
}

}  // namespace

Table MethodTable(std::span<const MethodForecast> compared) {
  const auto right = [](std::string name, std::string unit = {}) {
    return TableColumn{.name = std::move(name), .unit = std::move(unit), .right_aligned = true};
  };
  Table table{.title = "Methods",
              .note = "Scores of the last points, which were held out.",
              .columns = {{.name = "method"},
                          right("MASE"),
                          right("MSIS"),
                          right("interval score"),
                          right("coverage"),
                          right("fit", "ms"),
                          {.name = "fitted"}}};
  const Digits digits = DigitsOf(compared);
  for (const MethodForecast& one : compared) {
    const std::optional<ForecastScores>& scores = one.backtest;
    table.rows.push_back({std::string(one.method), scores ? Rounded(scores->mase) : "-",
                          scores ? Rounded(scores->msis) : "-",
                          scores ? digits(scores->interval_score) : "-",
                          scores ? FormatPercent(scores->coverage) : "-",
                          fmt::format("{:.2f}", Milliseconds(one.fitting)), one.description});
  }
  return table;
}

Table ForecastTable(const MethodForecast& one, const TimeSeries& series) {
  const ForecastBand& band = one.forecast.bands.front();
  std::vector<std::string> notes = one.notes;
  if (!one.reason.empty()) notes.insert(notes.begin(), "Why: " + one.reason);
  Table table{
      .title = fmt::format("Forecast by {}", one.method),
      .note = fmt::format("{}", fmt::join(notes, "; ")),
      .columns = {{.name = "time"},
                  {.name = "mean", .right_aligned = true},
                  {.name = fmt::format("{:g} % lower", 100 * band.level), .right_aligned = true},
                  {.name = fmt::format("{:g} % upper", 100 * band.level), .right_aligned = true}}};
  const Digits digits = DigitsOf(one.forecast);
  for (std::size_t h = 0; h < one.forecast.mean.size(); ++h) {
    table.rows.push_back({FormatTime(TimeAfter(series, h)), digits(one.forecast.mean[h]),
                          digits(band.lower[h]), digits(band.upper[h])});
  }
  return table;
}

Report ForecastReport(std::span<const MethodForecast> compared, const TimeSeries& series,
                      std::string command) {
  Report report{.title = "Forecast", .command = std::move(command)};
  report.facts.push_back({"Points", FormatCount(series.values.size()),
                          fmt::format("every {}", FormatDuration(series.step))});
  report.facts.push_back({"Best method", std::string(BestOf(compared).method),
                          "the lowest interval score of those compared"});
  report.tables.push_back(MethodTable(compared));
  report.tables.push_back(ForecastTable(BestOf(compared), series));
  for (const MethodForecast& one : compared) report.plots.push_back(PlotOf(one, series));
  return report;
}

std::string ToJson(std::span<const MethodForecast> compared, const TimeSeries& series) {
  OrderedJson methods = OrderedJson::array();
  for (const MethodForecast& one : compared) {
    OrderedJson row = {{"method", one.method}, {"description", one.description}};
    const auto score = [&](const char* name, const std::optional<double>& value) {
      row[name] = NumberOrNull(value);
    };
    const std::optional<ForecastScores>& scores = one.backtest;
    score("mase", scores ? scores->mase : std::nullopt);
    score("msis", scores ? scores->msis : std::nullopt);
    score("coverage", scores ? std::optional(scores->coverage) : std::nullopt);
    score("interval_score", scores ? std::optional(scores->interval_score) : std::nullopt);
    row["fit_ms"] = Milliseconds(one.fitting);
    row["reason"] = one.reason;
    row["notes"] = one.notes;
    methods.push_back(std::move(row));
  }
  const MethodForecast& best = BestOf(compared);
  const ForecastBand& band = best.forecast.bands.front();
  OrderedJson points = OrderedJson::array();
  for (std::size_t h = 0; h < best.forecast.mean.size(); ++h) {
    points.push_back({{"at_ms", ToMicros(TimeAfter(series, h)) / 1'000},
                      {"mean", best.forecast.mean[h]},
                      {"lower", band.lower[h]},
                      {"upper", band.upper[h]}});
  }
  const OrderedJson all = {{"methods", std::move(methods)},
                           {"method", best.method},
                           {"level", band.level},
                           {"forecast", std::move(points)}};
  return all.dump(2) + "\n";
}

}  // namespace berth

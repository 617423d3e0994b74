#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text.h"
#include "report/forecast_report.h"

namespace berth {
namespace {

double FitMilliseconds(Duration duration) { return static_cast<double>(duration.count()) / 1e3; }

std::string BordersInWords(const ClassBorders& borders) {
  return fmt::format(
      "The medians of all are a score of {:.3f} and {:.2f} ms. "
      "I: good and fast, II: good, III: fast, IV: neither.",
      borders.score, FitMilliseconds(borders.fitting));
}

}  // namespace

Table StandingsTable(std::span<const MethodTrial> trials) {
  const auto right = [](std::string name, std::string unit = {}) {
    return TableColumn{.name = std::move(name), .unit = std::move(unit), .right_aligned = true};
  };
  Table table{.title = "Performance classes",
              .note = BordersInWords(BordersOf(trials)),
              .columns = {{.name = "method"},
                          right("I"),
                          right("II"),
                          right("III"),
                          right("IV"),
                          right("median MSIS"),
                          right("mean MSIS"),
                          right("coverage"),
                          right("median fit", "ms")}};
  for (const MethodStanding& one : StandingsOf(trials)) {
    double sum = 0;
    for (const std::size_t count : one.in_class) sum += static_cast<double>(count);
    std::vector<TableCell> row = {std::string(one.method)};
    for (const std::size_t count : one.in_class) {
      row.emplace_back(fmt::format("{:.0f} %", 100 * static_cast<double>(count) / sum));
    }
    row.emplace_back(fmt::format("{:.3f}", one.score_median));
    row.emplace_back(fmt::format("{:.3f}", one.score_mean));
    row.emplace_back(FormatPercent(one.coverage_mean));
    row.emplace_back(fmt::format("{:.2f}", FitMilliseconds(one.fitting_median)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Report StandingsReport(std::span<const MethodTrial> trials, std::size_t series,
                       std::string command) {
  Report report{.title = "Forecasts of many series", .command = std::move(command)};
  report.facts.push_back({"Series", FormatCount(series), ""});
  report.tables.push_back(StandingsTable(trials));
  std::map<std::string_view, PlotSeries> of_methods;
  for (const MethodTrial& trial : trials) {
    PlotSeries& points = of_methods[trial.method];
    points.name = std::string(trial.method);
    points.kind = PlotSeriesKind::kPoints;
    points.x.push_back(trial.score);
    points.y.push_back(FitMilliseconds(trial.fitting));
  }
  Plot plot{.title = "Score and time of each method on each series",
            .note = BordersInWords(BordersOf(trials)),
            .x_label = "MSIS",
            .x_kind = PlotXKind::kNumber,
            .y_label = "fit",
            .y_unit = "ms",
            .y_scale = PlotYScale::kLog};
  for (const MethodStanding& one : StandingsOf(trials)) {
    plot.series.push_back(std::move(of_methods[one.method]));
  }
  report.plots.push_back(std::move(plot));
  return report;
}

std::string ToJson(std::span<const MethodTrial> trials, std::size_t series) {
  nlohmann::ordered_json methods = nlohmann::ordered_json::array();
  for (const MethodStanding& one : StandingsOf(trials)) {
    nlohmann::ordered_json row = {{"method", one.method}};
    for (std::size_t i = 0; i < one.in_class.size(); ++i) {
      row[fmt::format("class_{}", i + 1)] = one.in_class[i];
    }
    row["score_median"] = one.score_median;
    row["score_mean"] = one.score_mean;
    row["coverage"] = one.coverage_mean;
    row["fit_ms"] = FitMilliseconds(one.fitting_median);
    methods.push_back(std::move(row));
  }
  const ClassBorders borders = BordersOf(trials);
  const nlohmann::ordered_json all = {{"series", series},
                                      {"score_median", borders.score},
                                      {"fit_ms_median", FitMilliseconds(borders.fitting)},
                                      {"methods", std::move(methods)}};
  return all.dump(2) + "\n";
}

}  // namespace berth

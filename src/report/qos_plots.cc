#include "report/qos_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/qos_fairness.h"

namespace berth {
namespace {

constexpr double kEmptyCell = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kDeficitBars = 20;  // Of 5% each.

std::vector<double> EvenEdges(std::size_t cells) {
  std::vector<double> edges;
  for (std::size_t i = 0; i <= cells; ++i)
    edges.push_back(static_cast<double>(i) / static_cast<double>(cells));
  return edges;
}

double TargetOf(const ServiceClass& klass) { return klass.availability_ppm / 1e6; }

HeatMap PairedMap(const PairedAvailabilities& pairs, const ServiceClass& klass) {
  constexpr std::size_t kSquares = PairedAvailabilities::kSquares;
  const double target = TargetOf(klass);
  HeatMap map{.title = fmt::format("Availability of {} under both schedulers", klass.name.str()),
              .note =
                  "Requests in squares of 5%. Right of the first line priority kept the "
                  "promise, above the second qos did; above the third qos gave more.",
              .x_label = "availability by priority",
              .x_edges = EvenEdges(kSquares),
              .y_label = "availability by qos",
              .y_edges = EvenEdges(kSquares),
              .value_label = "requests",
              .value_scale = PlotYScale::kLog,
              .lines = {{.name = "promise, by priority", .x = {target, target}, .y = {0, 1}},
                        {.name = "promise, by qos", .x = {0, 1}, .y = {target, target}},
                        {.name = "the same under both", .x = {0, 1}, .y = {0, 1}}}};
  for (std::size_t y = 0; y < kSquares; ++y) {
    map.rows.emplace_back();
    for (std::size_t x = 0; x < kSquares; ++x) {
      const std::uint64_t count = pairs.At(x, y);
      map.rows.back().push_back(count == 0 ? kEmptyCell : static_cast<double>(count));
    }
  }
  return map;
}

// How many stayed below their promise by 0 to 5%, by 5 to 10% and so on.
std::vector<double> DeficitCounts(const QosResult& result, std::size_t klass, double target) {
  std::vector<double> counts(kDeficitBars, 0);
  for (std::size_t i = 0; i < result.availabilities.size(); ++i) {
    if (result.class_of[i] != klass || std::isnan(result.availabilities[i])) continue;
    const double deficit = target - static_cast<double>(result.availabilities[i]);
    if (deficit <= 0) continue;
    const auto bar = static_cast<std::size_t>(deficit * kDeficitBars);
    ++counts[std::min(bar, kDeficitBars - 1)];
  }
  return counts;
}

// A series over the levels: the mean of what is taken of the samples of each.
PlotSeries ByContention(std::string name, const QosResult& result,
                        const std::vector<ContentionLevel>& levels, std::size_t klass,
                        std::vector<double> FairnessSamples::*of) {
  PlotSeries series{.name = std::move(name), .kind = PlotSeriesKind::kBars};
  for (std::size_t level = 0; level < kContentionLevels; ++level) {
    const FairnessSamples samples =
        FairnessOf(result, levels, static_cast<ContentionLevel>(level), klass);
    if ((samples.*of).empty()) continue;
    series.x.push_back(static_cast<double>(level));
    series.y.push_back(MeanWithInterval(samples.*of).mean);
  }
  return series;
}

}  // namespace

std::vector<HeatMap> PairedMaps(const std::vector<PairedAvailabilities>& pairs,
                                const std::vector<ServiceClass>& classes) {
  std::vector<HeatMap> maps;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (pairs[i].total() > 0) maps.push_back(PairedMap(pairs[i], classes[i]));
  }
  return maps;
}

std::vector<Plot> DeficitPlots(const std::vector<QosRun>& runs,
                               const std::vector<ServiceClass>& classes) {
  std::vector<Plot> plots;
  for (std::size_t klass = 0; klass < classes.size(); ++klass) {
    Plot plot{.title = fmt::format("Deficits of {}", classes[klass].name.str()),
              .note =
                  "Requests whose promise was broken, by how far they stayed below it, in "
                  "steps of 5%.",
              .x_label = "deficit",
              .x_kind = PlotXKind::kNumber,
              .y_label = "requests"};
    bool any = false;
    for (const QosRun& run : runs) {
      PlotSeries series{.name = run.scheduler, .kind = PlotSeriesKind::kBars};
      series.y = DeficitCounts(run.result, klass, TargetOf(classes[klass]));
      for (std::size_t bar = 0; bar < kDeficitBars; ++bar)
        series.x.push_back((static_cast<double>(bar) + 0.5) / kDeficitBars);
      any = any || std::ranges::any_of(series.y, [](double count) { return count > 0; });
      plot.series.push_back(std::move(series));
    }
    if (any) plots.push_back(std::move(plot));
  }
  return plots;
}

std::vector<Plot> KeptPlots(const std::vector<QosRun>& runs,
                            const std::vector<ServiceClass>& classes) {
  std::vector<Plot> plots;
  for (std::size_t klass = 0; klass < classes.size(); ++klass) {
    Plot plot{.title = fmt::format("Promises kept to {}", classes[klass].name.str()),
              .note = "Of the requests active in an interval of ten minutes, at its end.",
              .x_label = "Time since start",
              .y_label = "share"};
    for (const QosRun& run : runs) {
      PlotSeries series{.name = run.scheduler, .kind = PlotSeriesKind::kStep};
      for (std::size_t i = 0; i < run.result.intervals.size(); ++i) {
        const ClassInInterval& interval = run.result.intervals[i][klass];
        series.x.push_back(static_cast<double>(i) *
                           std::chrono::duration<double>(kQosInterval).count());
        series.y.push_back(interval.active == 0 ? kEmptyCell
                                                : static_cast<double>(interval.fulfilled) /
                                                      static_cast<double>(interval.active));
      }
      plot.series.push_back(std::move(series));
    }
    plots.push_back(std::move(plot));
  }
  return plots;
}

std::vector<Plot> FairnessPlots(const std::vector<QosRun>& runs,
                                const std::vector<ServiceClass>& classes,
                                const std::vector<ContentionLevel>& levels) {
  struct Metric {
    std::string_view title;
    std::vector<double> FairnessSamples::*of;
  };
  const Metric metrics[] = {{"Inequality (Gini) by contention", &FairnessSamples::gini},
                            {"Least availability by contention", &FairnessSamples::least},
                            {"Promises kept by contention", &FairnessSamples::fulfilled}};
  std::vector<Plot> plots;
  for (const Metric& metric : metrics) {
    Plot plot{.title = std::string(metric.title),
              .note =
                  "Means over intervals of ten minutes; the table has their confidence "
                  "intervals.",
              .x_label = "contention: 0 none, 1 low, 2 medium, 3 high",
              .x_kind = PlotXKind::kNumber,
              .y_label = "mean"};
    for (std::size_t klass = 0; klass < classes.size(); ++klass) {
      for (const QosRun& run : runs) {
        plot.series.push_back(
            ByContention(fmt::format("{}, {}", classes[klass].name.str(), run.scheduler),
                         run.result, levels, klass, metric.of));
      }
    }
    plots.push_back(std::move(plot));
  }
  return plots;
}

}  // namespace berth

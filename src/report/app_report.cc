#include "report/app_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "base/text.h"
#include "report/app_tables.h"

namespace berth {
namespace {

constexpr std::size_t kAppPlotPoints = 1000;  // Enough for a screen; the means of those between.
constexpr int kResponseSteps = 200;

// Of a policy in a region, over time.
PlotSeries OverTime(std::string name, const AppSeries& series, const std::vector<double>& values,
                    double factor) {
  PlotSeries line{.name = std::move(name)};
  const double step_s = std::chrono::duration<double>(series.step).count();
  const std::size_t together = std::max<std::size_t>(1, values.size() / kAppPlotPoints);
  for (std::size_t i = 0; i < values.size(); i += together) {
    double sum = 0, count = 0;
    for (std::size_t j = i; j < std::min(values.size(), i + together); ++j) {
      if (std::isnan(values[j])) continue;
      sum += values[j];
      ++count;
    }
    line.x.push_back(step_s * static_cast<double>(i + 1));
    line.y.push_back(count > 0 ? factor * sum / count : std::nan(""));
  }
  return line;
}

using PolicyList = std::vector<AppPolicyTotals>;

std::string Named(const AppModel& model, const std::string& what, std::size_t region) {
  return model.regions.size() == 1 ? what : what + " in " + model.regions[region].name;
}

// Calls add(name, series) for each policy and region.
template <typename Add>
void ForEachSeries(const AppModel& model, const PolicyList& policies, Add add) {
  for (const AppPolicyTotals& row : policies) {
    for (std::size_t region = 0; region < model.regions.size(); ++region) {
      add(Named(model, row.policy->name, region), row.policy->runs.front()[region].series);
    }
  }
}

double LongestResponse(const PolicyList& policies) {
  double longest = 1;
  for (const AppPolicyTotals& row : policies) {
    const TimeHistogram& times = row.totals.all.response;
    // A hundredth more, so that the bucket it is in counts whole.
    if (times.count() > 0) longest = std::max(longest, 1.01 * times.Quantile(0.999));
  }
  return longest;
}

Plot ResponseCurves(const PolicyList& policies) {
  Plot plot{.title = "Response time: how many are answered within",
            .note = "In percent of the answers of the policy that answers most.",
            .x_label = "response time, ms",
            .x_kind = PlotXKind::kNumber,
            .y_label = "answered",
            .y_unit = "%"};
  std::uint64_t most = 1;
  for (const AppPolicyTotals& row : policies) most = std::max(most, row.totals.all.answered);
  const double longest = LongestResponse(policies);
  for (const AppPolicyTotals& row : policies) {
    PlotSeries line{.name = row.policy->name};
    for (int i = 0; i <= kResponseSteps; ++i) {
      const double micros = longest * i / kResponseSteps;
      line.x.push_back(micros / 1e3);
      line.y.push_back(100 *
                       static_cast<double>(
                           row.totals.all.response.CountUpTo(static_cast<std::int64_t>(micros))) /
                       static_cast<double>(most));
    }
    plot.series.push_back(std::move(line));
  }
  return plot;
}

Plot ResponseHistogram(const PolicyList& policies) {
  Plot plot{.title = "Response time: how many take so long",
            .x_label = "response time, ms",
            .x_kind = PlotXKind::kNumber,
            .y_label = "answers"};
  constexpr int kBars = 50;
  const double longest = LongestResponse(policies);
  for (const AppPolicyTotals& row : policies) {
    PlotSeries bars{.name = row.policy->name, .kind = PlotSeriesKind::kBars};
    std::uint64_t before = 0;
    for (int i = 1; i <= kBars; ++i) {
      const double end = longest * i / kBars;
      const std::uint64_t upto = row.totals.all.response.CountUpTo(static_cast<std::int64_t>(end));
      bars.x.push_back((end - longest / kBars / 2) / 1e3);
      bars.y.push_back(static_cast<double>(upto - before));
      before = upto;
    }
    plot.series.push_back(std::move(bars));
  }
  return plot;
}

// Bars of policies beside each other, numbered as the table lists them.
template <typename ValueOf>
PlotSeries PolicyBars(std::string name, const PolicyList& policies, ValueOf value_of) {
  PlotSeries bars{.name = std::move(name), .kind = PlotSeriesKind::kBars};
  for (std::size_t i = 0; i < policies.size(); ++i) {
    bars.x.push_back(static_cast<double>(i + 1));
    bars.y.push_back(value_of(policies[i].totals.all));
  }
  return bars;
}

Plot AnsweredPlot(const PolicyList& policies) {
  Plot plot{.title = "Answered and lost",
            .x_label = "policy, as in the table",
            .x_kind = PlotXKind::kNumber,
            .y_label = "requests",
            .y_unit = "%"};
  const auto share = [](std::uint64_t part, const TypeOutcome& all) {
    return 100 * static_cast<double>(part) /
           static_cast<double>(std::max<std::uint64_t>(1, all.sent));
  };
  plot.series.push_back(PolicyBars(
      "answered", policies, [&](const TypeOutcome& all) { return share(all.answered, all); }));
  plot.series.push_back(PolicyBars("lost or unfinished", policies, [&](const TypeOutcome& all) {
    return share(all.sent - all.answered, all);
  }));
  return plot;
}

Plot WhereTimeGoes(const PolicyList& policies) {
  Plot plot{.title = "Where the time of answers goes",
            .x_label = "policy, as in the table",
            .x_kind = PlotXKind::kNumber,
            .y_label = "share",
            .y_unit = "%"};
  const auto share = [](double part, const TypeOutcome& all) {
    return all.response_us > 0 ? 100 * part / all.response_us : 0;
  };
  plot.series.push_back(PolicyBars("work", policies, [&](const TypeOutcome& all) {
    return share(all.response_us - all.waited_us - all.on_links_us, all);
  }));
  plot.series.push_back(PolicyBars(
      "links", policies, [&](const TypeOutcome& all) { return share(all.on_links_us, all); }));
  plot.series.push_back(PolicyBars(
      "buffers", policies, [&](const TypeOutcome& all) { return share(all.waited_us, all); }));
  return plot;
}

Plot LoadPlot(const AppModel& model, const PolicyList& policies) {
  Plot plot{.title = "Load", .x_label = "time", .y_label = "requests", .y_unit = "a second"};
  const auto& first = policies.front().policy->runs.front();
  for (std::size_t region = 0; region < model.regions.size(); ++region) {
    const AppSeries& series = first[region].series;
    for (std::size_t i = 0; i < model.request_types.size(); ++i) {
      plot.series.push_back(OverTime(Named(model, model.request_types[i].name, region), series,
                                     series.types[i][static_cast<std::size_t>(AppMetric::kLoad)],
                                     1));
    }
  }
  return plot;
}

Plot NodesPlot(const AppModel& model, const PolicyList& policies) {
  Plot plot{.title = "Nodes",
            .note = "Desired: up or booting. Actual: up, those that stop included.",
            .x_label = "time",
            .y_label = "nodes"};
  ForEachSeries(model, policies, [&](const std::string& name, const AppSeries& series) {
    plot.series.push_back(OverTime(name + ", desired", series, series.nodes_desired, 1));
    plot.series.push_back(OverTime(name + ", actual", series, series.nodes, 1));
  });
  return plot;
}

Plot CostPlot(const AppModel& model, const PolicyList& policies) {
  Plot plot{.title = "Cost since the start", .x_label = "time", .y_label = "cost"};
  ForEachSeries(model, policies, [&](const std::string& name, const AppSeries& series) {
    plot.series.push_back(OverTime(name, series, series.cost_micros, 1e-6));
  });
  return plot;
}

Plot UtilisationPlot(const AppModel& model, const PolicyList& policies) {
  Plot plot{.title = "Utilisation of nodes", .x_label = "time", .y_label = "used", .y_unit = "%"};
  constexpr std::size_t kShown = 2;  // Cpu and memory; more only where a single run is shown.
  const std::size_t shown = policies.size() == 1 ? kUsedCount : kShown;
  ForEachSeries(model, policies, [&](const std::string& name, const AppSeries& series) {
    for (std::size_t r = 0; r < shown; ++r) {
      plot.series.push_back(OverTime(fmt::format("{}, {}", name, ResourceName(kAllResources[r])),
                                     series, series.utilisation[r], 100));
    }
  });
  return plot;
}

// Those that requests wait at longest, in the order of the file.
std::vector<std::size_t> ShownServices(const AppPolicyTotals& row) {
  constexpr std::size_t kServicesShown = 12;
  const std::vector<double>& waited = row.totals.all.waited_at_us;
  std::vector<std::size_t> shown(waited.size());
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  std::ranges::stable_sort(shown, std::greater<>(), [&](std::size_t i) { return waited[i]; });
  if (shown.size() > kServicesShown) shown.resize(kServicesShown);
  std::ranges::sort(shown);
  return shown;
}

// Of the first region: of all there would be too many lines.
Plot WaitingPlot(const AppModel& model, const AppPolicyTotals& row) {
  Plot plot{.title = fmt::format("Waiting by service: {}", Named(model, row.policy->name, 0)),
            .note =
                "In the buffers of a service, of what it began to work on; of the twelve that "
                "requests wait at longest.",
            .x_label = "time",
            .y_label = "waiting",
            .y_unit = "s"};
  const AppSeries& series = row.policy->runs.front().front().series;
  for (const std::size_t i : ShownServices(row)) {
    plot.series.push_back(
        OverTime(model.services[i].name, series,
                 series.services[i][static_cast<std::size_t>(ServiceMetric::kWaitingTime)], 1));
  }
  return plot;
}

Plot InstancesPlot(const AppModel& model, const AppPolicyTotals& row) {
  Plot plot{.title = fmt::format("Instances that are ready: {}", Named(model, row.policy->name, 0)),
            .x_label = "time",
            .y_label = "instances"};
  const AppSeries& series = row.policy->runs.front().front().series;
  for (const std::size_t i : ShownServices(row)) {
    plot.series.push_back(
        OverTime(model.services[i].name, series,
                 series.services[i][static_cast<std::size_t>(ServiceMetric::kInstances)], 1));
  }
  return plot;
}

}  // namespace

Report AppReport(const AppModel& model, const std::vector<AppPolicyRuns>& policies,
                 const AppStudy& study, std::string command) {
  PolicyList rows;
  rows.reserve(policies.size());
  for (const AppPolicyRuns& policy : policies) {
    rows.push_back({.policy = &policy, .totals = TotalsOf(policy)});
  }
  Report report{.title = "Application",
                .subtitle = fmt::format("{}, {}, {}", FormatDuration(model.duration),
                                        Plural(model.services.size(), "service"),
                                        Plural(study.repetitions, "repetition")),
                .command = std::move(command),
                .seed = study.seed};
  for (const AppPolicyTotals& row : rows) {
    for (const std::string& note : row.policy->runs.front().front().notes) {
      report.paragraphs.push_back(fmt::format("{}: {}", row.policy->name, note));
    }
  }
  report.tables = AppTables(model, rows);
  report.plots = {ResponseCurves(rows),  ResponseHistogram(rows),     AnsweredPlot(rows),
                  WhereTimeGoes(rows),   LoadPlot(model, rows),       NodesPlot(model, rows),
                  CostPlot(model, rows), UtilisationPlot(model, rows)};
  for (const AppPolicyTotals& row : rows) {
    report.plots.push_back(InstancesPlot(model, row));
    report.plots.push_back(WaitingPlot(model, row));
  }
  return report;
}

}  // namespace berth

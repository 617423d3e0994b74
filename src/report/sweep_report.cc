#include "report/sweep_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "appsim/app_policy.h"
#include "base/text.h"

namespace berth {
namespace {

constexpr double kNoTime = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kCurvesMax = 20;  // More lines than that nobody tells apart.
constexpr int kCurveSteps = 200;

std::string PolicyName(const Sweep& sweep, const SweepCell& cell) {
  return AppPolicyLabel(sweep.policies[cell.combination.policy]);
}

std::vector<TableCell> ChoicesOf(const Sweep& sweep, const SweepCell& cell) {
  std::vector<TableCell> names;
  for (std::size_t axis = 0; axis < sweep.axes.size(); ++axis) {
    names.emplace_back(sweep.axes[axis].choices[cell.combination.choices[axis]].name);
  }
  names.emplace_back(PolicyName(sweep, cell));
  return names;
}

std::vector<TableColumn> ChoiceColumns(const Sweep& sweep) {
  std::vector<TableColumn> columns;
  for (const SweepAxis& axis : sweep.axes) columns.push_back({.name = axis.name});
  columns.push_back({.name = "policy"});
  return columns;
}

std::string NameOf(const Sweep& sweep, const SweepCell& cell) {
  std::string name;
  for (const TableCell& part : ChoicesOf(sweep, cell)) {
    name += (name.empty() ? "" : ", ") + std::get<std::string>(part);
  }
  return name;
}

template <typename ValueOf>
MeanOfRuns MeanOverRuns(const SweepCell& cell, ValueOf value_of) {
  std::vector<double> values;
  values.reserve(cell.runs.size());
  for (const SweepRun& run : cell.runs) values.push_back(value_of(run));
  return MeanOf(values);
}

std::string InWords(const MeanOfRuns& mean, std::size_t runs, int decimals) {
  if (runs < 2) return fmt::format("{:.{}f}", mean.mean, decimals);
  return fmt::format("{:.{}f} +- {:.{}f}", mean.mean, decimals, mean.half_width, decimals);
}

double GoodPercent(const SweepRun& run) {
  return 100 * static_cast<double>(run.good) /
         static_cast<double>(std::max<std::uint64_t>(1, run.sent));
}
double AnsweredPercent(const SweepRun& run) {
  return 100 * static_cast<double>(run.answered) /
         static_cast<double>(std::max<std::uint64_t>(1, run.sent));
}
double Cost(const SweepRun& run) { return run.cost_micros / 1e6; }

TimeHistogram ResponsesOf(const SweepCell& cell) {
  TimeHistogram all;
  for (const SweepRun& run : cell.runs) all.Add(run.response);
  return all;
}

double QuantileMillis(const TimeHistogram& times, double q) {
  return times.count() > 0 ? times.Quantile(q) / 1e3 : kNoTime;
}

// The share of the time in which more was ordered and not there yet that promises were not kept.
double ViolatedPercent(const SweepCell& cell) {
  double whole = 0, violated = 0;
  for (const SweepRun& run : cell.runs) {
    whole += run.latency[1].whole_us;
    violated += run.latency[1].violated_us;
  }
  return whole > 0 ? 100 * violated / whole : kNoTime;
}

Table CombinationsTable(const Sweep& sweep, const std::vector<SweepCell>& cells) {
  Table table{.title = "Combinations",
              .note =
                  "Means of the repetitions with 95% confidence intervals. Good: answered within "
                  "the target. Scaling late: of the time in which nodes or instances were ordered "
                  "and not there yet, the share in which promises were not kept.",
              .columns = ChoiceColumns(sweep)};
  for (TableColumn& column :
       std::vector<TableColumn>{{.name = "answered", .unit = "%", .right_aligned = true},
                                {.name = "good", .unit = "%", .right_aligned = true},
                                {.name = "cost", .right_aligned = true},
                                {.name = "p50", .unit = "ms"},
                                {.name = "p95", .unit = "ms"},
                                {.name = "p99", .unit = "ms"},
                                {.name = "scaling late", .unit = "%"}}) {
    table.columns.push_back(std::move(column));
  }
  for (const SweepCell& cell : cells) {
    const TimeHistogram times = ResponsesOf(cell);
    std::vector<TableCell> row = ChoicesOf(sweep, cell);
    row.emplace_back(InWords(MeanOverRuns(cell, AnsweredPercent), cell.runs.size(), 2));
    row.emplace_back(InWords(MeanOverRuns(cell, GoodPercent), cell.runs.size(), 2));
    row.emplace_back(InWords(MeanOverRuns(cell, Cost), cell.runs.size(), 4));
    for (const double q : {0.5, 0.95, 0.99}) row.emplace_back(QuantileMillis(times, q));
    row.emplace_back(ViolatedPercent(cell));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table NodesTable(const Sweep& sweep, const std::vector<SweepCell>& cells) {
  Table table{.title = "Nodes",
              .note =
                  "Over time, means of the repetitions: how many, and by how much that varied "
                  "(standard deviation); then how many of each type.",
              .columns = ChoiceColumns(sweep)};
  std::set<std::string> types;
  for (const SweepCell& cell : cells) {
    for (const auto& [type, nodes] : cell.runs.front().nodes_by_type) types.insert(type);
  }
  for (const std::string_view name : {"actual", "varied", "desired", "desired varied"}) {
    table.columns.push_back({.name = std::string(name)});
  }
  for (const std::string& type : types) table.columns.push_back({.name = type});
  for (const SweepCell& cell : cells) {
    std::vector<TableCell> row = ChoicesOf(sweep, cell);
    const auto add = [&](auto value_of) { row.emplace_back(MeanOverRuns(cell, value_of).mean); };
    add([](const SweepRun& run) { return run.nodes.mean; });
    add([](const SweepRun& run) { return run.nodes.deviation; });
    add([](const SweepRun& run) { return run.nodes_desired.mean; });
    add([](const SweepRun& run) { return run.nodes_desired.deviation; });
    for (const std::string& type : types) {
      add([&](const SweepRun& run) {
        const auto found = run.nodes_by_type.find(type);
        return found == run.nodes_by_type.end() ? 0 : found->second;
      });
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table UtilisationTable(const Sweep& sweep, const std::vector<SweepCell>& cells) {
  Table table{.title = "Utilisation",
              .note = "What the ready instances of a service use of what they have, on average.",
              .columns = ChoiceColumns(sweep)};
  table.columns.push_back({.name = "service"});
  for (std::size_t r = 0; r < kUsedCount; ++r) {
    table.columns.push_back({.name = std::string(ResourceName(kAllResources[r])), .unit = "%"});
  }
  for (const SweepCell& cell : cells) {
    for (const auto& entry : cell.runs.front().utilisation) {
      const std::string& service = entry.first;
      std::vector<TableCell> row = ChoicesOf(sweep, cell);
      row.emplace_back(service);
      for (std::size_t r = 0; r < kUsedCount; ++r) {
        row.emplace_back(100 * MeanOverRuns(cell, [&](const SweepRun& run) {
                                 return run.utilisation.at(service)[r];
                               }).mean);
      }
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

Plot CurvesPlot(const Sweep& sweep, const std::vector<SweepCell>& cells) {
  Plot plot{.title = "Response time: how many are answered within",
            .note = "In percent of the answers of the combination that answers most.",
            .x_label = "response time, ms",
            .x_kind = PlotXKind::kNumber,
            .y_label = "answered",
            .y_unit = "%"};
  const std::size_t shown = std::min(cells.size(), kCurvesMax);
  if (shown < cells.size()) plot.note += fmt::format(" The first {} combinations.", shown);
  std::vector<TimeHistogram> times;
  double longest = 1, most = 1;
  for (std::size_t i = 0; i < shown; ++i) {
    times.push_back(ResponsesOf(cells[i]));
    most = std::max(most, static_cast<double>(times.back().count()));
    if (times.back().count() > 0) longest = std::max(longest, times.back().Quantile(0.999));
  }
  for (std::size_t i = 0; i < shown; ++i) {
    PlotSeries line{.name = NameOf(sweep, cells[i])};
    for (int step = 0; step <= kCurveSteps; ++step) {
      const double micros = longest * step / kCurveSteps;
      line.x.push_back(micros / 1e3);
      line.y.push_back(
          100 * static_cast<double>(times[i].CountUpTo(static_cast<std::int64_t>(micros))) / most);
    }
    plot.series.push_back(std::move(line));
  }
  return plot;
}

// Above and to the left is better.
Plot FrontierPlot(const Sweep& sweep, const std::vector<SweepCell>& cells) {
  Plot plot{.title = "What keeping promises costs",
            .note = "One point a combination: up and to the left is better.",
            .x_label = "cost of a run",
            .x_kind = PlotXKind::kNumber,
            .y_label = "good",
            .y_unit = "%"};
  for (std::size_t policy = 0; policy < sweep.policies.size(); ++policy) {
    PlotSeries points{.kind = PlotSeriesKind::kPoints};
    for (const SweepCell& cell : cells) {
      if (cell.combination.policy != policy) continue;
      points.name = PolicyName(sweep, cell);
      points.x.push_back(MeanOverRuns(cell, Cost).mean);
      points.y.push_back(MeanOverRuns(cell, GoodPercent).mean);
    }
    plot.series.push_back(std::move(points));
  }
  return plot;
}

}  // namespace

Report SweepReport(const Sweep& sweep, const std::vector<SweepCell>& cells, std::string command) {
  Report report{.title = "Sweep",
                .subtitle = fmt::format("{}, each run {}", Plural(cells.size(), "combination"),
                                        Plural(sweep.repetitions, "time")),
                .command = std::move(command),
                .seed = sweep.seed};
  report.tables = {CombinationsTable(sweep, cells), NodesTable(sweep, cells),
                   UtilisationTable(sweep, cells)};
  report.plots = {CurvesPlot(sweep, cells), FrontierPlot(sweep, cells)};
  return report;
}

}  // namespace berth

#include "report/plan_report.h"

#include <fmt/format.h>

#include <utility>

#include "base/text.h"
#include "scale/space/node_sets.h"
#include "scale/space/scaling_plan.h"

namespace berth {
namespace {

std::string BoundsInWords(const PlannedState& state, std::size_t service) {
  if (state.low.empty()) return "-";
  return fmt::format("{}-{}", FormatCount(state.low[service]), FormatCount(state.high[service]));
}

std::string NoteOf(const ScalingPlan& plan) {
  std::string note = plan.states.empty() ? "Nothing is to change." : "";
  for (const std::string& each : plan.notes) note += (note.empty() ? "" : "; ") + each;
  return note;
}

template <typename ValueOf>
PlotSeries OverStates(const ScalingPlan& plan, std::string name, ValueOf value_of) {
  PlotSeries series{.name = std::move(name), .kind = PlotSeriesKind::kStep};
  for (const PlannedState& state : plan.states) {
    series.x.push_back(static_cast<double>((state.at - plan.made).count()) / 1e6);
    series.y.push_back(static_cast<double>(value_of(state)));
  }
  return series;
}

Plot ServicePlot(const ScalingPlan& plan, const std::string& name, std::size_t service) {
  Plot plot{
      .title = fmt::format("Instances of {}", name), .x_label = "time", .y_label = "instances"};
  plot.series.push_back(OverStates(
      plan, "planned", [&](const PlannedState& state) { return state.instances[service]; }));
  const auto bound = [&](std::string_view which, const InstanceCounts PlannedState::*counts) {
    plot.series.push_back(OverStates(plan, std::string(which), [&](const PlannedState& state) {
      return (state.*counts).empty() ? state.instances[service] : (state.*counts)[service];
    }));
  };
  bound("by the lower bound", &PlannedState::low);
  bound("by the upper bound", &PlannedState::high);
  return plot;
}

}  // namespace

Table PlanTable(const ScalingPlan& plan, const ScaledApplication& application) {
  const bool with_nodes = !application.types.empty();
  Table table{.title = fmt::format("Plan made at {}", FormatTime(plan.made)),
              .note = NoteOf(plan),
              .columns = {{.name = "order at"}}};
  for (const ScaledService& service : application.services) {
    table.columns.push_back({.name = service.name, .right_aligned = true});
    table.columns.push_back({.name = service.name + " from-to", .right_aligned = true});
  }
  if (with_nodes) {
    table.columns.push_back({.name = "nodes"});
    table.columns.push_back({.name = "an hour", .right_aligned = true});
  }
  table.columns.push_back({.name = "why"});
  for (const PlannedState& state : plan.states) {
    std::vector<TableCell> row = {FormatTime(state.at)};
    for (std::size_t s = 0; s < application.services.size(); ++s) {
      row.emplace_back(FormatCount(state.instances[s]));
      row.emplace_back(BoundsInWords(state, s));
    }
    if (with_nodes) {
      row.emplace_back(NodesInWords(state.nodes, application));
      const std::int64_t micros = HourMicrosOf(state.nodes, application.types);
      row.emplace_back(fmt::format("{:.4f}", static_cast<double>(micros) / 1e6));
    }
    row.emplace_back(state.why);
    table.rows.push_back(std::move(row));
  }
  return table;
}

Report PlanReport(const ScalingPlan& plan, const ScaledApplication& application,
                  std::string command) {
  Report report{.title = "Scaling plan", .command = std::move(command)};
  report.tables.push_back(PlanTable(plan, application));
  for (std::size_t s = 0; s < application.services.size(); ++s) {
    report.plots.push_back(ServicePlot(plan, application.services[s].name, s));
  }
  if (!application.types.empty()) {
    Plot cost{.title = "Price of an hour", .x_label = "time", .y_label = "price"};
    cost.series.push_back(OverStates(plan, "nodes", [&](const PlannedState& state) {
      return static_cast<double>(HourMicrosOf(state.nodes, application.types)) / 1e6;
    }));
    report.plots.push_back(std::move(cost));
  }
  return report;
}

}  // namespace berth

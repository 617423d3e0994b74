#include "report/capacity_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "base/text.h"

namespace berth {
namespace {

using CapacityJson = nlohmann::ordered_json;

double InUnits(double micros) { return micros / 1e6; }

std::string Money(double micros) { return fmt::format("{:.4f}", InUnits(micros)); }
std::string Money(const std::optional<double>& micros) { return micros ? Money(*micros) : "-"; }

TableColumn RightOf(std::string name, std::string unit = {}) {
  return {.name = std::move(name), .unit = std::move(unit), .right_aligned = true};
}

std::string VmsInWords(const CapacityAnswer& answer, std::span<const std::uint64_t> counts,
                       std::string_view sign = {}) {
  std::string words;
  for (std::size_t t = 0; t < counts.size(); ++t) {
    if (counts[t] == 0) continue;
    words += fmt::format("{}{}{} {}", words.empty() ? "" : ", ", sign, counts[t],
                         answer.types[t].FullName());
  }
  return words;
}

std::string ChangeInWords(const CapacityAnswer& answer, const PlanStep& step) {
  const std::string started = VmsInWords(answer, step.started, "+");
  const std::string stopped = VmsInWords(answer, step.stopped, "-");
  return started + (started.empty() || stopped.empty() ? "" : ", ") + stopped;
}

bool AnyStarted(const PlanStep& step) {
  for (const std::uint64_t count : step.started) {
    if (count > 0) return true;
  }
  return false;
}

Table StepTable(const CapacityAnswer& answer) {
  const CapacityPlan& plan = answer.plan;
  Table table{.title = fmt::format("Plan for the {:g} % quantile of the load", 100 * plan.quantile),
              .note = fmt::format("{} {} in all, {} at least; {}.", Money(plan.cost_micros),
                                  answer.currency, Money(plan.bound_micros),
                                  Plural(plan.changes, "change")),
              .columns = {{.name = "time"}, RightOf("load", "1/s")}};
  for (const std::string& service : answer.services) table.columns.push_back(RightOf(service));
  table.columns.push_back({.name = "VMs"});
  table.columns.push_back({.name = "change"});
  table.columns.push_back({.name = "order by"});
  table.columns.push_back(RightOf("cost", answer.currency));
  for (const PlanStep& step : plan.steps) {
    std::vector<TableCell> row = {FormatTime(step.at), fmt::format("{:.1f}", step.load)};
    for (const std::uint32_t count : step.instances) row.emplace_back(FormatCount(count));
    row.emplace_back(VmsInWords(answer, step.vms));
    row.emplace_back(ChangeInWords(answer, step));
    row.emplace_back(AnyStarted(step) ? FormatTime(step.order_by) : std::string());
    row.emplace_back(Money(step.cost_micros));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table ConfidenceTable(const CapacityAnswer& answer) {
  Table table{.title = "What confidence costs",
              .note = "A point: one percent of confidence more, from the row above on.",
              .columns = {RightOf("quantile", "%"), RightOf("cost", answer.currency),
                          RightOf("a point", answer.currency)}};
  const QuantileCost* before = nullptr;
  for (const QuantileCost& one : answer.quantiles) {
    std::string point = "-";
    if (before != nullptr && before->cost_micros && one.cost_micros) {
      const double points = 100 * (one.quantile - before->quantile);
      point = Money((*one.cost_micros - *before->cost_micros) / points);
    }
    table.rows.push_back(
        {fmt::format("{:g}", 100 * one.quantile), Money(one.cost_micros), std::move(point)});
    before = &one;
  }
  return table;
}

Table ProviderTable(const CapacityAnswer& answer) {
  Table table{.title = "Each provider alone",
              .columns = {{.name = "provider"}, RightOf("cost", answer.currency)}};
  for (const ProviderCost& one : answer.providers) {
    table.rows.push_back({one.provider, Money(one.cost_micros)});
  }
  return table;
}

Table BaselineTable(const CapacityAnswer& answer) {
  Table table{.title = "The same instances with other ways to choose VMs",
              .note = fmt::format("{}", fmt::join(answer.notes, "; ")),
              .columns = {{.name = "way"}, RightOf("cost", answer.currency), RightOf("to plan")}};
  const double plan = answer.plan.cost_micros;
  table.rows.push_back({"this plan", Money(plan), "1.00"});
  for (const BaselineCost& one : answer.baselines) {
    table.rows.push_back({one.name, Money(one.cost_micros),
                          plan > 0 ? fmt::format("{:.2f}", one.cost_micros / plan) : "-"});
  }
  return table;
}

// One series, over the steps, held until the next.
template <typename ValueOf>
PlotSeries OverSteps(const CapacityAnswer& answer, std::string name, ValueOf value_of) {
  PlotSeries series{.name = std::move(name), .kind = PlotSeriesKind::kStep};
  const CapacityPlan& plan = answer.plan;
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    series.x.push_back(static_cast<double>(plan.step.count()) / 1e6 * static_cast<double>(i));
    series.y.push_back(static_cast<double>(value_of(i)));
  }
  return series;
}

Plot LoadPlot(const CapacityAnswer& answer, const LoadForecast& load) {
  Plot plot{.title = "Load", .x_label = "time", .y_label = "requests", .y_unit = "1/s"};
  plot.series.push_back(
      OverSteps(answer, "mean", [&](std::size_t i) { return load.points[i].mean; }));
  plot.series.push_back(
      OverSteps(answer, "planned for", [&](std::size_t i) { return answer.plan.steps[i].load; }));
  return plot;
}

Plot InstancePlot(const CapacityAnswer& answer) {
  Plot plot{.title = "Instances", .x_label = "time", .y_label = "instances"};
  for (std::size_t s = 0; s < answer.services.size(); ++s) {
    plot.series.push_back(OverSteps(answer, answer.services[s], [&](std::size_t i) {
      return answer.plan.steps[i].instances[s];
    }));
  }
  return plot;
}

Plot VmPlot(const CapacityAnswer& answer) {
  Plot plot{.title = "VMs", .x_label = "time", .y_label = "VMs"};
  for (std::size_t t = 0; t < answer.types.size(); ++t) {
    std::uint64_t used = 0;
    for (const PlanStep& step : answer.plan.steps) used += step.vms[t];
    if (used == 0) continue;
    plot.series.push_back(OverSteps(answer, answer.types[t].FullName(),
                                    [&](std::size_t i) { return answer.plan.steps[i].vms[t]; }));
  }
  return plot;
}

Plot ConfidencePlot(const CapacityAnswer& answer) {
  Plot plot{.title = "What confidence costs",
            .x_label = "quantile, %",
            .x_kind = PlotXKind::kNumber,
            .y_label = "cost",
            .y_unit = answer.currency};
  PlotSeries series{.name = "cost"};
  for (const QuantileCost& one : answer.quantiles) {
    if (!one.cost_micros) continue;
    series.x.push_back(100 * one.quantile);
    series.y.push_back(InUnits(*one.cost_micros));
  }
  plot.series.push_back(std::move(series));
  return plot;
}

CapacityJson CostInJson(const std::optional<double>& micros) {
  return micros ? CapacityJson(InUnits(*micros)) : CapacityJson();
}

CapacityJson VmsInJson(const CapacityAnswer& answer, std::span<const std::uint64_t> counts) {
  CapacityJson vms = CapacityJson::object();
  for (std::size_t t = 0; t < counts.size(); ++t) {
    if (counts[t] > 0) vms[answer.types[t].FullName()] = counts[t];
  }
  return vms;
}

CapacityJson StepInJson(const CapacityAnswer& answer, const PlanStep& step) {
  CapacityJson instances = CapacityJson::object();
  for (std::size_t s = 0; s < answer.services.size(); ++s) {
    instances[answer.services[s]] = step.instances[s];
  }
  return {{"at_ms", ToMicros(step.at) / 1'000},
          {"load", step.load},
          {"instances", std::move(instances)},
          {"vms", VmsInJson(answer, step.vms)},
          {"started", VmsInJson(answer, step.started)},
          {"stopped", VmsInJson(answer, step.stopped)},
          {"order_by_ms", ToMicros(step.order_by) / 1'000},
          {"cost", InUnits(step.cost_micros)}};
}

}  // namespace

std::vector<Table> CapacityTables(const CapacityAnswer& answer) {
  std::vector<Table> tables = {StepTable(answer), ConfidenceTable(answer)};
  if (!answer.providers.empty()) tables.push_back(ProviderTable(answer));
  tables.push_back(BaselineTable(answer));
  return tables;
}

Report CapacityReport(const CapacityAnswer& answer, const LoadForecast& load, std::string command) {
  Report report{.title = "Capacity plan", .command = std::move(command)};
  report.facts.push_back({"Cost",
                          fmt::format("{} {}", Money(answer.plan.cost_micros), answer.currency),
                          fmt::format("for {}", Plural(answer.plan.steps.size(), "step"))});
  report.facts.push_back({"Confidence", fmt::format("{:g} %", 100 * answer.plan.quantile),
                          "that the load of a step is not above what is planned for"});
  report.tables = CapacityTables(answer);
  report.plots = {LoadPlot(answer, load), InstancePlot(answer), VmPlot(answer),
                  ConfidencePlot(answer)};
  return report;
}

std::string ToJson(const CapacityAnswer& answer) {
  const CapacityPlan& plan = answer.plan;
  CapacityJson steps = CapacityJson::array();
  for (const PlanStep& step : plan.steps) steps.push_back(StepInJson(answer, step));
  CapacityJson confidence = CapacityJson::array();
  for (const QuantileCost& one : answer.quantiles) {
    confidence.push_back({{"quantile", one.quantile}, {"cost", CostInJson(one.cost_micros)}});
  }
  CapacityJson providers = CapacityJson::array();
  for (const ProviderCost& one : answer.providers) {
    providers.push_back({{"provider", one.provider}, {"cost", CostInJson(one.cost_micros)}});
  }
  CapacityJson baselines = CapacityJson::array();
  for (const BaselineCost& one : answer.baselines) {
    baselines.push_back({{"name", one.name}, {"cost", InUnits(one.cost_micros)}});
  }
  const CapacityJson all = {{"currency", answer.currency},
                            {"quantile", plan.quantile},
                            {"step_s", static_cast<double>(plan.step.count()) / 1e6},
                            {"cost", InUnits(plan.cost_micros)},
                            {"cost_at_least", InUnits(plan.bound_micros)},
                            {"changes", plan.changes},
                            {"steps", std::move(steps)},
                            {"confidence", std::move(confidence)},
                            {"providers", std::move(providers)},
                            {"baselines", std::move(baselines)},
                            {"notes", answer.notes}};
  return all.dump(2) + "\n";
}

}  // namespace berth

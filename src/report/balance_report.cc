#include "report/balance_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text.h"

namespace berth {
namespace {

// In the order written: the most telling fields first.
using Json = nlohmann::ordered_json;

constexpr std::size_t kMachinesShownMax = 20;

TableColumn Right(std::string name) { return {.name = std::move(name), .right_aligned = true}; }

std::string GainInWords(const BalancePlan& plan) {
  if (plan.moves.empty()) return "Nothing helps: no move within the limits lowers the energy.";
  return fmt::format("{} {} the expected violations from {:.2f} to {:.2f}.",
                     Plural(plan.moves.size(), "move"), plan.moves.size() == 1 ? "takes" : "take",
                     plan.before.expected_violations, plan.after.expected_violations);
}

Table GainTable(const BalancePlan& plan) {
  Table table{.title = "What balancing would gain",
              .note = GainInWords(plan),
              .columns = {{.name = "figure"}, Right("before"), Right("after")}};
  const auto row = [&](std::string name, double BalanceSummary::*figure) {
    table.rows.push_back({std::move(name), fmt::format("{:.4f}", plan.before.*figure),
                          fmt::format("{:.4f}", plan.after.*figure)});
  };
  table.rows.push_back({"machines violated now", FormatCount(plan.before.violated_now),
                        FormatCount(plan.after.violated_now)});
  row("expected violations", &BalanceSummary::expected_violations);
  row("imbalance", &BalanceSummary::imbalance);
  row("fragmentation", &BalanceSummary::fragmentation);
  row("energy", &BalanceSummary::energy);
  return table;
}

Table MoveTable(const BalancePlan& plan) {
  Table table{.title = "Moves, in order",
              .columns = {{.name = "move"},
                          {.name = "instance"},
                          {.name = "type"},
                          {.name = "from"},
                          {.name = "to"},
                          Right("expected violations then")}};
  for (const BalanceMove& move : plan.moves) {
    table.rows.push_back({static_cast<double>(table.rows.size() + 1), ToString(move.instance),
                          move.type.str(), move.from.str(), move.to.str(),
                          fmt::format("{:.2f}", move.expected_violations)});
  }
  return table;
}

Table RefusedTable(const BalancePlan& plan) {
  Table table{.title = "Moves left out",
              .note = "They would lower the energy, but a rule refuses them.",
              .columns = {{.name = "instance"}, {.name = "to"}, {.name = "because"}}};
  for (const RefusedMove& refused : plan.refused) {
    table.rows.push_back({ToString(refused.instance), refused.to.str(), refused.because});
  }
  return table;
}

std::string InWords(bool violated, double probability) {
  return violated ? fmt::format("violated, {}", FormatPercent(probability))
                  : FormatPercent(probability);
}

Table MachineTable(const BalancePlan& plan) {
  Table table{.title = "Machines at risk, or with a part in a move",
              .note = "The probability that tenants will need more than the threshold.",
              .columns = {{.name = "machine"}, Right("before"), Right("after")}};
  for (const MachineOutlook& outlook : plan.outlooks) {
    if (table.rows.size() == kMachinesShownMax) {
      table.note = fmt::format("{} of {} shown; --json lists all", kMachinesShownMax,
                               FormatCount(plan.outlooks.size()));
      break;
    }
    table.rows.push_back({outlook.machine.str(),
                          InWords(outlook.violated_now, outlook.probability_now),
                          InWords(outlook.violated_after, outlook.probability_after)});
  }
  return table;
}

Plot MovesPlot(const BalancePlan& plan) {
  PlotSeries expected{.name = "expected violations",
                      .kind = PlotSeriesKind::kPoints,
                      .x = {0},
                      .y = {plan.before.expected_violations}};
  for (const BalanceMove& move : plan.moves) {
    expected.x.push_back(static_cast<double>(expected.x.size()));
    expected.y.push_back(move.expected_violations);
  }
  return {.title = "Expected violations move by move",
          .note = "At 0 as things are.",
          .x_label = "Moves made",
          .x_kind = PlotXKind::kNumber,
          .y_label = "Expected violations",
          .series = {std::move(expected)}};
}

// All of them; the table shows a few.
Plot OutlooksPlot(const BalancePlan& plan) {
  PlotSeries before{.name = "before", .kind = PlotSeriesKind::kPoints};
  PlotSeries after{.name = "after", .kind = PlotSeriesKind::kPoints};
  const auto add = [](PlotSeries& series, double probability) {
    series.x.push_back(static_cast<double>(series.x.size() + 1));
    series.y.push_back(100 * probability);
  };
  std::vector<MachineOutlook> outlooks = plan.outlooks;
  std::ranges::stable_sort(outlooks, std::greater<>(), &MachineOutlook::probability_now);
  for (const MachineOutlook& outlook : outlooks) {
    add(before, outlook.probability_now);
    add(after, outlook.probability_after);
  }
  return {
      .title = "Probability of a violation by machine",
      .note = "Machines at risk, or with a part in a move; those most at risk before come first.",
      .x_label = "Machine",
      .x_kind = PlotXKind::kNumber,
      .y_label = "Probability",
      .y_unit = "%",
      .series = {std::move(before), std::move(after)}};
}

Json SummaryJson(const BalanceSummary& summary) {
  return {{"violated_now", summary.violated_now},
          {"expected_violations", summary.expected_violations},
          {"imbalance", summary.imbalance},
          {"fragmentation", summary.fragmentation},
          {"energy", summary.energy}};
}

}  // namespace

Report BalanceReport(const BalancePlan& plan, std::string command, std::uint64_t seed) {
  Report report{.title = "What if the fleet were balanced",
                .subtitle = fmt::format("{}, {}", Plural(plan.machines, "ready machine"),
                                        Plural(plan.instances, "instance")),
                .command = std::move(command),
                .seed = seed};
  if (plan.not_observed > 0) {
    report.paragraphs.push_back(
        fmt::format("Of {} no usage is known: taken to use what those of the "
                    "past came to, or the limit where there is no model.",
                    Plural(plan.not_observed, "instance")));
  }
  report.tables = {GainTable(plan)};
  if (!plan.moves.empty()) report.tables.push_back(MoveTable(plan));
  if (!plan.refused.empty()) report.tables.push_back(RefusedTable(plan));
  report.plots = {MovesPlot(plan)};
  if (!plan.outlooks.empty()) {
    report.tables.push_back(MachineTable(plan));
    report.plots.push_back(OutlooksPlot(plan));
  }
  return report;
}

std::string ToJson(const BalancePlan& plan) {
  Json json = {{"machines_looked_at", plan.machines},
               {"instances", plan.instances},
               {"not_observed", plan.not_observed},
               {"before", SummaryJson(plan.before)},
               {"after", SummaryJson(plan.after)},
               {"moves", Json::array()},
               {"refused", Json::array()},
               {"machines", Json::array()}};
  for (const BalanceMove& move : plan.moves) {
    json["moves"].push_back({{"instance", ToString(move.instance)},
                             {"type", move.type.str()},
                             {"from", move.from.str()},
                             {"to", move.to.str()},
                             {"expected_violations", move.expected_violations}});
  }
  for (const RefusedMove& refused : plan.refused) {
    json["refused"].push_back({{"instance", ToString(refused.instance)},
                               {"to", refused.to.str()},
                               {"because", refused.because}});
  }
  for (const MachineOutlook& outlook : plan.outlooks) {
    json["machines"].push_back({{"machine", outlook.machine.str()},
                                {"violated_now", outlook.violated_now},
                                {"violated_after", outlook.violated_after},
                                {"probability_now", outlook.probability_now},
                                {"probability_after", outlook.probability_after}});
  }
  // Names are ASCII by rule; whatever else text holds must not make printing fail.
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace berth

#include "report/app_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace berth {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

double Share(double part, double whole) { return whole > 0 ? part / whole : kNothing; }

double AppPercent(std::uint64_t part, std::uint64_t whole) {
  return 100 * Share(static_cast<double>(part), static_cast<double>(whole));
}

double Millis(const TimeHistogram& times, double q) {
  return times.count() > 0 ? times.Quantile(q) / 1e3 : kNothing;
}

// The mean of the repetitions, and after it the half of its interval if there are several.
template <typename ValueOf>
std::string WithInterval(const AppPolicyRuns& policy, int decimals, ValueOf value_of) {
  std::vector<double> values;
  values.reserve(policy.runs.size());
  for (const std::vector<AppOutcome>& regions : policy.runs) {
    const double value = value_of(TotalsOf(regions));
    if (!std::isnan(value)) values.push_back(value);
  }
  if (values.empty()) return "-";
  const MeanOfRuns mean = MeanOf(values);
  if (values.size() < 2) return fmt::format("{:.{}f}", mean.mean, decimals);
  return fmt::format("{:.{}f} +- {:.{}f}", mean.mean, decimals, mean.half_width, decimals);
}

Table PoliciesTable(const std::vector<AppPolicyTotals>& policies) {
  Table table{.title = "Policies",
              .note =
                  "Good: answered within the target. Of several repetitions means with 95% "
                  "confidence intervals; percentiles are of all answers together.",
              .columns = {{.name = "policy"},
                          {.name = "sent"},
                          {.name = "answered", .unit = "%", .right_aligned = true},
                          {.name = "good", .unit = "%", .right_aligned = true},
                          {.name = "p50", .unit = "ms"},
                          {.name = "p95", .unit = "ms"},
                          {.name = "p99", .unit = "ms"},
                          {.name = "cost", .right_aligned = true},
                          {.name = "nodes", .unit = "mean"},
                          {.name = "cpu", .unit = "%"},
                          {.name = "memory", .unit = "%"}}};
  for (const AppPolicyTotals& row : policies) {
    const TypeOutcome& all = row.totals.all;
    const auto answered = [](const AppTotals& t) { return AppPercent(t.all.answered, t.all.sent); };
    const auto good = [](const AppTotals& t) { return AppPercent(t.all.good, t.all.sent); };
    const auto cost = [](const AppTotals& t) { return t.cost_micros / 1e6; };
    table.rows.push_back(
        {row.policy->name, static_cast<double>(all.sent), WithInterval(*row.policy, 2, answered),
         WithInterval(*row.policy, 2, good), Millis(all.response, 0.5), Millis(all.response, 0.95),
         Millis(all.response, 0.99), WithInterval(*row.policy, 4, cost), row.totals.nodes_mean,
         100 * row.totals.utilisation[0], 100 * row.totals.utilisation[1]});
  }
  return table;
}

Table RequestsTable(const AppModel& model, const std::vector<AppPolicyTotals>& policies) {
  Table table{.title = "Requests",
              .note =
                  "Where the time of answers goes, on the longest way of each: in work, on links "
                  "and in buffers.",
              .columns = {{.name = "policy"},
                          {.name = "request"},
                          {.name = "sent"},
                          {.name = "answered", .unit = "%"},
                          {.name = "mean", .unit = "ms"},
                          {.name = "p95", .unit = "ms"},
                          {.name = "work", .unit = "%"},
                          {.name = "links", .unit = "%"},
                          {.name = "buffers", .unit = "%"}}};
  for (const AppPolicyTotals& row : policies) {
    for (std::size_t i = 0; i < model.request_types.size(); ++i) {
      const TypeOutcome& type = row.totals.types[i];
      const double links = Share(type.on_links_us, type.response_us);
      const double buffers = Share(type.waited_us, type.response_us);
      table.rows.push_back({row.policy->name, model.request_types[i].name,
                            static_cast<double>(type.sent), AppPercent(type.answered, type.sent),
                            Share(type.response_us, static_cast<double>(type.answered)) / 1e3,
                            Millis(type.response, 0.95), 100 * (1 - links - buffers), 100 * links,
                            100 * buffers});
    }
  }
  return table;
}

Table LostTable(const std::vector<AppPolicyTotals>& policies) {
  Table table{.title = "Lost requests",
              .note = "Why, in percent of those sent. Unfinished: still under way at the end.",
              .columns = {{.name = "policy"}}};
  for (std::size_t i = 0; i < kLossCauses; ++i) {
    table.columns.push_back({.name = std::string(LossCauseName(static_cast<LossCause>(i)))});
  }
  table.columns.push_back({.name = "unfinished"});
  for (const AppPolicyTotals& row : policies) {
    std::vector<TableCell> cells = {row.policy->name};
    for (const std::uint64_t lost : row.totals.all.lost) {
      cells.emplace_back(AppPercent(lost, row.totals.all.sent));
    }
    cells.emplace_back(AppPercent(row.totals.unfinished, row.totals.all.sent));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Table ServicesTable(const AppModel& model, const std::vector<AppPolicyTotals>& policies) {
  Table table{.title = "Services",
              .note =
                  "How long a request waits in the buffers of a service, on average over those "
                  "sent, and what its ready instances use of what they have.",
              .columns = {{.name = "policy"},
                          {.name = "service"},
                          {.name = "waiting", .unit = "ms"},
                          {.name = "cpu", .unit = "%"},
                          {.name = "memory", .unit = "%"}}};
  for (const AppRequestType& type : model.request_types) {
    if (model.request_types.size() < 2) break;
    table.columns.push_back({.name = "waiting of " + type.name, .unit = "ms"});
  }
  for (const AppPolicyTotals& row : policies) {
    for (std::size_t i = 0; i < model.services.size(); ++i) {
      const TypeOutcome& all = row.totals.all;
      std::vector<TableCell> cells = {
          row.policy->name, model.services[i].name,
          Share(all.waited_at_us[i], static_cast<double>(all.sent)) / 1e3,
          100 * row.totals.services[i][0], 100 * row.totals.services[i][1]};
      for (const TypeOutcome& type : row.totals.types) {
        if (model.request_types.size() < 2) break;
        cells.emplace_back(Share(type.waited_at_us[i], static_cast<double>(type.sent)) / 1e3);
      }
      table.rows.push_back(std::move(cells));
    }
  }
  return table;
}

Table NodesTable(const AppModel& model, const std::vector<AppPolicyTotals>& policies) {
  Table table{.title = "Nodes",
              .note =
                  "Paid from order to gone; the mean count is of these. All repetitions' cost "
                  "divided by their number.",
              .columns = {{.name = "policy"},
                          {.name = "type"},
                          {.name = "count", .unit = "mean"},
                          {.name = "cost"}}};
  const bool bursts = std::ranges::any_of(
      model.node_types, [](const AppNodeType& type) { return type.burst.baseline_milli > 0; });
  if (bursts) {
    table.columns.push_back({.name = "throttled", .unit = "%"});
    table.note += " Throttled: the share of that time at the baseline for want of cpu credits.";
  }
  const double run_s = std::chrono::duration<double>(model.duration).count();
  for (const AppPolicyTotals& row : policies) {
    const auto repetitions = static_cast<double>(row.policy->runs.size());
    for (std::size_t i = 0; i < model.node_types.size(); ++i) {
      const NodeTypeOutcome& type = row.totals.node_types[i];
      table.rows.push_back({row.policy->name, model.node_types[i].vm.FullName(),
                            type.node_seconds / run_s / repetitions,
                            type.cost_micros / 1e6 / repetitions});
      if (bursts) {
        const bool this_one = model.node_types[i].burst.baseline_milli > 0;
        table.rows.back().emplace_back(
            this_one ? 100 * Share(type.throttled_seconds, type.node_seconds) : kNothing);
      }
    }
  }
  return table;
}

Table LatencyTable(const std::vector<AppPolicyTotals>& policies) {
  Table table{.title = "Time to scale",
              .note = fmt::format(
                  "From ordering more, or less, to having it, while anything is on its way. In "
                  "violation: the share of that time in steps in which fewer than {:.0f}% of the "
                  "requests that ended were answered within their target.",
                  100 * kKeptShare),
              .columns = {{.name = "policy"},
                          {.name = "direction"},
                          {.name = "times"},
                          {.name = "latency", .unit = "s, mean"},
                          {.name = "in violation", .unit = "%"}}};
  for (const AppPolicyTotals& row : policies) {
    for (const bool up : {true, false}) {
      const ScalingLatency& latency = row.totals.latency[up ? 1 : 0];
      if (latency.count == 0) continue;
      table.rows.push_back({row.policy->name, up ? "more" : "less",
                            static_cast<double>(latency.count), latency.MeanSeconds(),
                            100 * latency.ViolatedShare()});
    }
  }
  return table;
}

}  // namespace

std::vector<Table> AppTables(const AppModel& model, const std::vector<AppPolicyTotals>& policies) {
  std::vector<Table> tables = {PoliciesTable(policies),     RequestsTable(model, policies),
                               LostTable(policies),         ServicesTable(model, policies),
                               NodesTable(model, policies), LatencyTable(policies)};
  std::erase_if(tables, [](const Table& table) { return table.rows.empty(); });
  return tables;
}

}  // namespace berth

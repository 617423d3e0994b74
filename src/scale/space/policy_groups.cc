#include "scale/space/policy_groups.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/fields.h"
#include "base/text.h"
#include "fleet/file_parts.h"
#include "scale/scaler.h"
#include "scale/space/policy_metrics.h"

namespace berth {
namespace {

constexpr double kMetricValueMax = 1e12;
constexpr double kFactorMax = 100;

// "metric" and "target" of a rule.
void ReadTarget(Fields& fields, CalculatorSettings& settings) {
  settings.metric = fields.Text("metric");
  settings.target = fields.Number("target", {.min = 1e-9, .max = kMetricValueMax});
}

void ReadObjective(Fields& fields, MetricGroup& group) {
  CalculatorSettings& settings = group.settings;
  const auto node = fields.Required("objective");
  if (!node) return;
  Fields inner(*node);
  settings.performance = inner.Text("metric");
  settings.at_most = inner.Number("at_most", {.min = 1e-9, .max = kMetricValueMax});
  const std::string of = inner.Text("of", "application");
  if (of != "application" && of != "service") {
    inner.Check(node->Error(fmt::format("is of {}; write application or service", Quoted(of))));
  }
  group.performance_of_application = of == "application";
  fields.Check(inner.Finish());
}

void ReadLearning(Fields& fields, MetricGroup& group) {
  CalculatorSettings& settings = group.settings;
  settings.model = fields.Text("model");
  settings.seed = fields.Integer<std::uint64_t>("seed", {}, 1);
  if (const auto gate = fields.Optional("gate")) {
    const auto name = gate->Text();
    fields.Check(name.status());
    if (name.ok()) {
      const auto kind = ParseGateKind(name.value());
      if (kind.ok()) settings.gate = kind.value();
      if (!kind.ok()) fields.Check(gate->Error(kind.status().message()));
    }
  }
  ReadObjective(fields, group);
  if (const auto node = fields.Required("fallback")) {
    Fields inner(*node);
    settings.fallback = inner.Text("name");
    ReadTarget(inner, settings);
    fields.Check(inner.Finish());
  }
}

Status ReadCalculator(const Node& node, MetricGroup& group) {
  Fields fields(node);
  const std::string name = fields.Text("name");
  const auto found = FindCountCalculator(name);
  if (!name.empty() && !found.ok()) return node.Error(found.status().message());
  if (found.ok()) {
    group.calculator = found.value();
    if (group.calculator->kind == CalculatorKind::kLearns) {
      ReadLearning(fields, group);
    } else {
      ReadTarget(fields, group.settings);
    }
  }
  BERTH_RETURN_IF_ERROR(fields.Finish());
  const auto tried = group.calculator->make(group.settings, group.MetricNames());
  return tried.ok() ? Status() : node.Error(tried.status().message());
}

Result<GroupStabiliser> ReadStabiliser(const Node& node) {
  Fields fields(node);
  const std::string name = fields.Text("name");
  GroupStabiliser stabiliser{.every = fields.Length("every")};
  BERTH_RETURN_IF_ERROR(fields.Finish());
  const auto found = FindStabiliser(name);
  if (!found.ok()) return node.Error(found.status().message());
  stabiliser.stabiliser = found.value();
  return stabiliser;
}

Result<CountLimits> ReadGroupLimits(const Node& node) {
  Fields fields(node);
  CountLimits limits;
  limits.min = fields.Integer<std::uint32_t>("min", {.min = 0, .max = kReplicasMax}, 0);
  limits.max = fields.Integer<std::uint32_t>("max", {.min = 1, .max = kReplicasMax});
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (limits.max < limits.min) return node.Error("has a max below its min; raise it");
  return limits;
}

Status CheckReactive(const MetricGroup& group, const Node& node) {
  const bool foresees = std::ranges::any_of(group.metrics, [](const GroupMetric& metric) {
    return metric.forecast.method->name != kReactiveForecaster;
  });
  if (!foresees && !group.stabiliser) return {};
  return node.Error(
      "reacts to what is measured; leave out its forecasters and stabiliser, or move it to groups");
}

Result<MetricGroup> ReadMetricGroup(const Node& node) {
  Fields fields(node);
  MetricGroup group{.name = fields.Name("name")};
  group.priority = fields.Integer("priority", {.min = -1'000'000, .max = 1'000'000}, 0);
  group.factor = fields.Number("factor", {.min = 0.01, .max = kFactorMax}, 1);
  const std::vector<Node> metrics = fields.Items("metrics");
  const auto calculator = fields.Required("calculator");
  const auto stabiliser = fields.Optional("stabiliser");
  const auto limits = fields.Optional("limits");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  BERTH_TRY(group.metrics, ReadGroupMetrics(node, metrics));
  if (stabiliser) {
    BERTH_TRY(group.stabiliser, ReadStabiliser(*stabiliser));
  }
  if (limits) {
    BERTH_TRY(group.limits, ReadGroupLimits(*limits));
  }
  BERTH_RETURN_IF_ERROR(ReadCalculator(*calculator, group));
  return group;
}

}  // namespace

Result<std::vector<MetricGroup>> ReadMetricGroups(const Node& service, std::span<const Node> items,
                                                  GroupsAre groups_are) {
  if (items.size() > kPolicyGroupsMax) {
    return service.Error(
        fmt::format("has too many groups; a service has at most {}", kPolicyGroupsMax));
  }
  std::vector<MetricGroup> groups;
  groups.reserve(items.size());
  FirstUses names;
  for (const Node& item : items) {
    BERTH_TRY(MetricGroup group, ReadMetricGroup(item));
    BERTH_RETURN_IF_ERROR(names.Add(item, "group", group.name));
    if (groups_are == GroupsAre::kReactive) BERTH_RETURN_IF_ERROR(CheckReactive(group, item));
    groups.push_back(std::move(group));
  }
  return groups;
}

Status CheckBands(std::span<const MetricGroup> groups, std::span<const Node> items) {
  std::size_t last = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].priority <= groups[last].priority) last = g;
  }
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (g == last || groups[g].stabiliser) continue;
    return items[g].Error(
        "leaves the groups after it no choice; give it a stabiliser, whose windows are the band "
        "that they may choose in");
  }
  return {};
}

}  // namespace berth

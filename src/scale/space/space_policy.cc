#include "scale/space/space_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/fields.h"
#include "base/text.h"
#include "fleet/file_parts.h"
#include "scale/scaler.h"
#include "scale/space/policy_groups.h"

namespace berth {
namespace {

constexpr double kHourCostMax = 1e9;
constexpr double kBufferPercentMax = 1'000;

void ReadLimits(Fields& fields, const Node& node, ServicePolicy& service) {
  service.limits.min =
      fields.Integer<std::uint32_t>("min", {.min = 0, .max = kReplicasMax}, service.limits.min);
  service.limits.max =
      fields.Integer<std::uint32_t>("max", {.min = 1, .max = kReplicasMax}, service.limits.max);
  if (service.limits.max < service.limits.min) {
    fields.Check(node.Error("has a max below its min; raise it"));
  }
  if (const auto name = fields.Optional("above_max")) {
    const auto read = name->Text();
    fields.Check(read.status());
    const auto behaviour =
        read.ok() ? ParseMaxBehaviour(read.value()) : Result<MaxBehaviour>(MaxBehaviour::kEnforce);
    if (!behaviour.ok()) fields.Check(name->Error(behaviour.status().message()));
    if (behaviour.ok()) service.behaviour = behaviour.value();
  }
  if (const auto share = fields.Optional("buffer")) {
    const auto percent = ReadShare(
        *share, {.whole = 100, .min = 0, .max = static_cast<std::int64_t>(kBufferPercentMax)});
    fields.Check(percent.status());
    if (percent.ok()) service.buffer = static_cast<double>(percent.value()) / 100;
  }
}

void ReadBursts(Fields& fields, BurstSettings& bursts) {
  const auto node = fields.Optional("bursts");
  if (!node) return;
  Fields inner(*node);
  bursts.hold = inner.Length("hold");
  bursts.hold_max = inner.Length("hold_max", bursts.hold_max);
  bursts.memory = inner.Length("memory", bursts.memory);
  if (bursts.memory.count() == 0) inner.Check(node->Error("remembers nothing; raise memory"));
  fields.Check(inner.Finish());
}

Result<ServicePolicy> ReadServicePolicy(std::string_view name, const Node& node) {
  Fields fields(node);
  ServicePolicy service{.service = std::string(name)};
  ReadLimits(fields, node, service);
  ReadBursts(fields, service.bursts);
  const std::string rule = fields.Text("rule", "parallel_max");
  const std::vector<Node> groups = fields.Items("groups");
  const std::vector<Node> reactive = fields.OptionalItems("reactive");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  const auto found = FindGroupRule(rule);
  if (!found.ok()) return node.Find("rule")->Error(found.status().message());
  service.rule = found.value();
  BERTH_TRY(service.groups, ReadMetricGroups(node, groups, GroupsAre::kForeseen));
  BERTH_TRY(service.reactive, ReadMetricGroups(node, reactive, GroupsAre::kReactive));
  if (service.groups.empty()) return node.Error("has no groups; write at least one");
  if (service.rule->name == "sequential") {
    BERTH_RETURN_IF_ERROR(CheckBands(service.groups, groups));
  }
  return service;
}

Result<std::vector<std::string>> ReadNames(const Node& node) {
  BERTH_TRY(const std::vector<Node> items, node.Items());
  std::vector<std::string> names;
  names.reserve(items.size());
  for (const Node& item : items) {
    BERTH_TRY(const std::string_view name, item.Text());
    names.emplace_back(name);
  }
  return names;
}

void ReadBounds(Fields& fields, NodeBounds& bounds) {
  const auto node = fields.Optional("bounds");
  if (!node) return;
  Fields inner(*node);
  if (inner.Optional("nodes")) {
    bounds.nodes = inner.Integer<std::uint64_t>("nodes", {.min = 1, .max = 1'000'000});
  }
  if (inner.Optional("cost_per_hour")) {
    const double cost = inner.Number("cost_per_hour", {.min = 0, .max = kHourCostMax});
    bounds.hour_micros = std::llround(cost * static_cast<double>(kMicros));
  }
  fields.Check(inner.Finish());
}

Status ReadNodes(const Node& node, NodePolicy& nodes) {
  Fields fields(node);
  const auto find = [&](std::string_view key, std::string_view otherwise, auto finder, auto& into) {
    const std::string name = fields.Text(key, otherwise);
    const auto found = finder(name);
    if (found.ok()) {
      into = found.value();
    } else if (const auto where = node.Find(key)) {
      fields.Check(where->Error(found.status().message()));
    }
  };
  find("placing", nodes.strategy->name, FindPlacingStrategy, nodes.strategy);
  find("scorer", nodes.scorer->name, FindPlacingScorer, nodes.scorer);
  find("chooser", nodes.chooser->name, FindPlacingChooser, nodes.chooser);
  nodes.lifetime = fields.Length("lifetime", nodes.lifetime);
  nodes.cooldown = fields.Length("cooldown", nodes.cooldown);
  if (nodes.lifetime.count() == 0) {
    fields.Check(node.Error("has nodes that last for no time; raise lifetime"));
  }
  ReadBounds(fields, nodes.bounds);
  for (const KeyedNode& entry : fields.OptionalEntries("special")) {
    Result<std::vector<std::string>> names = ReadNames(entry.value);
    fields.Check(names.status());
    if (names.ok()) nodes.special.emplace(entry.key, std::move(names).value());
  }
  return fields.Finish();
}

void ReadTimes(Fields& fields, const Node& node, SpacePolicy& policy) {
  policy.sync = fields.Length("sync", policy.sync);
  policy.warm_up = fields.Length("warm_up", policy.warm_up);
  policy.step = fields.Length("step", policy.step);
  policy.horizon = fields.Length("horizon", policy.horizon);
  if (policy.sync.count() == 0 || policy.step.count() == 0) {
    fields.Check(node.Error("has a sync or a step of no time; raise it"));
  } else if (policy.horizon < policy.step ||
             policy.horizon / policy.step > static_cast<std::int64_t>(kPlanStatesMax)) {
    fields.Check(node.Error(fmt::format(
        "has a horizon of {} and steps of {}; a horizon has 1 to {} steps",
        FormatDuration(policy.horizon), FormatDuration(policy.step), FormatCount(kPlanStatesMax))));
  }
}

}  // namespace

Result<MaxBehaviour> ParseMaxBehaviour(std::string_view name) {
  if (name == "enforce") return MaxBehaviour::kEnforce;
  if (name == "forecast") return MaxBehaviour::kForecast;
  if (name == "buffer") return MaxBehaviour::kBuffer;
  return Status(Code::kInvalidArgument,
                fmt::format("{} is none of enforce, forecast and buffer", Quoted(name)));
}

std::vector<std::string> MetricGroup::MetricNames() const {
  std::vector<std::string> names;
  names.reserve(metrics.size());
  for (const GroupMetric& metric : metrics) names.push_back(metric.name);
  return names;
}

Result<SpacePolicy> ReadSpacePolicy(const Node& node) {
  Fields fields(node);
  SpacePolicy policy;
  fields.Text("autoscaler", "space");  // Read by whoever chose this reader.
  policy.nodes = {.strategy = FindPlacingStrategy("shared").value(),
                  .scorer = FindPlacingScorer("cost").value(),
                  .chooser = FindPlacingChooser("best_score").value()};
  ReadTimes(fields, node, policy);
  if (const auto nodes = fields.Optional("nodes")) fields.Check(ReadNodes(*nodes, policy.nodes));
  const std::vector<KeyedNode> services = fields.Entries("services");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (services.empty()) return node.Error("has no services; write default, for all");
  if (services.size() > kPolicyServicesMax) {
    return services[kPolicyServicesMax].value.KeyError(
        fmt::format("is one service too many; a policy has at most {}", kPolicyServicesMax));
  }
  for (const KeyedNode& entry : services) {
    BERTH_TRY(ServicePolicy service, ReadServicePolicy(entry.key, entry.value));
    policy.services.push_back(std::move(service));
  }
  return policy;
}

Result<SpacePolicy> ParseSpacePolicy(std::string_view text, const std::string& file_name) {
  BERTH_TRY(const Document document, ParseDocument(text, file_name));
  return ReadSpacePolicy(document.root());
}

}  // namespace berth

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "appsim/multiverse/read_parts.h"
#include "base/text.h"

namespace berth::multiverse {
namespace {

constexpr std::array<std::string_view, 5> kHints = {"shared", "balanced", "specialized",
                                                    "sole_instance", "existing_mixture"};

Result<Duration> ReadCombiner(const Node& node) {
  Fields fields(node);
  const std::string type = fields.Text("type");
  Duration grid{};
  if (const std::optional<Node> conf = fields.Required("conf")) {
    Fields parts(*conf);
    grid = ReadField<Duration>(parts, "resolution", ReadPositiveLength);
    fields.Check(parts.Finish());
  }
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (type != "windowed") {
    return node.Find("type")->Error(fmt::format("{} is no combiner; use windowed", Quoted(type)));
  }
  return grid;
}

Result<FaultSpec> ReadFault(const Node& node, bool of_nodes, const SimulationSet& set) {
  Fields fields(node);
  FaultSpec fault{.of_nodes = of_nodes};
  const std::string type = fields.Text("type");
  fault.probability = fields.Number("probability", {.min = 0, .max = 1});
  fault.count =
      fields.Integer<std::uint32_t>("count_of_entities_affected", {.min = 1, .max = kSetCountMax});
  const std::optional<Node> region = fields.Required("region_name");
  const std::optional<Node> conf = fields.Required("failure_type_conf");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (type != "termination") return node.Find("type")->Error("must be termination");
  BERTH_TRY(fault.region, FindRegion(*region, set));
  Fields parts(*conf);
  if (of_nodes) {
    fault.provider = parts.Text("provider", "any");
    fault.node_type = parts.Text("node_type", "any");
    BERTH_RETURN_IF_ERROR(parts.Finish());
    return fault;
  }
  const std::optional<Node> name = parts.Required("service_name");
  BERTH_RETURN_IF_ERROR(parts.Finish());
  BERTH_TRY(fault.service, FindService(*name, set.application));
  return fault;
}

}  // namespace

Result<AdjustmentSpec> ReadAdjustment(const Node& node) {
  Fields fields(node);
  AdjustmentSpec adjustment{.goal = fields.Text("adjustment_goal")};
  const std::string optimiser = fields.Text("optimizer_type");
  adjustment.horizon = ReadField<Duration>(fields, "adjustment_horizon", ReadPositiveLength);
  adjustment.cooldown =
      ReadFieldOr<Duration>(fields, "cooldown_period", ReadLength, Duration::zero());
  adjustment.placement_hint = fields.Text("placement_hint");
  adjustment.combiner_grid = ReadField<Duration>(fields, "combiner", ReadCombiner);
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (adjustment.goal != "cost_minimization") {
    return node.Find("adjustment_goal")
        ->Error("must be cost_minimization; the other goals do nothing in the original");
  }
  if (optimiser != "OptimizerScoreMaximizer") {
    return node.Find("optimizer_type")->Error("must be OptimizerScoreMaximizer");
  }
  if (std::find(kHints.begin(), kHints.end(), adjustment.placement_hint) == kHints.end()) {
    return node.Find("placement_hint")
        ->Error(fmt::format("{} is no hint; use {}", Quoted(adjustment.placement_hint),
                            fmt::join(kHints, ", ")));
  }
  return adjustment;
}

Result<std::vector<FaultSpec>> ReadFaults(const Node& node, const SimulationSet& set) {
  Fields fields(node);
  const std::vector<Node> of_nodes = fields.OptionalItems("node_groups_failures");
  const std::vector<Node> of_services = fields.OptionalItems("services_failures");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  std::vector<FaultSpec> faults;
  faults.reserve(of_nodes.size() + of_services.size());
  for (const Node& item : of_nodes) {
    BERTH_TRY(FaultSpec fault, ReadFault(item, true, set));
    faults.push_back(std::move(fault));
  }
  for (const Node& item : of_services) {
    BERTH_TRY(FaultSpec fault, ReadFault(item, false, set));
    faults.push_back(std::move(fault));
  }
  return faults;
}

}  // namespace berth::multiverse

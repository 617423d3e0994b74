#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "appsim/multiverse/read_parts.h"
#include "base/text.h"

namespace berth::multiverse {
namespace {

constexpr double kCoresMax = 100'000;
constexpr double kPriceMax = 1e6;

// A number is for an hour; {"value", "time_unit"} for any time.
Result<double> ReadPriceAnHour(const Node& node) {
  if (node.kind() == Node::Kind::kScalar) return node.Number({.min = 0, .max = kPriceMax});
  Fields fields(node);
  const double value = fields.Number("value", {.min = 0, .max = kPriceMax});
  const Duration unit = ReadField<Duration>(fields, "time_unit", ReadPositiveLength);
  BERTH_RETURN_IF_ERROR(fields.Finish());
  return value * 3600e6 / static_cast<double>(unit.count());
}

Result<NodeTypeSpec> ReadNodeType(const Node& node, const std::string& provider) {
  Fields fields(node);
  NodeTypeSpec type{.provider = provider, .name = fields.Text("type")};
  type.capacity[kVcpu] = fields.Number("vCPU", {.min = 0, .max = kCoresMax});
  for (std::size_t i = kVcpu + 1; i < kAmountCount; ++i) {
    type.capacity[i] = ReadField<double>(fields, kAmountNames[i], ReadBytes);
  }
  type.price_an_hour = ReadField<double>(fields, "price", ReadPriceAnHour);
  const double latency_ms = fields.Number("latency_ms", {.min = 0, .max = 1e9}, 0);
  type.latency = Duration(static_cast<std::int64_t>(latency_ms * 1e3));
  // Read by the original, too, and used by nothing.
  fields.Optional("cpu_credits");
  fields.Optional("requests_acceleration_factor");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  return type;
}

NodeTypeSpec* FindType(std::vector<NodeTypeSpec>& types, std::string_view provider,
                       std::string_view name) {
  const auto found = std::find_if(types.begin(), types.end(), [&](const NodeTypeSpec& type) {
    return type.provider == provider && type.name == name;
  });
  return found == types.end() ? nullptr : &*found;
}

Result<Varying> ReadDelay(const Node& node) { return ReadVaryingTime(node, "ms"); }

Status ReadNodeDelays(const Node& node, std::vector<NodeTypeSpec>& types) {
  Fields fields(node);
  const std::string provider = fields.Text("provider");
  const std::vector<Node> items = fields.Items("nodes");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  for (const Node& item : items) {
    Fields parts(item);
    const std::string name = parts.Text("type");
    const Varying boot = ReadField<Varying>(parts, "booting_duration", ReadDelay);
    const Varying termination = ReadField<Varying>(parts, "termination_duration", ReadDelay);
    BERTH_RETURN_IF_ERROR(parts.Finish());
    NodeTypeSpec* type = FindType(types, provider, name);
    if (type == nullptr) continue;  // Of a type that this platform has not.
    type->boot = boot;
    type->termination = termination;
  }
  return {};
}

// By provider. One time without a provider is looked up by none, hence zero.
Result<std::map<std::string, Varying>> ReadProviderDelays(const Node& node) {
  std::map<std::string, Varying> delays;
  if (node.Find("unit")) return delays;
  BERTH_TRY(const std::vector<KeyedNode> entries, node.Entries());
  for (const KeyedNode& entry : entries) {
    BERTH_TRY(delays[std::string(entry.key)], ReadDelay(entry.value));
  }
  return delays;
}

Status ReadServiceDelays(const Node& node, ApplicationSpec& app) {
  Fields fields(node);
  const std::optional<Node> name = fields.Required("name");
  using Delays = std::map<std::string, Varying>;
  Delays boot = ReadField<Delays>(fields, "booting_duration", ReadProviderDelays);
  Delays termination = ReadField<Delays>(fields, "termination_duration", ReadProviderDelays);
  BERTH_RETURN_IF_ERROR(fields.Finish());
  BERTH_TRY(const std::size_t service, FindService(*name, app));
  app.services[service].boot = std::move(boot);
  app.services[service].termination = std::move(termination);
  return {};
}

Result<InitialGroup> ReadInitialGroup(const Node& node, SimulationSet& set) {
  Fields fields(node);
  InitialGroup group;
  if (const std::optional<Node> aspects = fields.Required("init_aspects")) {
    Fields parts(*aspects);
    group.instances = parts.Integer<std::uint32_t>("count", {.min = 0, .max = kSetCountMax});
    fields.Check(parts.Finish());
  }
  if (const std::optional<Node> platform = fields.Required("platform")) {
    Fields parts(*platform);
    const std::string provider = parts.Text("provider");
    const std::string name = parts.Text("node_type");
    group.nodes = parts.Integer<std::uint32_t>("count", {.min = 0, .max = kSetCountMax});
    fields.Check(parts.Finish());
    const NodeTypeSpec* type = FindType(set.node_types, provider, name);
    if (type == nullptr) {
      fields.Check(platform->Error(
          fmt::format("the platform has no node type {} of {}", Quoted(name), Quoted(provider))));
    } else {
      group.node_type = static_cast<std::size_t>(type - set.node_types.data());
    }
  }
  BERTH_RETURN_IF_ERROR(fields.Finish());
  return group;
}

std::size_t RegionIndex(std::string_view name, SimulationSet& set) {
  const auto found = std::find(set.regions.begin(), set.regions.end(), name);
  if (found != set.regions.end()) return static_cast<std::size_t>(found - set.regions.begin());
  set.regions.emplace_back(name);
  return set.regions.size() - 1;
}

Status ReadServiceDeployment(const Node& node, SimulationSet& set, std::vector<bool>& deployed) {
  Fields fields(node);
  const std::optional<Node> name = fields.Required("service_name");
  const std::vector<KeyedNode> regions = fields.Entries("deployment");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  BERTH_TRY(const std::size_t service, FindService(*name, set.application));
  if (deployed[service]) return name->Error("this service is deployed twice");
  deployed[service] = true;
  for (const KeyedNode& region : regions) {
    BERTH_TRY(InitialGroup group, ReadInitialGroup(region.value, set));
    group.service = service;
    group.region = RegionIndex(region.key, set);
    if (set.regions.size() > kSetRegionsMax) {
      return region.value.KeyError(fmt::format("at most {} regions are read", kSetRegionsMax));
    }
    set.deployment.push_back(group);
  }
  return {};
}

}  // namespace

Result<std::vector<NodeTypeSpec>> ReadPlatform(const Node& node) {
  BERTH_TRY(const std::vector<Node> providers, node.Items());
  std::vector<NodeTypeSpec> types;
  for (const Node& item : providers) {
    Fields fields(item);
    const std::string provider = fields.Text("provider");
    const std::vector<Node> items = fields.Items("node_types");
    BERTH_RETURN_IF_ERROR(fields.Finish());
    for (const Node& entry : items) {
      BERTH_TRY(NodeTypeSpec type, ReadNodeType(entry, provider));
      if (FindType(types, provider, type.name) != nullptr) {
        return entry.Error(fmt::format("there are two node types {}", Quoted(type.name)));
      }
      types.push_back(std::move(type));
    }
  }
  BERTH_RETURN_IF_ERROR(CheckCount(node, types.size(), kSetNodeTypesMax, "node types"));
  return types;
}

Status ReadScalingModel(const Node& node, std::vector<NodeTypeSpec>& node_types,
                        ApplicationSpec& app) {
  Fields fields(node);
  for (const Node& item : fields.Items("platform")) fields.Check(ReadNodeDelays(item, node_types));
  if (const std::optional<Node> application = fields.Required("application")) {
    Fields parts(*application);
    for (const Node& item : parts.Items("services")) parts.Check(ReadServiceDelays(item, app));
    fields.Check(parts.Finish());
  }
  return fields.Finish();
}

Status ReadDeployment(const Node& node, SimulationSet& set) {
  BERTH_TRY(const std::vector<Node> items, node.Items());
  std::vector<bool> deployed(set.application.services.size(), false);
  set.deployment.reserve(items.size());
  for (const Node& item : items) {
    BERTH_RETURN_IF_ERROR(ReadServiceDeployment(item, set, deployed));
  }
  if (set.regions.empty()) return node.Error("deploys nothing; name a region");
  return {};
}

Result<std::size_t> FindRegion(const Node& name, const SimulationSet& set) {
  BERTH_TRY(const std::string_view text, name.Text());
  for (std::size_t i = 0; i < set.regions.size(); ++i) {
    if (set.regions[i] == text) return i;
  }
  return name.Error(fmt::format("the deployment has no region {}", Quoted(text)));
}

}  // namespace berth::multiverse

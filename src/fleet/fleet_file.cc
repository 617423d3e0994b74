#include "fleet/fleet_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/document.h"
#include "base/fields.h"
#include "base/text.h"
#include "fleet/cluster_layout.h"
#include "fleet/file_parts.h"

namespace berth {
namespace {

std::string PlaceOf(const Machine& machine) {
  return fmt::format("{}/{}/{}/{}", machine.datacenter.str(), machine.cluster.str(),
                     machine.row.str(), machine.rack.str());
}

// What the file says of a cluster: in a group, or by the first machine that was added to it by
// hand.
struct Cluster {
  ClusterLayout layout;  // No machines: all of them were added by hand.
  const Sku* sku = nullptr;
  std::size_t line = 0;
  std::size_t first = 0;  // Of its machines.
};

class Reader {
 public:
  Result<FleetFile> Read(const Node& root);

 private:
  Status ReadSku(const Node& node);
  Status ReadType(const Node& node);
  Status ReadTenant(const Node& node);
  Status ReadCluster(const Node& node);
  void LayOutGroups();
  Status ReadMachine(const Node& node);
  Status AddByHand(const Node& node, const Machine& written);
  Status CheckPlace(const Node& node, const Machine& written, const Machine& machine,
                    std::size_t line) const;
  Status CheckCount(const Node& node, std::size_t more) const;

  Result<const Sku*> FindSku(const Node& node) const;
  // Of the machine's place in the list, and of the line that put it there.
  struct Found {
    std::size_t index;
    std::size_t line;
  };
  std::optional<Found> FindMachine(std::string_view name) const;

  FleetFile file_;
  std::map<ClusterId, Cluster> clusters_;
  std::vector<ClusterId> groups_;  // Those that are laid out, in the file's order.
  std::size_t machine_count_ = 0;
  std::map<std::string, Found, std::less<>> by_hand_;
  FirstUses skus_, types_, tenants_, machines_;
};

Result<FleetFile> Reader::Read(const Node& root) {
  Fields fields(root);
  file_.zone = fields.Name("zone");
  const std::vector<Node> skus = fields.Items("skus");
  const std::vector<Node> types = fields.OptionalItems("types");
  const std::vector<Node> tenants = fields.OptionalItems("tenants");
  const std::vector<Node> clusters = fields.OptionalItems("clusters");
  const std::vector<Node> machines = fields.OptionalItems("machines");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  file_.skus.reserve(skus.size());  // Clusters point to them.
  for (const Node& node : skus) BERTH_RETURN_IF_ERROR(ReadSku(node));
  for (const Node& node : types) BERTH_RETURN_IF_ERROR(ReadType(node));
  for (const Node& node : tenants) BERTH_RETURN_IF_ERROR(ReadTenant(node));
  for (const Node& node : clusters) BERTH_RETURN_IF_ERROR(ReadCluster(node));
  LayOutGroups();  // Only now that they are known not to be too many.
  for (const Node& node : machines) BERTH_RETURN_IF_ERROR(ReadMachine(node));
  return std::move(file_);
}

Status Reader::ReadSku(const Node& node) {
  Fields fields(node);
  Sku sku;
  sku.name = fields.Name<SkuId>("name");
  sku.capacity = ReadResources(fields, {});
  BERTH_TRY(sku.labels, ReadLabels(fields, "labels"));
  BERTH_RETURN_IF_ERROR(fields.Finish());
  BERTH_RETURN_IF_ERROR(skus_.Add(node, "SKU", sku.name.str()));
  if (sku.capacity.IsZero()) {
    return node.Error("has no resources; give it at least cpu and memory");
  }
  file_.skus.push_back(std::move(sku));
  return {};
}

Status Reader::ReadType(const Node& node) {
  Fields fields(node);
  InstanceType type;
  type.name = fields.Name<TypeId>("name");
  type.size = ReadResources(fields, {});
  BERTH_TRY(type.requires_labels, ReadLabels(fields, "labels"));
  const std::vector<Node> skus = fields.OptionalItems("skus");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  BERTH_RETURN_IF_ERROR(types_.Add(node, "type", type.name.str()));
  if (type.size.IsZero()) {
    return node.Error("has no resources; give it at least cpu or memory");
  }
  for (const Node& item : skus) {
    BERTH_TRY(const Sku* sku, FindSku(item));
    type.skus.push_back(sku->name);
  }
  file_.types.push_back(std::move(type));
  return {};
}

Status Reader::ReadTenant(const Node& node) {
  Fields fields(node);
  Tenant tenant;
  tenant.name = fields.Name<TenantId>("name");
  const std::optional<Node> quota = fields.Optional("quota");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  BERTH_RETURN_IF_ERROR(tenants_.Add(node, "tenant", tenant.name.str()));
  if (quota) {
    Resources unlimited;
    for (const Resource r : kAllResources) unlimited[r] = kUnlimited;
    Fields amounts(*quota);
    const Resources bounds = ReadResources(amounts, unlimited);
    BERTH_RETURN_IF_ERROR(amounts.Finish());
    if (bounds != unlimited) tenant.quota = bounds;
  }
  file_.tenants.push_back(tenant);
  return {};
}

Status Reader::ReadCluster(const Node& node) {
  constexpr auto kMost = static_cast<std::uint32_t>(kMachinesMax);
  Fields fields(node);
  Cluster cluster;
  ClusterLayout& layout = cluster.layout;
  layout.name = fields.Name<ClusterId>("name");
  layout.datacenter = fields.Name<DatacenterId>("datacenter", DatacenterId(kDefaultDatacenter));
  const std::optional<Node> sku = fields.Required("sku");
  layout.machines = fields.Integer<std::uint32_t>("machines", {.min = 1, .max = kMost});
  const std::uint32_t racks = (layout.machines + kMachinesPerRack - 1) / kMachinesPerRack;
  layout.racks = fields.Integer<std::uint32_t>("racks", {.min = 1, .max = kMost}, racks);
  layout.rows = fields.Integer<std::uint32_t>("rows", {.min = 1, .max = kMost}, 1);
  layout.update_domains = fields.Integer<std::uint32_t>(
      "update_domains", {.min = 1, .max = kUpdateDomainsMax}, kUpdateDomains);
  BERTH_TRY(layout.labels, ReadLabels(fields, "labels"));
  BERTH_RETURN_IF_ERROR(fields.Finish());

  BERTH_TRY(cluster.sku, FindSku(*sku));
  if (layout.racks > layout.machines) {
    return node.Error(fmt::format("has {} racks for {} machines; give it at most one a machine",
                                  layout.racks, layout.machines));
  }
  if (layout.rows > layout.racks) {
    return node.Error(fmt::format("has {} rows for {} racks; give it at most one a rack",
                                  layout.rows, layout.racks));
  }
  if (!IsValidName(MachineName(layout.name.str(), 1, MachineDigits(layout.machines)))) {
    return node.Error("has a name too long to number its machines after it; shorten it");
  }
  BERTH_RETURN_IF_ERROR(CheckCount(node, layout.machines));
  cluster.line = node.line();
  cluster.first = machine_count_;
  const auto [at, fresh] = clusters_.try_emplace(layout.name, cluster);
  if (!fresh) {
    return node.Error(
        fmt::format("there is a cluster {} already, on line {}, and the machines of "
                    "both would stand in two racks; give each a name of its own",
                    layout.name.str(), at->second.line));
  }
  machine_count_ += layout.machines;
  groups_.push_back(layout.name);
  return {};
}

void Reader::LayOutGroups() {
  file_.machines.reserve(machine_count_);
  for (const ClusterId name : groups_) {
    const Cluster& cluster = clusters_.at(name);
    for (Machine& machine : LayOut(cluster.layout, *cluster.sku)) {
      file_.machines.push_back(std::move(machine));
    }
  }
}

Status Reader::CheckCount(const Node& node, std::size_t more) const {
  const std::size_t count = machine_count_ + more;
  if (count <= kMachinesMax) return {};
  return node.Error(
      fmt::format("brings the fleet to {} machines, and {} are the most in one file; "
                  "split it into zones",
                  count, kMachinesMax));
}

Result<const Sku*> Reader::FindSku(const Node& node) const {
  BERTH_TRY(const std::string_view name, node.Name());
  const auto at = std::ranges::find(file_.skus, SkuId(name), &Sku::name);
  if (at != file_.skus.end()) return &*at;
  return node.Error(
      fmt::format("there is no SKU {}; known are {}", name,
                  ListNames(file_.skus, [](const Sku& sku) { return sku.name.str(); })));
}

std::optional<Reader::Found> Reader::FindMachine(std::string_view name) const {
  if (const auto at = by_hand_.find(name); at != by_hand_.end()) return at->second;
  const std::optional<NumberedName> split = SplitMachineName(name);
  if (!split) return std::nullopt;
  const auto at = clusters_.find(ClusterId(split->cluster));
  if (at == clusters_.end()) return std::nullopt;
  const Cluster& cluster = at->second;
  const std::uint32_t machines = cluster.layout.machines;
  if (split->number < 1 || split->number > machines || split->digits != MachineDigits(machines)) {
    return std::nullopt;
  }
  return Found{.index = cluster.first + split->number - 1, .line = cluster.line};
}

Result<Health> ReadHealth(const Node& node) {
  BERTH_TRY(const std::string_view text, node.Text());
  for (const Health health :
       {Health::kReady, Health::kDraining, Health::kDown, Health::kUpdating}) {
    if (text == ToString(health)) return health;
  }
  return node.Error(
      fmt::format("{} is no health; write ready, draining, down or updating", Quoted(text)));
}

// A place that the line does not give is empty in `written`.
Status Reader::CheckPlace(const Node& node, const Machine& written, const Machine& machine,
                          std::size_t line) const {
  const auto differs = [](const auto& a, const auto& b) { return !a.empty() && a != b; };
  Machine moved = machine;
  if (!written.datacenter.empty()) moved.datacenter = written.datacenter;
  if (!written.cluster.empty()) moved.cluster = written.cluster;
  if (!written.row.empty()) moved.row = written.row;
  if (!written.rack.empty()) moved.rack = written.rack;
  if (PlaceOf(moved) != PlaceOf(machine)) {
    return node.Error(
        fmt::format("machine {} would stand in two racks, {} by line {} and {} by "
                    "this one; keep one of them",
                    machine.name.str(), PlaceOf(machine), line, PlaceOf(moved)));
  }
  if (differs(written.sku, machine.sku)) {
    return node.Error(
        fmt::format("machine {} is a {} by line {} and a {} by this one; keep one of "
                    "them",
                    machine.name.str(), machine.sku.str(), line, written.sku.str()));
  }
  return {};
}

Status Reader::ReadMachine(const Node& node) {
  Fields fields(node);
  Machine written;
  const std::string name = fields.Name("name");
  written.datacenter = fields.Name<DatacenterId>("datacenter", DatacenterId());
  written.cluster = fields.Name<ClusterId>("cluster", ClusterId());
  written.row = fields.Name<RowId>("row", RowId());
  written.rack = fields.Name<RackId>("rack", RackId());
  written.sku = fields.Name<SkuId>("sku", SkuId());
  written.update_domain = fields.Name<DomainId>("update_domain", DomainId());
  const std::optional<Node> health = fields.Optional("health");
  BERTH_TRY(written.labels, ReadLabels(fields, "labels"));
  Resources unsaid;
  for (const Resource r : kAllResources) unsaid[r] = -1;
  written.capacity = ReadResources(fields, unsaid);
  BERTH_RETURN_IF_ERROR(fields.Finish());
  written.name = MachineId(name);

  std::optional<Found> found = FindMachine(name);
  if (found) {
    BERTH_RETURN_IF_ERROR(CheckPlace(node, written, file_.machines[found->index], found->line));
  }
  BERTH_RETURN_IF_ERROR(machines_.Add(node, "machine", name));
  if (!found) {
    BERTH_RETURN_IF_ERROR(AddByHand(node, written));
    found = FindMachine(name);
  }
  Machine& machine = file_.machines[found->index];
  for (const Resource r : kAllResources) {
    if (written.capacity[r] >= 0) machine.capacity[r] = written.capacity[r];
  }
  machine.labels = Overlay(machine.labels, written.labels);
  if (!written.update_domain.empty()) machine.update_domain = written.update_domain;
  if (health) {
    BERTH_TRY(machine.health, ReadHealth(*health));
  }
  return {};
}

Status Reader::AddByHand(const Node& node, const Machine& written) {
  if (written.cluster.empty() || written.rack.empty()) {
    return node.Error(
        fmt::format("no cluster has a machine {}; correct the name, or give it a "
                    "cluster and a rack to add it by hand",
                    written.name.str()));
  }
  BERTH_RETURN_IF_ERROR(CheckCount(node, 1));
  auto at = clusters_.find(written.cluster);
  if (at == clusters_.end()) {
    const std::optional<Node> sku = node.Find("sku");
    if (!sku) {
      return node.Error(
          fmt::format("the first machine of cluster {} does not say its SKU; add "
                      "'sku'",
                      written.cluster.str()));
    }
    Cluster cluster;
    cluster.layout.name = written.cluster;
    cluster.layout.datacenter =
        written.datacenter.empty() ? DatacenterId(kDefaultDatacenter) : written.datacenter;
    cluster.line = node.line();
    BERTH_TRY(cluster.sku, FindSku(*sku));
    at = clusters_.emplace(written.cluster, cluster).first;
  }
  const Cluster& cluster = at->second;
  if (!written.sku.empty() && written.sku != cluster.sku->name) {
    return node.Error(
        fmt::format("machine {} is a {}, but cluster {} holds {} by line {}; a "
                    "cluster holds one SKU",
                    written.name.str(), written.sku.str(), written.cluster.str(),
                    cluster.sku->name.str(), cluster.line));
  }
  if (!written.datacenter.empty() && written.datacenter != cluster.layout.datacenter) {
    return node.Error(
        fmt::format("cluster {} stands in datacenter {} by line {} and in {} by this "
                    "one; keep one of them",
                    written.cluster.str(), cluster.layout.datacenter.str(), cluster.line,
                    written.datacenter.str()));
  }
  by_hand_.emplace(written.name.str(), Found{machine_count_++, node.line()});
  file_.machines.push_back({.name = written.name,
                            .datacenter = cluster.layout.datacenter,
                            .cluster = written.cluster,
                            .row = written.row.empty() ? RowId(kDefaultRow) : written.row,
                            .rack = written.rack,
                            .update_domain = DomainId(kDefaultUpdateDomain),
                            .sku = cluster.sku->name,
                            .capacity = cluster.sku->capacity,
                            .labels = Overlay(cluster.sku->labels, cluster.layout.labels),
                            .health = Health::kReady});
  return {};
}

}  // namespace

Result<FleetFile> ParseFleetFile(std::string_view text, const std::string& file_name) {
  BERTH_TRY(const Document document, ParseDocument(text, file_name));
  return Reader().Read(document.root());
}

Result<FleetFile> ReadFleetFile(const std::string& path) {
  BERTH_TRY(const Document document, ReadDocument(path));
  return Reader().Read(document.root());
}

std::vector<ChangeSet> ToChanges(const FleetFile& file) {
  std::vector<ChangeSet> changes;
  const auto add = [&](const Record& record) {
    if (changes.empty() || changes.back().operations.size() == kOperationsMax) {
      changes.emplace_back();
    }
    changes.back().operations.emplace_back(Put{record});
  };
  for (const InstanceType& type : file.types) add(type);
  for (const Tenant& tenant : file.tenants) add(tenant);
  for (const Machine& machine : file.machines) add(machine);
  return changes;
}

}  // namespace berth

#include "fleet/service_file.h"

#include <fmt/format.h>

#include <optional>

#include "base/document.h"
#include "base/fields.h"
#include "base/text.h"
#include "berth/change.h"
#include "fleet/file_parts.h"

namespace berth {
namespace {

constexpr auto kMost = static_cast<std::uint32_t>(kGangMax);

Result<Scope> ReadScope(const Node& node) {
  BERTH_TRY(const std::string_view text, node.Text());
  for (const Scope scope : {Scope::kZone, Scope::kDatacenter, Scope::kCluster, Scope::kRow}) {
    if (text == ToString(scope)) return scope;
  }
  return node.Error(
      fmt::format("{} is no scope; write zone, datacenter, cluster or row", Quoted(text)));
}

Result<Constraints> ReadConstraints(const Node& node) {
  Fields fields(node);
  Constraints constraints;
  constraints.spread_racks =
      fields.Integer<std::uint32_t>("spread_racks", {.min = 0, .max = kMost}, 0);
  constraints.max_per_machine =
      fields.Integer<std::uint32_t>("max_per_machine", {.min = 0, .max = kMost}, 0);
  constraints.max_per_rack =
      fields.Integer<std::uint32_t>("max_per_rack", {.min = 0, .max = kMost}, 0);
  constraints.max_per_update_domain =
      fields.Integer<std::uint32_t>("max_per_update_domain", {.min = 0, .max = kMost}, 0);
  const std::optional<Node> within = fields.Optional("within");
  constraints.isolate = fields.Bool("isolate", false);
  BERTH_TRY(constraints.labels, ReadLabels(fields, "labels"));
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (within) {
    BERTH_TRY(constraints.within, ReadScope(*within));
  }
  return constraints;
}

Result<InstanceGroup> ReadGroup(const Node& node) {
  Fields fields(node);
  InstanceGroup group;
  group.type = fields.Name<TypeId>("type");
  group.role = fields.Name<RoleId>("role", RoleId());
  group.count = fields.Integer<std::uint32_t>("count", {.min = 1, .max = kMost}, 1);
  BERTH_RETURN_IF_ERROR(fields.Finish());
  return group;
}

Result<Service> ReadService(const Node& node) {
  Fields fields(node);
  Service service;
  service.name = fields.Name("name");
  service.tenant = fields.Name<TenantId>("tenant");
  service.klass = fields.Name<ClassId>("class", ClassId(kDefaultClass));
  const std::optional<Node> instances = fields.Required("instances");
  const std::optional<Node> constraints = fields.Optional("constraints");
  service.yield_whole = fields.Bool("yield_whole", false);
  BERTH_RETURN_IF_ERROR(fields.Finish());

  BERTH_TRY(const std::vector<Node> groups, instances->Items());
  if (groups.empty()) return instances->Error("is empty; name at least one type of instance");
  std::uint64_t count = 0;
  for (const Node& item : groups) {
    BERTH_TRY(const InstanceGroup group, ReadGroup(item));
    service.groups.push_back(group);
    count += group.count;
  }
  if (count > kGangMax) {
    return instances->Error(
        fmt::format("are {} in all, and {} are the most in one service; split "
                    "it into several",
                    count, kGangMax));
  }
  if (constraints) {
    BERTH_TRY(service.constraints, ReadConstraints(*constraints));
  }
  return service;
}

Result<std::vector<Service>> ReadServices(const Node& root) {
  std::vector<Service> services;
  if (!root.Find("services")) {
    BERTH_TRY(Service service, ReadService(root));
    services.push_back(std::move(service));
    return services;
  }
  Fields fields(root);
  const std::vector<Node> items = fields.Items("services");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  FirstUses uses;
  for (const Node& item : items) {
    BERTH_TRY(Service service, ReadService(item));
    BERTH_RETURN_IF_ERROR(uses.Add(item, "service", service.name));
    services.push_back(std::move(service));
  }
  return services;
}

}  // namespace

Result<std::vector<Service>> ParseServiceFile(std::string_view text, const std::string& file_name) {
  BERTH_TRY(const Document document, ParseDocument(text, file_name));
  return ReadServices(document.root());
}

Result<std::vector<Service>> ReadServiceFile(const std::string& path) {
  BERTH_TRY(const Document document, ReadDocument(path));
  return ReadServices(document.root());
}

}  // namespace berth

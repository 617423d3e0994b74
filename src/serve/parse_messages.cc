// From the API's messages to records: what may be wrong is said by field.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "fleet/service_file.h"
#include "serve/messages.h"

namespace berth {
namespace {

constexpr std::size_t kLabelsMax = 64;

Status Wrong(std::string message) { return {Code::kInvalidArgument, std::move(message)}; }

Status CheckName(std::string_view text, std::string_view field) {
  if (IsValidName(text)) return {};
  return Wrong(fmt::format("{} {} is not a name; write 1 to 128 letters, digits, '.', '_' and '-'",
                           field, Quoted(text)));
}

// Of a thing that must be there.
template <typename Id>
Result<Id> ToKnownName(std::string_view text, std::string_view field, std::string_view kind) {
  BERTH_RETURN_IF_ERROR(CheckName(text, field));
  const std::optional<Id> known = Id::Known(text);
  if (known) return *known;
  return Status(Code::kNotFound, fmt::format("{}: there is no {} {}", field, kind, Quoted(text)));
}

// Of a thing that may be new.
template <typename Id>
Result<Id> ToName(std::string_view text, std::string_view field) {
  BERTH_RETURN_IF_ERROR(CheckName(text, field));
  return Id(text);
}
template <typename Id>
Result<Id> ToOptionalName(std::string_view text, std::string_view field) {
  if (text.empty()) return Id();
  return ToName<Id>(text, field);
}

using NameLabel = Result<LabelName> (*)(std::string_view text, std::string_view field);
Result<LabelName> NewLabel(std::string_view text, std::string_view field) {
  return ToName<LabelName>(text, field);
}
Result<LabelName> KnownLabel(std::string_view text, std::string_view field) {
  return ToKnownName<LabelName>(text, field, "machine with the label");
}

Result<Labels> ToLabels(const google::protobuf::Map<std::string, std::string>& map,
                        std::string_view field, NameLabel name_label) {
  if (map.size() > kLabelsMax) {
    return Wrong(fmt::format("{} are {}, and {} are the most", field, map.size(), kLabelsMax));
  }
  Labels labels;
  for (const auto& [name, value] : map) {
    BERTH_TRY(const LabelName label, name_label(name, field));
    BERTH_TRY(const LabelName its_value, name_label(value, field));
    labels.emplace_back(label, its_value);
  }
  std::ranges::sort(labels);
  return labels;
}

Result<Constraints> ToConstraints(const v1::Constraints& message) {
  Constraints constraints;
  for (const auto& [value, field] :
       {std::pair(message.spread_racks(), "constraints.spread_racks"),
        std::pair(message.max_per_machine(), "constraints.max_per_machine"),
        std::pair(message.max_per_rack(), "constraints.max_per_rack"),
        std::pair(message.max_per_update_domain(), "constraints.max_per_update_domain")}) {
    if (value > kGangMax) {
      return Wrong(fmt::format("{} is {}, and {} is the most", field, value, kGangMax));
    }
  }
  if (!v1::Scope_IsValid(message.within())) {
    return Wrong("constraints.within is no scope; write ZONE, DATACENTER, CLUSTER or ROW");
  }
  constraints.spread_racks = message.spread_racks();
  constraints.max_per_machine = message.max_per_machine();
  constraints.max_per_rack = message.max_per_rack();
  constraints.max_per_update_domain = message.max_per_update_domain();
  constraints.within = static_cast<Scope>(message.within());
  constraints.isolate = message.isolate();
  BERTH_TRY(constraints.labels, ToLabels(message.labels(), "constraints.labels", KnownLabel));
  return constraints;
}

}  // namespace

Result<Resources> ToResources(const v1::Resources& message, std::string_view field) {
  Resources resources;
  for (const auto& [resource, amount] : {std::pair(Resource::kCpu, message.cpu_milli()),
                                         std::pair(Resource::kMemory, message.memory_bytes()),
                                         std::pair(Resource::kDisk, message.disk_bytes()),
                                         std::pair(Resource::kNetwork, message.network_mbit()),
                                         std::pair(Resource::kGpu, message.gpu_milli())}) {
    if (amount < 0 || amount > kAmountMax) {
      return Wrong(fmt::format("{}: {} is {}; give 0 to {}", field, ResourceName(resource), amount,
                               kAmountMax));
    }
    resources[resource] = amount;
  }
  return resources;
}

Result<std::vector<InstanceGroup>> ToGroups(
    const google::protobuf::RepeatedPtrField<v1::Group>& messages) {
  if (messages.empty()) return Wrong("groups is empty; name at least one type of instance");
  if (static_cast<std::size_t>(messages.size()) > kGangMax) {
    return Wrong(fmt::format("groups are {}, and {} are the most", messages.size(), kGangMax));
  }
  std::vector<InstanceGroup> groups;
  std::uint64_t count = 0;
  for (const v1::Group& message : messages) {
    BERTH_TRY(const auto type, ToKnownName<TypeId>(message.type(), "groups.type", "type"));
    BERTH_TRY(const auto role, ToOptionalName<RoleId>(message.role(), "groups.role"));
    groups.push_back({type, role, message.count()});
    count += message.count();
  }
  if (count > kGangMax) {
    return Wrong(
        fmt::format("groups hold {} instances in all, and {} are the most in one service; "
                    "split it into several",
                    count, kGangMax));
  }
  return groups;
}

Result<Service> ToService(const v1::Service& message) {
  Service service;
  BERTH_RETURN_IF_ERROR(CheckName(message.name(), "service.name"));
  service.name = message.name();
  BERTH_TRY(service.tenant, ToKnownName<TenantId>(message.tenant(), "service.tenant", "tenant"));
  const std::string_view klass = message.class_().empty() ? kDefaultClass : message.class_();
  BERTH_TRY(service.klass, ToKnownName<ClassId>(klass, "service.class", "class"));
  BERTH_TRY(service.groups, ToGroups(message.groups()));
  BERTH_TRY(service.constraints, ToConstraints(message.constraints()));
  service.yield_whole = message.yield_whole();
  return service;
}

Result<Machine> ToMachine(const v1::Machine& message) {
  Machine machine;
  BERTH_TRY(machine.name, ToName<MachineId>(message.name(), "machines.name"));
  BERTH_TRY(machine.datacenter, ToName<DatacenterId>(message.datacenter(), "machines.datacenter"));
  BERTH_TRY(machine.cluster, ToName<ClusterId>(message.cluster(), "machines.cluster"));
  BERTH_TRY(machine.row, ToName<RowId>(message.row(), "machines.row"));
  BERTH_TRY(machine.rack, ToName<RackId>(message.rack(), "machines.rack"));
  BERTH_TRY(machine.update_domain,
            ToOptionalName<DomainId>(message.update_domain(), "machines.update_domain"));
  BERTH_TRY(machine.sku, ToName<SkuId>(message.sku(), "machines.sku"));
  BERTH_TRY(machine.capacity, ToResources(message.capacity(), "machines.capacity"));
  BERTH_TRY(machine.labels, ToLabels(message.labels(), "machines.labels", NewLabel));
  if (!v1::MachineHealth_IsValid(message.health())) {
    return Wrong("machines.health is none; write READY, DRAINING, DOWN or UPDATING");
  }
  machine.health = static_cast<Health>(message.health());
  return machine;
}

Result<InstanceType> ToType(const v1::InstanceType& message) {
  InstanceType type;
  BERTH_TRY(type.name, ToName<TypeId>(message.name(), "types.name"));
  BERTH_TRY(type.size, ToResources(message.size(), "types.size"));
  for (const std::string& sku : message.skus()) {
    BERTH_TRY(const auto name, ToName<SkuId>(sku, "types.skus"));
    type.skus.push_back(name);
  }
  BERTH_TRY(type.requires_labels,
            ToLabels(message.requires_labels(), "types.requires_labels", NewLabel));
  return type;
}

Result<Tenant> ToTenant(const v1::Tenant& message) {
  Tenant tenant;
  BERTH_TRY(tenant.name, ToName<TenantId>(message.name(), "tenants.name"));
  if (!message.has_quota()) return tenant;
  v1::Resources bounded = message.quota();
  for (const auto* field :
       {"cpu_milli", "memory_bytes", "disk_bytes", "network_mbit", "gpu_milli"}) {
    const auto* descriptor = bounded.GetDescriptor()->FindFieldByName(field);
    if (bounded.GetReflection()->GetInt64(bounded, descriptor) == -1) {
      bounded.GetReflection()->SetInt64(&bounded, descriptor, 0);
    }
  }
  BERTH_TRY(tenant.quota, ToResources(bounded, "tenants.quota"));
  const auto unlimited = [&](Resource r, std::int64_t given) {
    if (given == -1) (*tenant.quota)[r] = kUnlimited;
  };
  unlimited(Resource::kCpu, message.quota().cpu_milli());
  unlimited(Resource::kMemory, message.quota().memory_bytes());
  unlimited(Resource::kDisk, message.quota().disk_bytes());
  unlimited(Resource::kNetwork, message.quota().network_mbit());
  unlimited(Resource::kGpu, message.quota().gpu_milli());
  return tenant;
}

}  // namespace berth

#include "sim/faults/workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace berth::faults {
namespace {

constexpr std::array<std::string_view, 3> kTenants = {"acme", "globex", "initech"};
constexpr std::array<std::string_view, 3> kTypes = {"small", "tall", "wide"};
constexpr std::array<std::string_view, 3> kClasses = {"gold", "silver", "bronze"};

// Bronze yields, silver waits, and gold is placed at once or refused.
constexpr std::string_view kPolicy = R"(
classes:
  - {name: gold, availability: 100%, importance: 3}
  - {name: silver, availability: 90%, importance: 2, may_wait: true}
  - {name: bronze, availability: 50%, importance: 1, may_wait: true, evictable: true}
allocate:
  retries: 8
  conflicts: {top: 4, window: 20}
  rules: [{fits: {evicting: true}}, fewest_evictions, {best_fit: {buckets: 4}}]
)";

constexpr std::string_view kSchedulerPolicy = R"(
scheduler: {by: qos, watchdog: 100ms}
classes:
  - {name: gold, availability: 100%, importance: 3, margin: 1s, may_wait: true}
  - {name: silver, availability: 90%, importance: 2, margin: 1s}
  - {name: bronze, availability: 50%, importance: 1, margin: 1s}
allocate:
  retries: 8
  conflicts: {top: 4, window: 20}
  rules: [{best_fit: {buckets: 4}}]
)";

// So many of the latest services are asked about.
constexpr std::uint64_t kRecentServices = 14;

Resources Sized(std::uint64_t cpu, std::uint64_t memory_gib) {
  Resources size;
  size[Resource::kCpu] = static_cast<std::int64_t>(cpu) * 1000;
  size[Resource::kMemory] = static_cast<std::int64_t>(memory_gib) << 30;
  return size;
}

template <typename Id>
Id AnyOf(Rng& rng, const std::array<std::string_view, 3>& names) {
  return Id(names[rng.Below(names.size())]);
}

}  // namespace

std::string Workload::RestfulPolicy() { return std::string(kPolicy); }

Workload::Workload(Rng rng, bool scheduler) : rng_(rng), scheduler_(scheduler) {
  const std::uint64_t count = 6 + rng_.Below(7);
  for (std::uint64_t i = 0; i < count; ++i) {
    Machine machine;
    machine.name = MachineId(fmt::format("m{}", i));
    machine.datacenter = DatacenterId("d0");
    machine.cluster = ClusterId(fmt::format("c{}", i % 2));
    machine.row = RowId(fmt::format("row{}", i % 4 / 2));
    machine.rack = RackId(fmt::format("r{}", i % 3));
    machine.sku = SkuId(fmt::format("sku{}", i % 2));
    const std::uint64_t cpu = 8 + rng_.Below(9);
    machine.capacity = Sized(cpu, 2 * cpu);
    machines_.push_back(std::move(machine));
  }
}

std::vector<ChangeSet> Workload::Fleet() const {
  ChangeSet first;
  first.operations.emplace_back(
      Put{PolicyText{std::string(scheduler_ ? kSchedulerPolicy : kPolicy)}});
  for (const std::string_view name : kTenants) {
    first.operations.emplace_back(Put{Tenant{.name = TenantId(name), .quota = std::nullopt}});
  }
  std::uint64_t cpu = 1;
  for (const std::string_view name : kTypes) {
    InstanceType type;
    type.name = TypeId(name);
    type.size = Sized(cpu, 9 - 2 * cpu);
    first.operations.emplace_back(Put{type});
    ++cpu;
  }
  for (const Machine& machine : machines_) first.operations.emplace_back(Put{machine});
  return {first};
}

std::string Workload::AnyService() {
  const std::uint64_t recent = std::min(services_, kRecentServices);
  return fmt::format("s{}", recent == 0 ? 0 : services_ - 1 - rng_.Below(recent));
}

InstanceId Workload::AnyInstance() {
  std::string service = AnyService();
  return {std::move(service), static_cast<std::uint32_t>(rng_.Below(5))};
}

std::vector<InstanceGroup> Workload::DrawGroups() {
  std::vector<InstanceGroup> groups;
  const std::uint64_t count = 1 + rng_.Below(2);
  for (std::uint64_t i = 0; i < count; ++i) {
    InstanceGroup group;
    group.type = AnyOf<TypeId>(rng_, kTypes);
    group.role = RoleId(i == 0 ? "primary" : "secondary");
    group.count = static_cast<std::uint32_t>(1 + rng_.Below(4));
    groups.push_back(group);
  }
  return groups;
}

Constraints Workload::DrawConstraints() {
  Constraints constraints;
  if (rng_.Below(3) == 0) constraints.spread_racks = static_cast<std::uint32_t>(2 + rng_.Below(2));
  if (rng_.Below(3) == 0) {
    constraints.max_per_machine = static_cast<std::uint32_t>(1 + rng_.Below(2));
  }
  if (rng_.Below(4) == 0) constraints.max_per_rack = static_cast<std::uint32_t>(1 + rng_.Below(3));
  if (rng_.Below(4) == 0) constraints.within = static_cast<Scope>(rng_.Below(4));
  constraints.isolate = rng_.Below(4) == 0;
  return constraints;
}

Service Workload::DrawService() {
  Service service;
  service.name = fmt::format("s{}", services_++);
  service.tenant = AnyOf<TenantId>(rng_, kTenants);
  service.klass = AnyOf<ClassId>(rng_, kClasses);
  service.groups = DrawGroups();
  service.constraints = DrawConstraints();
  service.yield_whole = rng_.Below(4) == 0;
  return service;
}

Action Workload::Draw() {
  switch (rng_.Below(16)) {
    case 0:
    case 1: {
      ScaleService scale{.service = AnyService(), .groups = {}};
      scale.groups = DrawGroups();
      return scale;
    }
    case 2: {
      ResizeService resize{.service = AnyService(), .type = {}, .limit = {}};
      resize.type = AnyOf<TypeId>(rng_, kTypes);
      const std::uint64_t cpu = 1 + rng_.Below(5);
      resize.limit = Sized(cpu, cpu);
      return resize;
    }
    case 3:
    case 4:
    case 5:
      return DeleteService{AnyService()};
    case 6:
    case 7: {
      ReportInstance report{.instance = AnyInstance()};
      report.report = static_cast<Reported>(rng_.Below(4));
      return report;
    }
    case 8: {
      MoveInstance move{.instance = AnyInstance(), .to = {}};
      if (rng_.Below(2) == 0) move.to = machines_[rng_.Below(machines_.size())].name;
      return move;
    }
    case 9:
    case 10: {
      SetHealth set{.machine = machines_[rng_.Below(machines_.size())].name};
      // Ready half of the time, or the fleet would soon be gone.
      if (rng_.Below(2) == 0) set.health = static_cast<Health>(1 + rng_.Below(3));
      return set;
    }
    default:
      return CreateService{DrawService()};
  }
}

}  // namespace berth::faults

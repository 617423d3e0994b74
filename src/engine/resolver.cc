#include "engine/resolver.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "fleet/predicates.h"
#include "oversub/tenant_amounts.h"
#include "oversub/violation.h"

namespace berth {
namespace {

// When the lease could not be had.
constexpr Duration kLookAgainAfter = std::chrono::seconds(1);
// When nobody could leave, or those who could came only just now: what nothing can cure must not be
// tried with every sample, nor an instance be sent round the fleet.
constexpr Duration kTryAgainAfter = std::chrono::minutes(1);
constexpr Duration kMoveAgainAfter = std::chrono::minutes(10);

struct Hosted {
  InstanceId id;
  Demand usage;
};

PerResource<Load> ToLoads(const Demand& usage) {
  PerResource<Load> load;
  for (const DemandResource r : kAllDemandResources) load[r] = ToLoad(usage[r]);
  return load;
}

std::vector<Hosted> ObservedOn(const Inventory& view, const MachineState& machine,
                               const ObservedUsage& observed) {
  std::vector<Hosted> hosted;
  for (const InstanceRef& ref : machine.instances) {
    const std::string& service = view[ref.service].record.name;
    const Time created = view[ref.service].Find(ref.number)->timeline.created;
    const ObservedUsage::Seen* seen = observed.Find(TenantKeyOf(service, ref.number), created);
    if (seen != nullptr) hosted.push_back({{service, ref.number}, seen->last});
  }
  return hosted;
}

PerResource<Load> ObservedLoad(const Inventory& view, const MachineState& machine,
                               const ObservedUsage& observed) {
  PerResource<Load> load;
  for (const Hosted& hosted : ObservedOn(view, machine, observed)) {
    load = load + ToLoads(hosted.usage);
  }
  return load;
}

std::vector<DemandResource> ReachedBy(const PerResource<Load>& load, const MachineState& machine,
                                      const OversubPolicy& policy) {
  const Thresholds thresholds =
      ThresholdsOf(CapacityDemand(machine.record.capacity), policy.threshold_thousandths);
  std::vector<DemandResource> reached;
  for (const DemandResource r : kAllDemandResources) {
    if (load[r] >= thresholds[r]) reached.push_back(r);
  }
  return reached;
}

// "m0 was seen to use 9 cpu of 8 cpu".
std::string InWords(const Inventory& view, const MachineState& machine,
                    const ObservedUsage& observed, const std::vector<DemandResource>& violated) {
  const PerResource<Load> load = ObservedLoad(view, machine, observed);
  PerResource<std::uint64_t> used;
  PerResource<std::uint64_t> capacity;
  for (const DemandResource r : violated) {
    used[r] = static_cast<std::uint64_t>(load[r] / kLoadUnit);
    capacity[r] = CapacityDemand(machine.record.capacity)[r];
  }
  return fmt::format("{} was seen to use {} of {}", machine.record.name.str(),
                     FormatResources(ToResources(used)), FormatResources(ToResources(capacity)));
}

}  // namespace

std::vector<DemandResource> ViolatedResources(const Inventory& view, const MachineState& machine,
                                              const ObservedUsage& observed,
                                              const OversubPolicy& policy) {
  return ReachedBy(ObservedLoad(view, machine, observed), machine, policy);
}

std::vector<InstanceId> SmallestFirst(const Inventory& view, const MachineState& machine,
                                      const ObservedUsage& observed,
                                      const std::vector<DemandResource>& violated) {
  const Demand capacity = CapacityDemand(machine.record.capacity);
  const auto size = [&](const Hosted& hosted) {
    double sum = 0;
    for (const DemandResource r : kAllDemandResources) {
      if (capacity[r] > 0) sum += static_cast<double>(hosted.usage[r]) / capacity[r];
    }
    return sum;
  };
  std::vector<Hosted> hosted = ObservedOn(view, machine, observed);
  std::erase_if(hosted, [&](const Hosted& one) {
    return std::ranges::none_of(violated, [&](DemandResource r) { return one.usage[r] > 0; });
  });
  // A machine holds them in an order that may not reach a decision.
  std::ranges::sort(hosted, {}, &Hosted::id);
  std::ranges::stable_sort(hosted, {}, size);
  std::vector<InstanceId> ids;
  ids.reserve(hosted.size());
  for (Hosted& one : hosted) ids.push_back(std::move(one.id));
  return ids;
}

Resolver::Resolver(Means means, Store& store, std::string holder)
    : means_(std::move(means)),
      lease_(store, means_.executor, means_.view, "oversub", std::move(holder)) {}

bool Resolver::IsViolated(MachineId machine) const {
  const MachineState* state = means_.view.Find(machine);
  // What must leave its machine in any case is moved by others.
  return policy_.resolves && state != nullptr && TakesPlacements(state->record.health) &&
         !ViolatedResources(means_.view, *state, means_.observed, policy_).empty();
}

bool Resolver::WouldBeViolatedBy(const InstanceId& instance, MachineId machine) const {
  const Instance* moved = means_.view.Find(instance);
  const MachineState* to = means_.view.Find(machine);
  if (moved == nullptr || to == nullptr) return false;
  PerResource<Load> load = ObservedLoad(means_.view, *to, means_.observed);
  const ObservedUsage::Seen* seen =
      means_.observed.Find(TenantKeyOf(instance.service, instance.number), moved->timeline.created);
  if (seen != nullptr) load = load + ToLoads(seen->last);
  return !ReachedBy(load, *to, policy_).empty();
}

void Resolver::Look(MachineId machine) {
  const auto given_up = given_up_until_.find(machine);
  if (given_up != given_up_until_.end()) {
    if (means_.executor.now() < given_up->second) return;
    given_up_until_.erase(given_up);
  }
  if (!IsViolated(machine)) return;
  due_.insert(machine);
  if (!busy_) Begin();
}

void Resolver::LookAgainAt(Time at, MachineId machine) {
  if (!put_off_.emplace(machine, at).second) return;
  means_.executor.PostAt(at, [this, machine, at, alive = std::weak_ptr<bool>(alive_)] {
    if (alive.expired()) return;
    put_off_.erase({machine, at});
    Look(machine);
  });
}

void Resolver::Begin() {
  busy_ = true;
  lease_.Hold([this, alive = std::weak_ptr<bool>(alive_)](std::optional<LeaseGuard> guard) {
    if (alive.expired()) return;
    if (guard) {
      guard_ = *std::move(guard);
      return NextMachine();
    }
    busy_ = false;
    for (const MachineId machine : std::exchange(due_, {})) {
      LookAgainAt(std::max(lease_.held_until(), means_.executor.now() + kLookAgainAfter), machine);
    }
  });
}

void Resolver::NextMachine() {
  while (!due_.empty()) {
    machine_ = *due_.begin();
    due_.erase(due_.begin());
    if (!IsViolated(machine_)) continue;
    const MachineState& state = *means_.view.Find(machine_);
    const std::vector<DemandResource> violated =
        ViolatedResources(means_.view, state, means_.observed, policy_);
    why_ = InWords(means_.view, state, means_.observed, violated);
    left_ = SmallestFirst(means_.view, state, means_.observed, violated);
    std::ranges::reverse(left_);
    moved_any_ = false;
    again_ = means_.executor.now() + kTryAgainAfter;
    return NextMove();
  }
  busy_ = false;
}

void Resolver::NextMove() {
  while (!left_.empty() && IsViolated(machine_)) {
    const InstanceId id = std::move(left_.back());
    left_.pop_back();
    const Instance* instance = means_.view.Find(id);
    if (instance == nullptr || instance->machine != machine_) continue;
    if (Rests(id)) continue;
    if (const auto hold = means_.may_disrupt(id.service)) {
      again_ = std::min(again_, hold->until);
      continue;
    }
    return means_.submit({.what = MoveInstance{.instance = id,
                                               .to = MachineId(),
                                               .reason = MoveReason::kViolation,
                                               .room_for = std::nullopt,
                                               .why = why_},
                          .idempotency_key = {},
                          .quiet = true,
                          .guard = guard_,
                          .avoids = [this, id](MachineId to) { return WouldBeViolatedBy(id, to); }},
                         [this, id, alive = std::weak_ptr<bool>(alive_)](const Reply& reply) {
                           if (!alive.expired()) OnMoved(id, reply);
                         });
  }
  if (IsViolated(machine_)) {
    given_up_until_[machine_] = again_;
    LookAgainAt(again_, machine_);
  }
  // In between the lease may have run out.
  if (due_.empty()) {
    busy_ = false;
  } else {
    Begin();
  }
}

bool Resolver::Rests(const InstanceId& id) {
  std::erase_if(rests_until_,
                [now = means_.executor.now()](const auto& one) { return one.second <= now; });
  return rests_until_.contains(id);
}

void Resolver::OnMoved(const InstanceId& id, const Reply& reply) {
  if (reply.accepted()) {
    rests_until_[id] = means_.executor.now() + kMoveAgainAfter;
    ++moves_;
    if (!std::exchange(moved_any_, true)) ++violations_;
  }
  NextMove();
}

}  // namespace berth

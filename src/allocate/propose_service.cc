#include "allocate/propose_service.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "allocate/evaluate.h"
#include "allocate/gang.h"
#include "allocate/quota.h"
#include "allocate/scratch.h"
#include "berth/check.h"
#include "fleet/judge.h"
#include "fleet/predicates.h"

namespace berth {

Choosing ChoosingOf(const Proposing& context) {
  return {.policy = context.policy,
          .chooser = context.chooser,
          .rng = DrawsOf(context.id),
          .top = context.avoid_conflicts ? context.policy.conflicts.top : 0,
          .outlook = context.outlook};
}

Status NoSuch(std::string_view what, std::string_view name) {
  return Status(Code::kNotFound, fmt::format("there is no {} {}", what, name));
}

Result<const ServiceState*> Existing(const Inventory& view, const std::string& name) {
  const ServiceState* service = view.FindService(name);
  if (service == nullptr) return NoSuch("service", name);
  return service;
}

void NoteEvictions(const GangResult& gang, Decision& decision, std::vector<Operation>& operations) {
  for (const GangResult::Eviction& eviction : gang.evicted) {
    decision.evicted.push_back(eviction.instance);
    operations.emplace_back(SetPending{eviction.instance, eviction.from, WaitReason::kPreempted});
  }
}

namespace {

// What bad input can do wrong in a service, before any machine is looked at.
Status CheckService(const Inventory& view, const Service& service) {
  if (!IsValidName(service.name)) {
    return Status(
        Code::kInvalidArgument,
        fmt::format("'{}' is no name for a service; use 1 to 128 letters, digits, '.', '_' or '-'",
                    service.name));
  }
  if (view.Find(service.tenant) == nullptr) return NoSuch("tenant", service.tenant.str());
  if (view.settings().FindClass(service.klass) == nullptr)
    return NoSuch("class", service.klass.str());
  std::uint64_t count = 0;
  for (const InstanceGroup& group : service.groups) {
    if (view.Find(group.type) == nullptr) return NoSuch("type", group.type.str());
    count += group.count;
  }
  if (count == 0 || count > kGangMax) {
    return Status(Code::kInvalidArgument,
                  fmt::format("service {} asks for {} instances; it must be 1 to {}", service.name,
                              count, kGangMax));
  }
  return {};
}

// Would the tenant's quota take these as well?
std::optional<Refusal> CheckQuota(const Inventory& view, TenantId tenant,
                                  std::span<const Instance> added) {
  const TenantState& state = *view.Find(tenant);
  if (!state.record.quota) return std::nullopt;
  ResourceTotals used = state.used;
  for (const Instance& instance : added) used += instance.limit;
  if (WithinQuota(state.record, used)) return std::nullopt;
  return Refusal{.rule = RuleId("quota"),
                 .because = DescribeOverQuota(state.record, used),
                 .cure = Cure::kMoreQuota,
                 .nearest = {}};
}

// As old as they will be once committed: an outlook sees them while they are placed for a try.
void AddInstances(Time now, const Resources& limit, Service& service, const InstanceGroup& group,
                  std::uint32_t count, std::vector<Instance>& added) {
  for (std::uint32_t i = 0; i < count; ++i) {
    Instance& instance = added.emplace_back();
    instance.id = {service.name, service.next_number++};
    instance.type = group.type;
    instance.role = group.role;
    instance.limit = limit;
    instance.timeline.created = now;
  }
}

void SetMachines(std::vector<Instance>& instances, const std::vector<Placement>& placed) {
  for (const Placement& placement : placed) {
    const auto at = std::ranges::find(instances, placement.instance,
                                      [](const Instance& i) { return i.id.number; });
    BERTH_CHECK(at != instances.end());
    at->machine = placement.machine;
  }
}

// The proposal for new instances of a service whose record is to be `service`: one that is created,
// or one that grows.
Proposal PlaceNew(const Proposing& context, DecisionKind kind, Service service,
                  std::vector<Instance> added) {
  Proposal proposal;
  Decision& decision = proposal.decision.emplace(NewDecision(context, kind, service.name));
  const bool may_wait = context.view.settings().FindClass(service.klass)->may_wait;
  std::optional<Refusal> refusal = context.refused;
  if (!refusal) refusal = CheckQuota(context.view, service.tenant, added);
  if (!refusal && may_wait && context.behind_others) {
    refusal = Refusal{.rule = RuleId("queue"),
                      .because = "others wait already and go first",
                      .cure = Cure::kMoreMachines,
                      .nearest = {}};
  }
  if (!refusal) {
    GangResult gang = PlaceGang(ChoosingOf(context), context.view, service, added);
    NoteEvictions(gang, decision, proposal.operations);
    decision.funnels = std::move(gang.funnels);
    refusal = std::move(gang.refusal);
    decision.placed = std::move(gang.placed);
    SetMachines(added, decision.placed);
  }
  // Waiting helps only against what may pass: room that others hold.
  const bool hopeless =
      refusal && (refusal->cure == Cure::kMoreQuota || refusal->cure == Cure::kSmallerAsk ||
                  refusal->cure == Cure::kNothing);
  const bool waits = refusal && may_wait && !hopeless && !context.refused;
  if (waits) decision.kind = DecisionKind::kWait;
  if (refusal) decision.refusal = std::move(refusal);
  if (!decision.refusal || waits) {
    // And the service, and the decision that the agent adds.
    proposal.operations.reserve(proposal.operations.size() + added.size() + 2);
    proposal.operations.emplace_back(
        Put{.record = std::move(service), .replaces = kind == DecisionKind::kScale});
    for (Instance& instance : added) proposal.operations.emplace_back(Put{std::move(instance)});
  }
  return proposal;
}

// Which instances of a group go first: those that wait, then those in the racks that hold most of
// the service, so that what remains is still spread; the latest first.
std::vector<InstanceId> ChooseSurplus(const Inventory& view, const ServiceState& service,
                                      const InstanceGroup& group, std::uint32_t count,
                                      std::map<RackIndex, std::uint32_t>& in_rack) {
  std::vector<const Instance*> left;
  for (const Instance& instance : service.instances) {
    if (instance.type == group.type && instance.role == group.role) left.push_back(&instance);
  }
  const auto crowd = [&](const Instance* i) {
    return i->HoldsRoom() ? in_rack[view.Find(i->machine)->rack] : UINT32_MAX;
  };
  std::vector<InstanceId> surplus;
  for (; count > 0; --count) {
    const auto victim = std::ranges::max_element(
        left, {}, [&](const Instance* i) { return std::pair(crowd(i), i->id.number); });
    BERTH_CHECK(victim != left.end());  // A service has the instances that it declares.
    if ((*victim)->HoldsRoom()) --in_rack[view.Find((*victim)->machine)->rack];
    surplus.push_back((*victim)->id);
    left.erase(victim);
  }
  return surplus;
}

std::map<RackIndex, std::uint32_t> CountByRack(const Inventory& view, const ServiceState& service) {
  std::map<RackIndex, std::uint32_t> in_rack;
  for (const Instance& instance : service.instances) {
    if (instance.HoldsRoom()) ++in_rack[view.Find(instance.machine)->rack];
  }
  return in_rack;
}

std::int64_t CountOf(const Service& service, const InstanceGroup& like) {
  std::int64_t count = 0;
  for (const InstanceGroup& group : service.groups) {
    if (group.type == like.type && group.role == like.role) count += group.count;
  }
  return count;
}

// A secondary is there for when its primary's machine fails. Who wants them together says how many.
void KeepReplicasApart(Service& service) {
  const bool replicated = std::ranges::any_of(
      service.groups, [](const InstanceGroup& group) { return group.role.str() == "secondary"; });
  if (replicated && service.constraints.max_per_machine == 0) {
    service.constraints.max_per_machine = 1;
  }
}

// Where instances share a machine already, the rule would be broken from the beginning.
bool AreApart(const ServiceState& service) {
  std::set<MachineId> taken;
  return std::ranges::all_of(service.instances, [&](const Instance& instance) {
    return !instance.HoldsRoom() || taken.insert(instance.machine).second;
  });
}

}  // namespace

Resources LimitOfNew(const Inventory& view, const ServiceState& service, TypeId type) {
  Resources limit = view.Find(type)->size;
  for (const Instance& instance : service.instances) {
    if (instance.type == type && instance.state != InstanceState::kEnded) limit = instance.limit;
  }
  return limit;
}

Result<Proposal> ProposeAction(const Proposing& context, const CreateService& create) {
  Service service = create.service;
  service.next_number = 0;
  KeepReplicasApart(service);
  BERTH_RETURN_IF_ERROR(CheckService(context.view, service));
  if (context.view.FindService(service.name) != nullptr) {
    return Status(
        Code::kAlreadyExists,
        fmt::format("service {} exists already; scale it or choose another name", service.name));
  }
  std::vector<Instance> added;
  added.reserve(service.InstanceCount());
  for (const InstanceGroup& group : service.groups) {
    const auto start = std::ranges::find(create.limits, group.type, &StartingLimit::type);
    const Resources& limit =
        start == create.limits.end() ? context.view.Find(group.type)->size : start->limit;
    AddInstances(context.now, limit, service, group, group.count, added);
  }
  Proposal proposal =
      PlaceNew(context, DecisionKind::kCreate, std::move(service), std::move(added));
  std::string& why = proposal.decision->why;
  for (const StartingLimit& start : create.limits) why += (why.empty() ? "" : "; ") + start.why;
  return proposal;
}

Result<Proposal> ProposeAction(const Proposing& context, const ScaleService& scale) {
  BERTH_TRY(const ServiceState* state, Existing(context.view, scale.service));
  Service service = state->record;
  service.groups = scale.groups;
  if (AreApart(*state)) KeepReplicasApart(service);
  BERTH_RETURN_IF_ERROR(CheckService(context.view, service));

  std::vector<InstanceGroup> groups = state->record.groups;  // Groups that are gone count too.
  groups.insert(groups.end(), scale.groups.begin(), scale.groups.end());
  std::vector<Instance> added;
  std::vector<Operation> removed;
  std::map<RackIndex, std::uint32_t> in_rack = CountByRack(context.view, *state);
  std::vector<std::pair<TypeId, RoleId>> done;
  for (const InstanceGroup& group : groups) {
    const std::pair key(group.type, group.role);
    if (std::ranges::find(done, key) != done.end()) continue;
    done.push_back(key);
    const std::int64_t growth = CountOf(service, group) - CountOf(state->record, group);
    if (growth > 0) {
      AddInstances(context.now, LimitOfNew(context.view, *state, group.type), service, group,
                   static_cast<std::uint32_t>(growth), added);
    }
    const auto surplus = static_cast<std::uint32_t>(std::max<std::int64_t>(-growth, 0));
    for (const InstanceId& id : ChooseSurplus(context.view, *state, group, surplus, in_rack)) {
      removed.emplace_back(Remove{KeyOf(id)});
    }
  }
  Proposal proposal;
  {
    // New instances may use the room that surplus ones of the same change leave.
    Scratch scratch(context.view);
    for (const Operation& operation : removed) scratch.Remove(std::get<Remove>(operation).key);
    proposal = PlaceNew(context, DecisionKind::kScale, std::move(service), std::move(added));
  }
  proposal.decision->why = scale.why;
  if (!proposal.operations.empty()) {
    proposal.operations.insert(proposal.operations.end(), removed.begin(), removed.end());
  }
  return proposal;
}

Result<Proposal> ProposeAction(const Proposing& context, const DeleteService& remove) {
  BERTH_TRY(const ServiceState* state, Existing(context.view, remove.service));
  return Proposal{.operations = {Remove{KeyOf(Record(state->record))}},
                  .decision = NewDecision(context, DecisionKind::kDelete, remove.service)};
}

Result<Proposal> ProposeAction(const Proposing& context, const PlacePending& place) {
  BERTH_TRY(const ServiceState* state, Existing(context.view, place.service));
  const Service service = state->record;
  std::vector<Instance> waiting;
  bool some_run = false;
  for (const Instance& instance : state->instances) {
    if (instance.state == InstanceState::kPending) waiting.push_back(instance);
    some_run = some_run || instance.HoldsRoom();
  }
  if (waiting.empty()) {
    return Status(Code::kFailedPrecondition,
                  fmt::format("no instance of service {} waits", place.service));
  }
  Decision decision = NewDecision(context, DecisionKind::kMove, place.service);
  decision.reason = MoveReason::kWaited;
  Proposal proposal;
  Scratch scratch(context.view);
  std::vector<std::vector<Instance>> gangs;
  if (some_run) {
    for (const Instance& instance : waiting) gangs.push_back({instance});
  } else {
    gangs.push_back(waiting);
  }
  for (const std::vector<Instance>& gang : gangs) {
    GangResult found = PlaceGang(ChoosingOf(context), context.view, service, gang);
    std::ranges::move(found.funnels, std::back_inserter(decision.funnels));
    if (found.refusal) decision.refusal = std::move(found.refusal);
    NoteEvictions(found, decision, proposal.operations);
    for (const GangResult::Eviction& eviction : found.evicted) scratch.Suspend(eviction.instance);
    for (const Placement& placement : found.placed) {
      Instance placed = *std::ranges::find(gang, placement.instance,
                                           [](const Instance& i) { return i.id.number; });
      placed.machine = placement.machine;
      scratch.Install(placed);
      decision.placed.push_back(placement);
      proposal.operations.emplace_back(Move{placed.id, MachineId(), placement.machine});
    }
  }
  if (!decision.placed.empty()) decision.refusal.reset();  // Those that found no room wait on.
  proposal.decision = std::move(decision);
  return proposal;
}

Result<Proposal> ProposeAction(const Proposing& context, const SuspendInstance& suspend) {
  const Instance* instance = context.view.Find(suspend.instance);
  if (instance == nullptr) return NoSuch("instance", ToString(suspend.instance));
  if (!instance->HoldsRoom()) {
    return Status(Code::kFailedPrecondition,
                  fmt::format("instance {} is {}, on no machine", ToString(suspend.instance),
                              ToString(instance->state)));
  }
  return Proposal{.operations = {SetPending{suspend.instance, instance->machine, suspend.reason}},
                  .decision = NewDecision(context, DecisionKind::kWait, suspend.instance.service)};
}

}  // namespace berth

#include "serve/messages.h"

#include <algorithm>

#include "allocate/explain.h"

namespace berth {
namespace {

std::int64_t Millis(Time time) { return ToMicros(time) / 1000; }

void LabelsToMessage(const Labels& labels, google::protobuf::Map<std::string, std::string>& map) {
  for (const auto& [name, value] : labels) map[name.str()] = value.str();
}

void ForeseenToMessage(const Foreseen& foreseen, v1::Foreseen& message) {
  message.set_futures(foreseen.futures);
  message.set_before(foreseen.before);
  message.set_after(foreseen.after);
  if (foreseen.after > 0) message.set_at_risk(std::string(ResourceName(foreseen.at_risk)));
}

void FunnelToMessage(const Funnel& funnel, v1::Funnel& message) {
  message.set_type(funnel.type.str());
  message.set_role(funnel.role.str());
  message.set_instances(funnel.instances);
  message.set_clusters(funnel.clusters);
  message.set_machines(funnel.machines);
  for (const FunnelStep& step : funnel.steps) {
    v1::FunnelStep& to = *message.add_steps();
    to.set_rule(step.rule.str());
    to.set_validator(step.validator);
    to.set_left(step.left);
  }
}

void RefusalToMessage(const Refusal& refusal, v1::Refusal& message) {
  message.set_rule(refusal.rule.str());
  message.set_because(refusal.because);
  message.set_cure(std::string(ToString(refusal.cure)));
  message.set_advice(std::string(Advice(refusal.cure)));
  for (const NearMiss& miss : refusal.nearest) {
    v1::NearMiss& to = *message.add_nearest();
    to.set_machine(miss.machine.str());
    to.set_rule(miss.rule.str());
    to.set_lacks(miss.lacks);
  }
}

struct RecordToMessage {
  v1::RecordUpdate& message;

  void operator()(const Tenant& record) const { ToMessage(record, *message.mutable_tenant()); }
  void operator()(const InstanceType& record) const { ToMessage(record, *message.mutable_type()); }
  void operator()(const Machine& record) const { ToMessage(record, *message.mutable_machine()); }
  void operator()(const Service& record) const { ToMessage(record, *message.mutable_service()); }
  void operator()(const Instance& record) const { ToMessage(record, *message.mutable_instance()); }
  void operator()(const Decision& record) const { ToMessage(record, *message.mutable_decision()); }
  void operator()(const PolicyText& record) const {
    message.mutable_policy()->set_text(record.text);
  }
  void operator()(const Lease& /*record*/) const {}
  void operator()(const Idempotency& /*record*/) const {}
};

bool IsShown(RecordKind kind) {
  return kind != RecordKind::kLease && kind != RecordKind::kIdempotency;
}

}  // namespace

void ToMessage(const Resources& resources, v1::Resources& message) {
  message.set_cpu_milli(resources[Resource::kCpu]);
  message.set_memory_bytes(resources[Resource::kMemory]);
  message.set_disk_bytes(resources[Resource::kDisk]);
  message.set_network_mbit(resources[Resource::kNetwork]);
  message.set_gpu_milli(resources[Resource::kGpu]);
}

void ToMessage(const Service& service, v1::Service& message) {
  message.set_name(service.name);
  message.set_tenant(service.tenant.str());
  message.set_class_(service.klass.str());
  for (const InstanceGroup& group : service.groups) {
    v1::Group& to = *message.add_groups();
    to.set_type(group.type.str());
    to.set_role(group.role.str());
    to.set_count(group.count);
  }
  const Constraints& constraints = service.constraints;
  if (constraints != Constraints()) {
    v1::Constraints& to = *message.mutable_constraints();
    to.set_spread_racks(constraints.spread_racks);
    to.set_max_per_machine(constraints.max_per_machine);
    to.set_max_per_rack(constraints.max_per_rack);
    to.set_max_per_update_domain(constraints.max_per_update_domain);
    to.set_within(static_cast<v1::Scope>(constraints.within));
    to.set_isolate(constraints.isolate);
    LabelsToMessage(constraints.labels, *to.mutable_labels());
  }
  message.set_yield_whole(service.yield_whole);
}

void ToMessage(const ServiceState& service, v1::ServiceSummary& message) {
  ToMessage(service.record, *message.mutable_service());
  std::uint32_t placed = 0;
  std::uint32_t pending = 0;
  for (const KeptInstance& instance : service.instances) {
    if (instance.HoldsRoom()) ++placed;
    if (instance.state == InstanceState::kPending) ++pending;
  }
  message.set_placed(placed);
  message.set_pending(pending);
}

void ToMessage(const HeldBack& held_back, v1::ServiceSummary& message) {
  message.set_held_back(held_back.because);
  message.set_held_back_until_ms(Millis(held_back.until));
}

void ToMessage(const Instance& instance, v1::Instance& message) {
  message.set_id(ToString(instance.id));
  message.set_type(instance.type.str());
  message.set_role(instance.role.str());
  message.set_machine(instance.machine.str());
  ToMessage(instance.limit, *message.mutable_limit());
  message.set_phase(static_cast<v1::InstancePhase>(instance.state));
  message.set_created_ms(Millis(instance.timeline.created));
  message.set_since_ms(Millis(instance.timeline.since));
  message.set_preemptions(instance.timeline.preemptions);
  message.set_failures(instance.timeline.failures);
  message.set_out_of_memory(instance.timeline.out_of_memory);
}

void ToMessage(const Machine& machine, v1::Machine& message) {
  message.set_name(machine.name.str());
  message.set_datacenter(machine.datacenter.str());
  message.set_cluster(machine.cluster.str());
  message.set_row(machine.row.str());
  message.set_rack(machine.rack.str());
  message.set_update_domain(machine.update_domain.str());
  message.set_sku(machine.sku.str());
  ToMessage(machine.capacity, *message.mutable_capacity());
  LabelsToMessage(machine.labels, *message.mutable_labels());
  message.set_health(static_cast<v1::MachineHealth>(machine.health));
}

void ToMessage(const MachineState& machine, v1::MachineState& message) {
  ToMessage(machine.record, *message.mutable_machine());
  ToMessage(machine.allocated, *message.mutable_allocated());
  ToMessage(machine.Free(), *message.mutable_free());
  message.set_instances(static_cast<std::uint32_t>(machine.instances.size()));
  message.set_revision(ToNumber(machine.revision));
}

void ToMessage(const InstanceType& type, v1::InstanceType& message) {
  message.set_name(type.name.str());
  ToMessage(type.size, *message.mutable_size());
  for (const SkuId sku : type.skus) message.add_skus(sku.str());
  LabelsToMessage(type.requires_labels, *message.mutable_requires_labels());
}

void ToMessage(const Tenant& tenant, v1::Tenant& message) {
  message.set_name(tenant.name.str());
  if (!tenant.quota) return;
  Resources quota = *tenant.quota;
  for (const Resource r : kAllResources) {
    if (quota[r] == kUnlimited) quota[r] = -1;
  }
  ToMessage(quota, *message.mutable_quota());
}

void ToMessage(const TenantState& tenant, v1::TenantState& message) {
  ToMessage(tenant.record, *message.mutable_tenant());
  Resources used;
  for (const Resource r : kAllResources) {
    used[r] = static_cast<std::int64_t>(std::min<ResourceTotals::Wide>(tenant.used[r], INT64_MAX));
  }
  ToMessage(used, *message.mutable_used());
  message.set_services(tenant.services);
}

void ToMessage(const Decision& decision, v1::Decision& message) {
  message.set_id(ToString(decision.id));
  message.set_kind(std::string(ToString(decision.kind)));
  message.set_subject(decision.subject);
  message.set_at_ms(Millis(decision.at));
  message.set_seen(ToNumber(decision.seen));
  message.set_conflicts(decision.conflicts);
  message.set_arm(decision.arm.str());
  if (decision.kind == DecisionKind::kMove) {
    message.set_reason(std::string(ToString(decision.reason)));
  }
  message.set_why(decision.why);
  if (decision.room_for) message.set_room_for(ToString(*decision.room_for));
  for (const Placement& placement : decision.placed) {
    v1::Placement& to = *message.add_placed();
    to.set_instance(placement.instance);
    to.set_machine(placement.machine.str());
    if (!placement.foreseen) continue;
    ForeseenToMessage(*placement.foreseen, *to.mutable_foreseen());
  }
  for (const InstanceId& id : decision.evicted) message.add_evicted(ToString(id));
  for (std::size_t i = 0; i < decision.yielded.size(); ++i) {
    const Yielded& yielded = decision.yielded[i];
    v1::Yielded& to = *message.add_yielded();
    to.set_instance(ToString(decision.evicted[i]));
    to.set_to(ToString(InstanceId{decision.subject, yielded.to}));
    to.set_spare_ms(std::chrono::floor<std::chrono::milliseconds>(yielded.spare).count());
    to.set_left_ms(std::chrono::floor<std::chrono::milliseconds>(yielded.left).count());
  }
  for (const Funnel& funnel : decision.funnels) FunnelToMessage(funnel, *message.add_funnels());
  message.set_accepted(!decision.refusal || decision.kind == DecisionKind::kWait);
  if (decision.refusal) RefusalToMessage(*decision.refusal, *message.mutable_refusal());
}

void ToMessage(const Decision& decision, v1::ExplainedDecision& message) {
  ToMessage(decision, *message.mutable_decision());
  message.set_summary(SummarizeDecision(decision));
  message.set_explanation(ExplainDecision(decision));
}

void ToMessage(const WhyNot& why, const std::string& instance, MachineId machine,
               v1::WhyNotReply& message) {
  message.set_valid(why.valid);
  message.set_among_best(why.among_best);
  for (const std::string& reason : why.reasons) message.add_reasons(reason);
  for (const WhyNot::Ahead& ahead : why.ahead) {
    v1::ForeseenOn& to = *message.add_ahead();
    to.set_machine(ahead.machine.str());
    ForeseenToMessage(ahead.foreseen, *to.mutable_foreseen());
  }
  message.set_explanation(ExplainWhyNot(why, instance, machine));
}

void ToMessage(const Reply& reply, v1::Outcome& message) {
  message.set_accepted(reply.accepted());
  message.set_duplicate(reply.duplicate);
  message.set_revision(ToNumber(reply.revision));
  if (reply.decision) ToMessage(*reply.decision, *message.mutable_decision());
}

void ToMessage(const Committed& committed, v1::Commit& message) {
  message.set_revision(ToNumber(committed.revision));
  message.set_at_ms(Millis(committed.at));
  for (const Update& update : committed.updates) {
    if (!IsShown(update.key.kind)) continue;
    v1::RecordUpdate& to = *message.add_updates();
    to.set_key(ToString(update.key));
    to.set_removed(!update.record);
    if (update.record) std::visit(RecordToMessage{to}, *update.record);
  }
}

}  // namespace berth

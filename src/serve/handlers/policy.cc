#include "engine/policy.h"

#include "allocate/policy.h"
#include "serve/handlers/builtin.h"

namespace berth {
namespace {

void GetPolicy(Zone& zone, const v1::GetPolicyRequest& /*request*/,
               const Respond<v1::Policy>& respond) {
  const Inventory& view = zone.view();
  v1::Policy reply;
  reply.set_text(view.policy().text.empty() ? std::string(ShippedPolicy()) : view.policy().text);
  reply.set_revision(ToNumber(view.policy_revision()));
  respond(std::move(reply));
}

void GetShipped(Zone& /*zone*/, const v1::GetShippedPoliciesRequest& /*request*/,
                const Respond<v1::ShippedPolicyList>& respond) {
  v1::ShippedPolicyList reply;
  for (const ShippedPolicyEntry& entry : ShippedPolicies()) {
    v1::NamedPolicy& policy = *reply.add_policies();
    policy.set_name(std::string(entry.name));
    policy.set_text(std::string(entry.text));
  }
  respond(std::move(reply));
}

void Validate(Zone& zone, const v1::ValidatePolicyRequest& request,
              const Respond<v1::ValidatePolicyReply>& respond) {
  if (const Status status = CheckPolicySize(request.text()); !status.ok()) return respond(status);
  const Status status = CheckPolicy(request.text(), "policy", zone.programs().Names());
  v1::ValidatePolicyReply reply;
  reply.set_valid(status.ok());
  reply.set_error(status.message());
  respond(std::move(reply));
}

void Apply(Zone& zone, const v1::ApplyPolicyRequest& request, const Respond<v1::Outcome>& respond) {
  if (const Status status = CheckPolicySize(request.text()); !status.ok()) return respond(status);
  SubmitAndAnswer(zone, ApplyPolicy{request.text()}, request.idempotency_key(), respond);
}

void CountServices(const Inventory& view, const Experiment& experiment, v1::Arm& control,
                   v1::Arm& trial) {
  for (const ServiceState& service : view.services()) {
    if (service.vacant()) continue;
    v1::Arm& arm = experiment.Includes(service.record.name) ? trial : control;
    arm.set_services(arm.services() + 1);
    for (const Instance& instance : service.instances) {
      if (instance.HoldsRoom()) arm.set_placed(arm.placed() + 1);
      if (instance.state == InstanceState::kPending) arm.set_pending(arm.pending() + 1);
    }
  }
}

void SetStats(const DecidingStats& stats, v1::Arm& arm) {
  arm.set_accepted(stats.accepted);
  arm.set_refused(stats.refused);
  arm.set_commits(stats.commits);
  arm.set_conflicts(stats.conflicts);
  arm.set_hits(stats.hits);
  arm.set_misses(stats.misses);
  arm.set_machines_judged(stats.machines_on_hits + stats.machines_on_misses);
}

void GetExperiment(Zone& zone, const v1::GetExperimentRequest& /*request*/,
                   const Respond<v1::ExperimentState>& respond) {
  const Result<std::optional<Experiment>> experiment = ExperimentInForce(zone.view());
  if (!experiment.ok()) return respond(experiment.status());
  v1::ExperimentState reply;
  if (!experiment.value()) return respond(std::move(reply));
  v1::Arm& control = *reply.add_arms();
  control.set_name(std::string(kControlArm));
  control.set_percent(100 - experiment.value()->percent);
  v1::Arm& trial = *reply.add_arms();
  trial.set_name(experiment.value()->name.str());
  trial.set_percent(experiment.value()->percent);
  CountServices(zone.view(), *experiment.value(), control, trial);
  std::map<std::string, DecidingStats> stats = zone.engine().arms();
  for (v1::Arm& arm : *reply.mutable_arms()) SetStats(stats[arm.name()], arm);
  respond(std::move(reply));
}

}  // namespace

void AddPolicyHandlers(HandlerTable& table) {
  AddHandler(table, "GetPolicy", GetPolicy);
  AddHandler(table, "GetShippedPolicies", GetShipped);
  AddHandler(table, "ValidatePolicy", Validate);
  AddHandler(table, "ApplyPolicy", Apply);
  AddHandler(table, "GetExperiment", GetExperiment);
}

}  // namespace berth

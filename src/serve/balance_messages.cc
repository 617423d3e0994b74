#include "serve/balance_messages.h"

#include <fmt/format.h>

#include <algorithm>

namespace berth {
namespace {

void SummaryToMessage(const BalanceSummary& summary, v1::BalanceFigures& message) {
  message.set_violated_now(summary.violated_now);
  message.set_expected_violations(summary.expected_violations);
  message.set_imbalance(summary.imbalance);
  message.set_fragmentation(summary.fragmentation);
  message.set_energy(summary.energy);
}

BalanceSummary ToSummary(const v1::BalanceFigures& message) {
  return {.violated_now = message.violated_now(),
          .expected_violations = message.expected_violations(),
          .imbalance = message.imbalance(),
          .fragmentation = message.fragmentation(),
          .energy = message.energy()};
}

Result<InstanceId> ToInstance(const std::string& text) {
  const std::optional<InstanceId> id = ParseInstanceId(text);
  if (!id) return Status(Code::kInternal, fmt::format("the server names an instance '{}'", text));
  return *id;
}

}  // namespace

void ToMessage(const BalancePlan& plan, v1::WhatIfBalanceReply& message) {
  message.set_machines(plan.machines);
  message.set_instances(plan.instances);
  message.set_not_observed(plan.not_observed);
  SummaryToMessage(plan.before, *message.mutable_before());
  SummaryToMessage(plan.after, *message.mutable_after());
  for (const BalanceMove& move : plan.moves) {
    v1::BalanceMove& to = *message.add_moves();
    to.set_instance(ToString(move.instance));
    to.set_type(move.type.str());
    to.set_from(move.from.str());
    to.set_to(move.to.str());
    to.set_expected_violations(move.expected_violations);
  }
  for (const RefusedMove& refused : plan.refused) {
    v1::RefusedBalanceMove& to = *message.add_refused();
    to.set_instance(ToString(refused.instance));
    to.set_to(refused.to.str());
    to.set_because(refused.because);
  }
  const std::size_t listed = std::min(kAtRiskMax, plan.outlooks.size());
  for (std::size_t i = 0; i < listed; ++i) {
    const MachineOutlook& outlook = plan.outlooks[i];
    v1::MachineAtRisk& to = *message.add_at_risk();
    to.set_machine(outlook.machine.str());
    to.set_violated_now(outlook.violated_now);
    to.set_violated_after(outlook.violated_after);
    to.set_probability_now(outlook.probability_now);
    to.set_probability_after(outlook.probability_after);
  }
  message.set_at_risk_in_all(plan.outlooks.size());
}

Result<BalancePlan> ToBalancePlan(const v1::WhatIfBalanceReply& message) {
  BalancePlan plan;
  plan.machines = message.machines();
  plan.instances = message.instances();
  plan.not_observed = message.not_observed();
  plan.before = ToSummary(message.before());
  plan.after = ToSummary(message.after());
  for (const v1::BalanceMove& from : message.moves()) {
    BERTH_TRY(const InstanceId instance, ToInstance(from.instance()));
    plan.moves.push_back({.instance = instance,
                          .type = TypeId(from.type()),
                          .from = MachineId(from.from()),
                          .to = MachineId(from.to()),
                          .expected_violations = from.expected_violations()});
  }
  for (const v1::RefusedBalanceMove& from : message.refused()) {
    BERTH_TRY(const InstanceId instance, ToInstance(from.instance()));
    plan.refused.push_back(
        {.instance = instance, .to = MachineId(from.to()), .because = from.because()});
  }
  for (const v1::MachineAtRisk& from : message.at_risk()) {
    plan.outlooks.push_back({.machine = MachineId(from.machine()),
                             .violated_now = from.violated_now(),
                             .violated_after = from.violated_after(),
                             .probability_now = from.probability_now(),
                             .probability_after = from.probability_after()});
  }
  return plan;
}

}  // namespace berth

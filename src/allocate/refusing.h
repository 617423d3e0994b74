// Who refuses a machine, and why: validators of machines and of whole clusters alike.
#pragma once

#include <string>

#include "allocate/policy.h"

namespace berth {

class Refusing {
 public:
  explicit Refusing(const Validator& validator) : of_machine_(&validator) {}
  explicit Refusing(const ClusterValidator& validator) : of_cluster_(&validator) {}

  RuleId rule() const {
    return RuleId(of_machine_ != nullptr ? of_machine_->name() : of_cluster_->name());
  }
  std::string Lacks(const Ask& ask, const Candidate& machine) const {
    return of_machine_ != nullptr ? of_machine_->Lacks(ask, machine)
                                  : of_cluster_->Lacks(ask, ask.inventory[machine.state.cluster]);
  }
  Cure CureFor(const Ask& ask, const Candidate& machine) const {
    return of_machine_ != nullptr ? of_machine_->CureFor(ask, machine)
                                  : of_cluster_->CureFor(ask, ask.inventory[machine.state.cluster]);
  }

 private:
  const Validator* of_machine_ = nullptr;
  const ClusterValidator* of_cluster_ = nullptr;
};

// Calls f(Refusing) for everyone who refuses the machine, in the order in which they are asked.
template <typename F>
void ForEachRefusing(const AllocatePolicy& policy, const Ask& ask, const Candidate& machine,
                     F&& f) {
  const ClusterState& cluster = ask.inventory[machine.state.cluster];
  for (const Listed<ClusterValidator>& listed : policy.cluster_validators) {
    if (!listed.rule->IsValid(ask, cluster)) f(Refusing(*listed.rule));
  }
  for (const Listed<Validator>& listed : policy.validators) {
    if (!listed.rule->IsValid(ask, machine)) f(Refusing(*listed.rule));
  }
}

}  // namespace berth

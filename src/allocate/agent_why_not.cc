#include "allocate/agent.h"
#include "allocate/explain.h"
#include "allocate/scratch.h"

namespace berth {

Result<WhyNot> Agent::AskWhyNot(const Service& service, std::optional<std::uint32_t> number,
                                MachineId machine) {
  BERTH_RETURN_IF_ERROR(broken_);
  if (!started_) {
    return Status(Code::kUnavailable, "the fleet is being read; ask again in a moment");
  }
  const bool tried = experiment_ && trial_ != nullptr && experiment_->Includes(service.name);
  Arm& arm = tried ? *trial_ : *control_;
  arm.evaluator.SetTime(executor_.now());
  // As if it were to be placed anew: what is foreseen of its own machine is without it, too.
  Scratch scratch(view_);
  const InstanceId id{service.name, number.value_or(0)};
  if (const Instance* placed = view_.Find(id); number && placed != nullptr && placed->HoldsRoom()) {
    scratch.Suspend(id);
  }
  return berth::AskWhyNot(
      {.policy = arm.policy, .chooser = arm.evaluator, .outlook = FollowedOutlook()}, view_,
      service, number, machine);
}

}  // namespace berth

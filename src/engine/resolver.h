// Ends violations: moves instances off machines whose instances were seen to use the threshold of
// a resource or more, the smallest first, until they no longer do.
//
// Small is who uses least of the machine, all resources together; who uses nothing of what there is
// too little of stays. Where each goes is the policy's choice, as for every move, but nobody goes
// where by what was seen a violation would follow at once, nor is moved again within ten minutes.
// It is one process at a time that does this, by lease, and the ledger of disruption may put a move
// off.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "berth/executor.h"
#include "berth/request.h"
#include "engine/controller_lease.h"
#include "engine/disruption_ledger.h"
#include "oversub/observed_usage.h"
#include "oversub/policy.h"

namespace berth {

// The resources of which the machine's observed usage is a violation.
std::vector<DemandResource> ViolatedResources(const Inventory& view, const MachineState& machine,
                                              const ObservedUsage& observed,
                                              const OversubPolicy& policy);
// Who is to leave it, in this order, as long as it is violated.
std::vector<InstanceId> SmallestFirst(const Inventory& view, const MachineState& machine,
                                      const ObservedUsage& observed,
                                      const std::vector<DemandResource>& violated);

class Resolver {
 public:
  struct Means {
    Executor& executor;
    const Inventory& view;
    const ObservedUsage& observed;
    std::function<void(Request, ReplyDone)> submit;
    // Whether the service may be disrupted now.
    std::function<std::optional<DisruptionLedger::Hold>(const std::string& service)> may_disrupt;
  };
  Resolver(Means means, Store& store, std::string holder);

  void SetPolicy(const OversubPolicy& policy) { policy_ = policy; }
  // What is used there changed.
  void Look(MachineId machine);

  std::uint64_t violations() const { return violations_; }
  std::uint64_t moves() const { return moves_; }

 private:
  bool IsViolated(MachineId machine) const;
  // By what both were seen to take.
  bool WouldBeViolatedBy(const InstanceId& instance, MachineId machine) const;
  void LookAgainAt(Time at, MachineId machine);
  void Begin();
  void NextMachine();
  void NextMove();
  void OnMoved(const InstanceId& id, const Reply& reply);
  bool Rests(const InstanceId& id);

  Means means_;
  ControllerLease lease_;
  OversubPolicy policy_;
  std::set<MachineId> due_;
  std::set<std::pair<MachineId, Time>> put_off_;  // Until then.
  bool busy_ = false;
  LeaseGuard guard_;
  // Of the machine at hand.
  MachineId machine_;
  std::vector<InstanceId> left_;  // The next last.
  std::string why_;
  bool moved_any_ = false;
  Time again_;                              // When it is tried again, if it is violated still.
  std::map<InstanceId, Time> rests_until_;  // Those that were moved lately.
  std::map<MachineId, Time> given_up_until_;
  std::uint64_t violations_ = 0;
  std::uint64_t moves_ = 0;
  const std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace berth

// Makes room for instances that wait although the fleet has room in sum: moves a few others, so
// that one machine has enough of it.
//
// Which ones is a plan made on the view (allocate/what_if/make_room.h); it is carried out move by
// move, and given up when one is refused. Who waits is then placed like all that wait. It is one
// process at a time that does this, by lease, and the ledger of disruption may put a plan off as a
// whole.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "allocate/what_if/make_room.h"
#include "berth/executor.h"
#include "berth/request.h"
#include "engine/controller_lease.h"
#include "engine/disruption_gate.h"
#include "oversub/policy.h"

namespace berth {

class Defragmenter {
 public:
  // A plan may look at the whole fleet; deciding must not wait for one after the other.
  static constexpr Duration kBetweenPlans = std::chrono::seconds(1);
  // Others are looked at when they find no room again.
  static constexpr std::size_t kDueMax = 64;

  struct Means {
    Executor& executor;
    const Inventory& view;
    DisruptionGate& gate;
    std::function<const AllocatePolicy&()> policy;
    // By the view as it is now. Null: nothing is foreseen.
    std::function<const Outlook*()> outlook;
    std::function<void(Request, ReplyDone)> submit;
  };
  Defragmenter(Means means, Store& store, std::string holder);

  void SetPolicy(const OversubPolicy& policy) { on_ = policy.defragments; }
  // The service has instances that wait, and found no room for them.
  void Consider(const std::string& service);

  std::uint64_t moves() const { return moves_; }

 private:
  void Schedule(Time at);
  void Begin();
  void PlanNext();
  void NextMove();
  void OnMoved(const Reply& reply);
  bool StillBelowTheta(const PlannedMove& move) const;
  void End();

  Means means_;
  ControllerLease lease_;
  bool on_ = false;
  std::deque<std::string> due_;  // Each once.
  bool busy_ = false;            // A look is set, or going on.
  Time next_look_;
  LeaseGuard guard_;
  // Of the plan at hand.
  InstanceId waiting_;
  std::deque<PlannedMove> left_;
  std::uint64_t moves_ = 0;
  const std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace berth

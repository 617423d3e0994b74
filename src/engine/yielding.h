// Who yields when there is not enough room: runs the scheduler that the policy names whenever room
// may have come free or someone came to wait, and on its watchdog, and has what it decides
// committed like every other change.
//
// One process at a time does this, by lease. Preemptions are counted in the ledger of disruption
// and not held back by it: they keep promises, and the classes' own margins and caps bound them.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "berth/executor.h"
#include "berth/request.h"
#include "berth/store.h"
#include "engine/controller_lease.h"
#include "engine/yield_mirror.h"
#include "qos/policy.h"

namespace berth {

class Yielding {
 public:
  struct Means {
    Executor& executor;
    const Inventory& view;
    std::function<void(Request, ReplyDone)> submit;
    // Whether everything that was proposed is committed or given up.
    std::function<bool()> settled;
  };
  // All of them outlive it.
  Yielding(Means means, Store& store, std::string holder);
  ~Yielding() { *alive_ = false; }
  Yielding(const Yielding&) = delete;
  Yielding& operator=(const Yielding&) = delete;

  // How its rules read now; what does not parse was refused before.
  void SetPolicy(const Node& policy);
  // The view is whole, and nothing in it is tentative.
  void Begin();
  void OnCommit(const Committed& committed);

  // The right to decide who yields; none: another process has it.
  void Hold(ControllerLease::Done done) { lease_.Hold(std::move(done)); }
  // Null: at present nothing can be decided.
  YieldMirror* deciding() { return stale_ ? nullptr : mirror_.get(); }
  Time now() const { return means_.executor.now(); }

  bool admits_by_promises() const { return serves() && policy_.admission; }
  bool serves() const { return policy_.kind != SchedulerKind::kNone; }
  // Null: nobody decides who yields.
  const YieldMirror* mirror() const { return mirror_.get(); }

  std::uint64_t passes() const { return passes_; }
  Duration passing() const { return passing_; }
  std::uint64_t seated() const { return seated_; }
  std::uint64_t preempted() const { return preempted_; }

 private:
  void MakeMirror();
  // Something happened: a pass is due, with those that were passed over.
  void Wake();
  void Ask();
  void Pass();
  void SubmitMore();
  void OnSeated(const SeatPending& seating, const Reply& reply);
  void StartWhole();
  void EndRound();
  void ArmWatchdog();
  std::function<void()> WhileAlive(void (Yielding::*what)());

  const Means means_;
  ControllerLease lease_;
  LeaseGuard guard_;
  SchedulerPolicy policy_;
  std::string policy_text_;
  std::unique_ptr<YieldMirror> mirror_;
  bool stale_ = false;  // The mirror is to be made anew.
  bool busy_ = false;   // A round is under way,
  bool again_ = false;  // and another is due after it.
  bool watched_ = false;
  std::deque<SeatPending> to_seat_;
  std::size_t in_flight_ = 0;
  bool learnt_ = false;  // This round found out that a machine will not do.
  std::vector<std::string> too_few_;
  std::map<std::string, std::uint32_t> tries_;  // Of services that start whole, since it woke.
  std::uint64_t passes_ = 0;
  Duration passing_{};
  std::uint64_t seated_ = 0;
  std::uint64_t preempted_ = 0;
  const std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace berth

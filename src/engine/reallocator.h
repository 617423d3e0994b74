// Gives instances another place: those whose machine is dead or to be emptied, then those that
// wait, first come, first served. One pass at a time, whenever room may have become free.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "berth/executor.h"
#include "berth/request.h"
#include "berth/store.h"
#include "engine/disruption_gate.h"
#include "engine/pending_queue.h"
#include "fleet/inventory.h"

namespace berth {

class Reallocator {
 public:
  struct Means {
    Executor& executor;
    const Inventory& view;
    DisruptionGate& gate;
    std::function<void(Request, ReplyDone)> submit;
    // Whether everything that was proposed is committed or given up.
    std::function<bool()> settled;
    // Those of the service's that wait found no room, or not all of them.
    std::function<void(const std::string& service)> still_waits;
  };
  explicit Reallocator(Means means) : means_(std::move(means)) {}
  ~Reallocator() { *alive_ = false; }
  Reallocator(const Reallocator&) = delete;
  Reallocator& operator=(const Reallocator&) = delete;

  // The view is whole: at the start, and after it lost its way.
  void Begin();
  // Notes what a commit means for those that wait and for machines to be emptied.
  void OnCommit(const Committed& committed);
  // A scheduler decides when those that wait are placed, and for whom others make room.
  void LeaveWaiting(bool to_scheduler) { leaves_waiting_ = to_scheduler; }
  // Does what there is to do, soon.
  void ScheduleWork();

  // Drains the machine, and removes it once it is empty.
  void Decommission(const std::string& machine, ReplyDone done, std::string idempotency_key);

  bool anyone_waits() const { return !queue_.empty(); }
  std::uint64_t pending() const { return queue_.instances(); }
  std::uint64_t reallocated() const { return reallocated_; }

 private:
  using Work = std::variant<InstanceId, PlacePending>;
  struct Leaving {
    std::vector<ReplyDone> asked;
    std::string idempotency_key;
    bool drains = false;   // It was told to.
    bool removed = false;  // It was empty, and its removal is on its way.
  };

  void NoteMachine(MachineId name);
  void BeginPass();
  void NextWork();
  std::optional<Health> HealthBelow(const InstanceId& id) const;
  bool IsHeldBack(const Work& item);
  void WorkAgainLater();
  void OnMoved(const InstanceId& id, const Reply& reply);
  void OnTried(const std::string& service);
  void EndPass();
  void FinishLeaving();
  void AnswerLeaving(MachineId name, const Reply& reply);

  const Means means_;
  PendingQueue queue_;
  std::set<MachineId> to_empty_;
  std::map<MachineId, Leaving> leaving_;  // To be removed once empty.
  std::set<MachineId> emptying_;          // Of those, the ones that this pass tried to empty.
  std::deque<Work> work_;
  bool leaves_waiting_ = false;
  bool working_ = false;
  bool room_freed_ = false;
  std::uint64_t reallocated_ = 0;
  std::optional<Time> work_again_at_;              // For those that this pass put off,
  std::map<MachineId, std::string> held_back_on_;  // and why.
  const std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace berth

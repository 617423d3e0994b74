// The fleet as the policy's scheduler sees it: machines with their room, and the instances that run
// and wait on them with the time they were given.
//
// It follows commits, so that what it decides from survives restarts and is the same in every
// process. What a pass decides holds here at once; once the commit is answered, what was committed
// counts.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "allocate/policy.h"
#include "berth/request.h"
#include "engine/seat_filter.h"
#include "fleet/inventory.h"
#include "qos/policy.h"
#include "qos/scheduler.h"

namespace berth {

// What a pass decided.
struct SeatPlan {
  std::vector<SeatPending> seatings;  // In the order in which they are to be carried out.
  std::vector<std::string> too_few;   // Services that start whole, and found room for a part only.
};

class YieldMirror {
 public:
  // Of the whole view, in which nothing may be tentative. The view outlives it.
  YieldMirror(const Inventory& view, const SchedulerPolicy& policy, AllocatePolicy allocate);

  // Takes over what a commit did; the view knows it already.
  void Note(const Committed& committed);

  const Scheduler& scheduler() const { return *scheduler_; }
  // Null: it has ended, or is not there.
  const RequestAccount* Find(const InstanceId& id) const;
  // What is left of it as decided here; none if it is not there.
  std::optional<Resources> FreeOn(MachineId machine) const;

  SeatPlan Pass(Time now);
  // A seating came to nothing: all is as was committed.
  void TakeBack(const SeatPending& seating);
  // Remembers that a machine will not do; false: that is not why it was refused.
  bool NoteRefusal(const SeatPending& seating, const Decision& decision);
  // What commits refused may be tried again.
  void ForgetRefusals() { filter_.ForgetAll(); }

  // Who yields so that all instances that a new limit is for may have it: a seat for each that
  // finds no room where it is. None of the service itself yields for that. None at all: there is no
  // way. Decided as if nobody waited, and nothing of it holds here before it is committed.
  std::optional<std::vector<Seat>> PlanGrowth(const ResizeService& grows, Time now);
  // Remembers that a machine will not do for those who were to grow; false: it is not that.
  bool NoteRefusal(const ResizeService& grows, const Decision& decision);

  // A service that cannot start whole lets others pass it.
  void Bench(const std::string& service);
  // Those are back in the queue.
  void Unbench();

  // So much in it is of no use any more that it is better made anew.
  bool overgrown() const;
  bool anyone_waits() const { return scheduler_->waiting() > 0 || !benched_.empty(); }

 private:
  using Known = std::map<InstanceId, RequestIndex>;

  void SyncMachine(MachineId name);
  void AddMachine(MachineIndex index);
  void ReplaceHost(HostIndex old, std::optional<MachineIndex> index);
  void SyncInstance(const Instance& instance);
  void SyncService(const std::string& name);
  void NoteMoved(const Service& service);
  // What they ask of machines may be called otherwise.
  void RewordAll();
  void Reword(const Service& service, const Instance& instance, RequestIndex request);
  void Set(const InstanceId& id, const RequestAccount& account);
  void Forget(const InstanceId& id);
  void ForgetService(const std::string& name);
  void TakeBack(const InstanceId& id);
  // For PlanGrowth: what is in force here meanwhile.
  std::optional<std::vector<Seat>> TryGrowth(const ServiceState& service,
                                             const ResizeService& grows, Time now,
                                             std::set<InstanceId>& leaving);
  std::optional<Seat> TryToGrow(const Service& service, const Instance& instance,
                                const Resources& limit, Time now, std::set<InstanceId>& leaving);
  void Spare(RequestIndex request, RequestAccount account);
  RequestAccount AccountOf(const Service& service, const Instance& instance);
  std::uint32_t ClassOf(const Service& service) const;
  std::uint32_t GroupOf(const Service& service);
  std::pair<Known::const_iterator, Known::const_iterator> OfService(const std::string& name) const;
  // Where its instances run as decided here.
  std::vector<MachineIndex> PlacesOf(const std::string& service) const;
  // How many must be seated at once, because none of the service runs; 1 if some does.
  std::size_t StartsWith(const std::string& service) const;
  Seat SeatOf(const PassOutcome& outcome, const Grant& grant, Time now,
              std::set<InstanceId>& leaving) const;

  const Inventory& view_;
  SeatFilter filter_;
  std::unique_ptr<Scheduler> scheduler_;
  std::map<MachineId, HostIndex> hosts_;
  std::vector<MachineId> machine_of_;  // By host.
  Known known_;
  std::vector<InstanceId> ids_;            // By request.
  std::vector<RequestAccount> committed_;  // By request.
  std::map<std::string, std::uint32_t, std::less<>> groups_;
  std::set<std::string> bench_;
  std::map<InstanceId, RequestAccount> benched_;  // Who waits of those, as committed.
  bool reword_ = false;                           // Words mean other machines than before.
  std::set<std::string> moved_;  // Services with rules about where they are, which is another.
};

}  // namespace berth

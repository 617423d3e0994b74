// What an agent's view of a fleet promises: the risk of every machine, kept up to date with who is
// where, what was observed, and the time.
//
// Whoever arrives or leaves counts at once. Whoever outlived what it drew counts until the machine
// is refreshed, within the time that Follow is given.
//
// Within an epoch what is said of a machine changes only when somebody arrives there or leaves, is
// observed, outlives what it drew, or when the machine itself changes; every time it is touched in
// the view's journal. The instances of one request see those before them.
//
// With an epoch other models may come into use. Newcomers draw from them at once; machines as they
// change or are refreshed, within the time that Follow is given.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "allocate/outlook.h"
#include "oversub/demand_in_use.h"
#include "oversub/fleet_risk.h"
#include "oversub/held_out.h"
#include "oversub/newcomers.h"
#include "oversub/observed_usage.h"
#include "oversub/policy.h"

namespace berth {

// When the epoch after the one at hand begins.
Time NextEpochAfter(Time now, Duration length);

class FleetOutlook final : public Outlook {
 public:
  // For one view, from its beginning. What is drawn from and observed may be shared with others.
  FleetOutlook(std::shared_ptr<DemandInUse> demand, std::shared_ptr<ObservedUsage> observed,
               const OversubPolicy& policy);
  FleetOutlook(std::shared_ptr<const TraceLibrary> library, std::shared_ptr<ObservedUsage> observed,
               const OversubPolicy& policy)
      : FleetOutlook(std::make_shared<DemandInUse>(std::move(library)), std::move(observed),
                     policy) {}

  void Follow(Inventory& view, Time now, Duration late) override;
  bool Refresh(Inventory& view, std::uint32_t machines_max) override;
  void See(Inventory& view) override { Follow(view, followed_at_, followed_late_); }
  void Observe(const Instance& instance, const Resources& usage, Time at) override;

  std::uint64_t epoch() const override { return epoch_; }
  std::uint64_t KnownAs(const Instance& instance) const override;
  Resources Usage(MachineIndex machine) const override;
  Resources NewcomerUsage(const Traits& newcomer) const override;
  Risk RiskOf(const Traits& newcomer, MachineIndex machine) const override;
  bool StaysBelow(const Traits& newcomer, MachineIndex machine, std::uint32_t theta) const override;
  Unforeseen unforeseen() const override;
  bool IsHeldOut(MachineIndex machine) const override { return held_out_.Has(machine); }
  LoadWeights WeightsIn(ClusterIndex cluster) const override;

  // In how many futures the machine is violated as it is.
  std::uint32_t ViolationsOn(MachineIndex machine) const {
    return risks_.machine(Followed(machine)).violations();
  }
  const OversubPolicy& policy() const { return policy_; }
  const FleetRisk& risks() const { return risks_; }
  std::size_t bytes() const;

 private:
  struct Hosted {
    std::uint64_t key = 0;
    Time created{};
    Demand usage{};
    TenantClass tenant_class{};
    TenantRole role{};
    bool left_out = false;
    std::uint32_t arrival = 0;  // As the view has it.
  };
  struct Sample {
    InstanceId instance;
    Time created;  // Others may get its name until it is taken over.
    Resources usage;
    Time at;
  };
  struct Mirrored {
    MachineId name;
    Demand capacity;
    std::vector<Hosted> hosted;  // In the order of arrival.
    PerResource<std::uint64_t> usage;
    Step due = kForever;
    bool outdated = false;  // It draws from the library before.
  };
  struct Present {
    std::uint64_t key = 0;
    InstanceRef ref;
  };

  void UseLatestLibrary(Inventory& view, Time now);
  void BeginEpoch(const Inventory& view, Time now);
  void FollowRecords(const Inventory& view);
  void FollowObservations(Inventory& view);
  void FollowMachine(const Inventory& view, MachineIndex index);
  void RefreshMachine(Inventory& view, MachineIndex index);
  void RefreshDue(Inventory& view, Step until);
  void RefreshOutdated(Inventory& view, std::size_t machines_max);
  void Forget(MachineIndex index, const Thresholds& thresholds);
  void FollowInstances(const Inventory& view, MachineIndex index);
  void BringBackLeftOut(const Inventory& view, MachineIndex index);
  // Those that left, and those that came.
  void Dismiss(MachineIndex index);
  void Welcome(const Inventory& view, MachineIndex index);
  // Who is there as before, though its record changed.
  bool IsAsBefore(const Inventory& view, MachineIndex index, const Hosted& before,
                  const Present& one) const;
  HostedTenant TenantOf(const Instance& instance, Hosted& hosted) const;
  const Newcomer& DrawnFor(const Traits& newcomer) const;
  // Its number here. Asked of a machine that came after Follow, it has no answer.
  std::size_t Followed(MachineIndex machine) const;
  // Whether anything of the machine changed.
  bool TakeObservation(MachineIndex index, Hosted& hosted, const Instance& instance);
  void NoteDue(MachineIndex index);
  void NoteLoad(const Inventory& view, MachineIndex index);
  void ChooseHeldOut(Inventory& view, ClusterIndex cluster);

  std::shared_ptr<DemandInUse> demand_;
  std::shared_ptr<const TraceLibrary> library_;
  std::shared_ptr<const TraceLibrary> library_before_;  // While machines are outdated.
  std::shared_ptr<ObservedUsage> observed_;
  OversubPolicy policy_;
  Newcomers newcomers_;
  mutable FleetRisk risks_;  // Asking may use a profile, and changes nothing.
  HeldOut held_out_;
  std::vector<Mirrored> machines_;                // By index.
  std::set<std::pair<Step, std::uint32_t>> due_;  // When, and which machine.
  std::vector<std::uint32_t> outdated_;           // Machines; some may no longer be.
  Time outdated_since_;
  std::vector<Sample> to_observe_;    // Since the last Follow.
  std::vector<LoadWeights> weights_;  // By cluster.
  std::vector<ClusterIndex> changed_clusters_;
  // Of the machine at hand.
  std::vector<Hosted> left_;
  std::vector<Present> came_;
  std::uint64_t position_ = 0;  // In the view's journal.
  std::uint64_t epoch_ = 0;
  bool begun_ = false;
  Time followed_at_;
  Duration followed_late_{};
  Step now_ = 0;
  std::uint64_t left_out_ = 0;
};

}  // namespace berth

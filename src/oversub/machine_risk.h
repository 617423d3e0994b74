// How probable a violation is on one machine, kept while tenants come, go, age and grow.
//
// For every repetition and resource there is the headroom, the threshold less the greatest future
// load. It is kept between bounds that a change moves at once: it is at least `headrooms_`, of
// which whoever comes takes its maximum, and at most `margins_`, what is left at a moment at which
// the load was once greatest. A newcomer whose maximum is below the one fits; one that reaches the
// other at that moment does not. Only for the rest the load is worked out, and with it the
// headroom. The answers are those of violation.h, to the repetition.
//
// The loads themselves are a MachineProfile, ten times as large, which the caller may keep or not.
// With it headrooms are always known, and a change costs O(tenants) a repetition. Without it a
// change costs next to nothing, and a question that the bounds do not answer an EarlyLoad. Either
// way the answers are the same.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "oversub/early_load.h"
#include "oversub/load_profile.h"
#include "oversub/newcomer.h"
#include "oversub/violation.h"

namespace berth {

struct Risk {
  // Of the repetitions, in how many there is a violation.
  std::uint32_t before = 0;
  std::uint32_t after = 0;
  PerResource<std::uint32_t> after_of;  // By which resource; by several, perhaps.
};

class MachineRisk {
 public:
  // The library outlives it.
  MachineRisk(const TraceLibrary& library, const Thresholds& thresholds, std::uint32_t repetitions);

  std::uint32_t repetitions() const { return repetitions_; }
  std::size_t tenant_count() const { return present_.size(); }
  // In how many repetitions there is a violation, whatever is placed.
  std::uint32_t violations() const { return violations_; }
  // For how many tenants and repetitions no trace was eligible.
  std::uint64_t held_draws() const { return held_draws_; }

  // Until then nobody leaves or outlives what it drew, and Advance has nothing to do.
  Step DueAt() const { return due_at_; }
  // Time never goes back. What follows is as of this time.
  void Advance(Step now, MachineProfile* profile);

  // Its key is new here. It was created at or before now: a moved tenant keeps its age.
  void Insert(const HostedTenant& tenant, MachineProfile* profile);
  // The same for many onto a machine without a profile, at the cost of one.
  void InsertAll(std::span<const HostedTenant> tenants);
  // The tenant must be here.
  void Remove(std::uint64_t key, MachineProfile* profile);
  // More was seen of a tenant, or of more resources: traces that never need so much stand for it no
  // more, and what was seen is held in place of what was promised.
  void Observe(const HostedTenant& seen, MachineProfile* profile);

  // The newcomer was created at or before now. What it answers stays so until the next change of
  // the machine, or until it is due: between two departures time alone changes nothing.
  Risk Score(const Newcomer& newcomer, MachineProfile* profile);
  // Whether there is a violation with the newcomer in fewer repetitions than `limit`, which is
  // above 0: as Score has it, and known as soon as there are so many.
  bool StaysBelow(const Newcomer& newcomer, std::uint32_t limit, MachineProfile* profile);
  // Works out all headrooms, so that questions need not.
  void Tighten();

  // Another capacity.
  void SetThresholds(const Thresholds& thresholds);

  // A profile with what the machine has now; the changes that follow keep it so.
  MachineProfile NewProfile() const;
  // At least so much; just so much after Tighten, or with a profile.
  Load headroom(DemandResource resource, std::uint32_t repetition) const {
    return headrooms_[resource][repetition];
  }
  // The tenant must be here.
  const HostedTenant& tenant(std::uint64_t key) const { return tenants_[SlotOf(key)]; }
  std::size_t bytes() const;

 private:
  RepetitionDraws DrawsOf(std::uint32_t repetition) const;
  EarlyLoad::Tenants TenantsIn(std::uint32_t repetition) const;
  void DrawAll(TenantSlot slot);
  void ForgetDraw(TenantSlot slot, std::uint32_t repetition);
  void SetDraw(TenantSlot slot, std::uint32_t repetition, TraceIndex drawn);
  void LowerLeastPeak(TenantSlot slot, TraceIndex drawn);
  TenantSlot SlotOf(std::uint64_t key) const;
  TenantSlot NewSlot(const HostedTenant& tenant);
  // Draws anew for those that outlived what they drew, and puts them into the profile. `draws_now`
  // are those of all repetitions.
  void RedrawOutlived(std::uint32_t repetition, LoadProfile* kept,
                      std::map<TenantSlot, TraceDraws>& draws_now);
  // Of a machine without a profile: moves the bounds for a curve that comes, or goes.
  void Add(std::uint32_t repetition, const DemandCurve& curve);
  void TakeAway(std::uint32_t repetition, const DemandCurve& curve);
  // Takes the repetition's figures from its profile: the kept one, or what is built for this.
  void Summarise(std::uint32_t repetition, MachineProfile* kept, EarlyLoad& scratch);
  // How many tenants are still there, and when the first of them leaves.
  void TakeFigures(std::uint32_t repetition, const PerResource<LoadPeak>& peaks, std::size_t there,
                   Step first_end);
  void UpdateTotals();
  bool FitsAlways(const Newcomer& newcomer) const;
  // The repetitions in which headrooms do not tell that the newcomer fits.
  std::vector<std::uint32_t> TightFor(const Newcomer& newcomer) const;
  // Which resources a newcomer makes reach their threshold.
  enum class Answer : std::uint8_t { kFits, kReaches, kUnknown };
  Answer FromBounds(const Newcomer& newcomer, std::uint32_t repetition,
                    DemandResource resource) const;
  PerResource<bool> ReachesWith(const Newcomer& newcomer, std::uint32_t repetition,
                                MachineProfile* kept, EarlyLoad& scratch);

  const TraceLibrary* library_;
  Thresholds thresholds_;
  std::uint32_t repetitions_;
  Step now_ = INT32_MIN;
  Step due_at_ = kForever;
  std::uint32_t violations_ = 0;
  std::uint64_t held_draws_ = 0;

  std::vector<HostedTenant> tenants_;  // By slot.
  std::vector<TenantSlot> present_;
  std::vector<TenantSlot> free_slots_;
  DrawTable draws_;
  // By slot: no draw of the tenant has a lesser peak. Until more is seen all its draws stay.
  std::vector<Demand> least_peaks_;

  PerResource<std::vector<Load>> headrooms_;  // A repetition a lane.
  PerResource<Load> least_headroom_;          // Of them.
  PerResource<std::vector<Load>> margins_;    // The threshold less the load at this moment:
  PerResource<std::vector<Step>> binding_;
  std::vector<std::uint8_t> loose_;  // The headroom may be more than headrooms_.
  std::vector<Step> due_;
};

}  // namespace berth

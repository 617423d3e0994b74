// The future load of one machine in one repetition: at each departure, who leaves and how much is
// needed just before. By the argument of violation.h nothing else matters.
//
// Entries are by rising end. All tenants that are there at the i'th end are there until theirs, so
// they are the entries from the first of that end on. An insertion adds to the loads up to the
// newcomer's end and looks at those still growing there: O(tenants). A removal subtracts. Loads are
// whole numbers, so what was added is taken away exactly.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "oversub/demand_curve.h"
#include "oversub/draw_table.h"

namespace berth {

// What the tenants of one machine draw in one repetition.
struct RepetitionDraws {
  const TraceLibrary* library = nullptr;
  std::span<const HostedTenant> tenants;  // By slot.
  const DrawTable* draws = nullptr;
  std::uint32_t repetition = 0;

  TraceIndex Drawn(TenantSlot slot) const { return draws->At(slot, repetition); }
  DemandCurve Curve(TenantSlot slot) const { return CurveOf(*library, tenants[slot], Drawn(slot)); }
};

struct LoadPeak {
  Load load = 0;
  Step at = kForever;  // The first departure at which it is reached.
};

// A view of one repetition in a MachineProfile.
class LoadProfile {
 public:
  LoadProfile(std::uint32_t* size, Step* ends, Step* growth_ends, TenantSlot* slots,
              const PerResource<Load*>& loads)
      : size_(size), ends_(ends), growth_ends_(growth_ends), slots_(slots), loads_(loads) {}

  std::uint32_t size() const { return *size_; }
  // Of the next to leave.
  Step first_end() const { return ends_[0]; }

  // Anew from those of these tenants that are still there after now. O(tenants log tenants) and,
  // for each departure, one step for each tenant that still grows now.
  void Build(const RepetitionDraws& draws, std::span<const TenantSlot> present, Step now);
  // `draws` are those of the tenants already in it.
  void Insert(const DemandCurve& curve, TenantSlot slot, const RepetitionDraws& draws);
  // The curve is the one inserted.
  void Remove(const DemandCurve& curve, TenantSlot slot);
  // Forgets those that have left by now. The loads after now have nothing of theirs.
  void DropUntil(Step now);

  LoadPeak Peak(DemandResource resource) const;
  // Whether the resource reaches the threshold with this curve added.
  bool ReachesWith(const DemandCurve& added, DemandResource resource, Load threshold,
                   const RepetitionDraws& draws) const;

 private:
  // How many leave at or before the moment.
  std::uint32_t LeavingUntil(Step moment) const;
  // What is needed at a moment at which nobody leaves, by those that leave from the position on:
  // the load at the next end, less what they grow by until then.
  PerResource<Load> LoadsBetween(std::uint32_t position, Step moment,
                                 const RepetitionDraws& draws) const;
  PerResource<Load> LoadsAt(std::uint32_t position) const;
  void SetLoads(std::uint32_t position, const PerResource<Load>& loads);
  void OpenGap(std::uint32_t position);
  void CloseGap(std::uint32_t position, std::uint32_t count);

  std::uint32_t* size_;
  Step* ends_;
  Step* growth_ends_;
  TenantSlot* slots_;
  PerResource<Load*> loads_;
};

// The profiles of all repetitions of a machine, 34 bytes a tenant and repetition.
class MachineProfile {
 public:
  MachineProfile(std::uint32_t repetitions, std::uint32_t capacity);

  std::uint32_t capacity() const { return capacity_; }
  // Makes room for so many tenants, keeping what is there.
  void Reserve(std::uint32_t capacity);
  LoadProfile At(std::uint32_t repetition);
  std::size_t bytes() const;

 private:
  std::uint32_t repetitions_;
  std::uint32_t capacity_;
  std::vector<std::uint32_t> sizes_;
  std::vector<Step> ends_;
  std::vector<Step> growth_ends_;
  std::vector<TenantSlot> slots_;
  PerResource<std::vector<Load>> loads_;
};

}  // namespace berth

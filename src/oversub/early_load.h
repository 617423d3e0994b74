// The future load of one machine in one repetition, as far as it takes to answer a question.
// Departures are looked at in their order until those that are left, all grown, can change nothing
// any more: most leave after that. A LoadProfile has all of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "oversub/load_profile.h"

namespace berth {

class EarlyLoad {
 public:
  // Those of these tenants that are still there after now.
  struct Tenants {
    RepetitionDraws draws;
    std::span<const TenantSlot> present;
    Step now = 0;
  };

  struct Peaks {
    PerResource<LoadPeak> of;
    // How many are still there, and when the first of them leaves.
    std::size_t size = 0;
    Step first_end = kForever;
  };
  Peaks FindPeaks(const Tenants& tenants);

  // Whether resources reach their threshold while the newcomer is there, which is now at least; of
  // those asked for.
  PerResource<bool> ReachesWith(const Tenants& tenants, const DemandCurve& newcomer,
                                const PerResource<Load>& thresholds,
                                const PerResource<bool>& asked);

 private:
  // Tells those that are there apart: who still grows, and who needs its maximum.
  void Meet(const Tenants& tenants);
  Step NextDeparture() const;
  void Dismiss(const RepetitionDraws& draws, Step departure);
  // Of those not dismissed.
  PerResource<Load> LoadsAt(Step moment) const;

  std::vector<std::uint64_t> by_end_;  // The end and, below it, the slot: a heap, the first on top.
  std::vector<DemandCurve> growing_;
  std::vector<TenantSlot> growing_slots_;
  PerResource<Load> settled_;  // What those need together that do not grow.
  PerResource<Load> grown_;    // What the others need, once grown.
};

}  // namespace berth

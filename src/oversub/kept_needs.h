// What tenants come to need in every repetition, kept from step to step: the maxima of the traces
// that they draw.
//
// A draw stays for as long as it is in D(db) (trace_library.h). For most tenants all draws stay
// from one step to the next, which bounds over them tell at once. Only of the others the draws are
// looked at, and those that are over are drawn anew.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "oversub/hosted_tenant.h"
#include "oversub/trace_library.h"

namespace berth {

using NeedLane = std::int32_t;
inline constexpr std::uint32_t kNeedLanesTogether = 8;
// How many lanes hold so many repetitions: the last ones are padding.
constexpr std::size_t NeedLanesFor(std::uint32_t repetitions) {
  return (std::size_t{repetitions} + kNeedLanesTogether - 1) / kNeedLanesTogether *
         kNeedLanesTogether;
}

// Writes what a tenant needs with what it drew, one resource after the other, each of as many lanes
// as there are to its repetitions. Returns the greatest of each.
PerResource<NeedLane> WriteNeeds(const TraceLibrary& library, const HostedTenant& tenant,
                                 std::span<const TraceIndex> drawn, std::span<NeedLane> lanes);

struct TenantNeeds {
  std::vector<NeedLane> lanes;  // As WriteNeeds has them.
  PerResource<NeedLane> greatest;
};

class KeptNeeds {
 public:
  // The library outlives it.
  KeptNeeds(const TraceLibrary& library, std::uint32_t repetitions)
      : library_(library), repetitions_(repetitions) {}

  std::uint32_t repetitions() const { return repetitions_; }
  // Valid until the next call. Time never goes back, and of a tenant no less was seen than before.
  const TenantNeeds& Of(const HostedTenant& tenant, Step now);
  // Those who were last asked about before that time.
  void ForgetBefore(Step time);

 private:
  struct Kept {
    std::vector<TraceIndex> drawn;
    // All draws stay until after this time, and until more is seen than this.
    Step least_end = 0;
    Demand least_peak;
    Demand promised;  // As of then.
    Step asked_at = 0;
    TenantNeeds needs;
  };
  void Draw(const HostedTenant& tenant, Step now, Kept& kept) const;

  const TraceLibrary& library_;
  std::uint32_t repetitions_;
  std::unordered_map<std::uint64_t, Kept> kept_;  // By the tenant's key.
};

}  // namespace berth

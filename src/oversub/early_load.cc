#include "oversub/early_load.h"

#include <algorithm>
#include <functional>

#include "berth/check.h"

namespace berth {
namespace {

// What a draw comes to, without the way there.
struct Outline {
  Step end = kForever;
  Step growth_end = 0;
  Demand maximum;
};

Outline OutlineOf(const RepetitionDraws& draws, TenantSlot slot) {
  const HostedTenant& tenant = draws.tenants[slot];
  const TraceIndex drawn = draws.Drawn(slot);
  if (drawn == kNoTrace) return {kForever, tenant.creation, tenant.Held()};
  const DemandModel& model = draws.library->model(drawn);
  return {tenant.creation + model.lifetime,
          tenant.creation + std::max(model.memory.growth_steps, model.disk.growth_steps),
          {model.cpu_p90, model.memory.maximum, model.disk.maximum}};
}

PerResource<Load> ToLoads(const Demand& demand) {
  using enum DemandResource;
  return {ToLoad(demand[kCpu]), ToLoad(demand[kMemory]), ToLoad(demand[kDisk])};
}

Step EndOf(std::uint64_t entry) { return static_cast<Step>(entry >> 32); }

}  // namespace

EarlyLoad::Peaks EarlyLoad::FindPeaks(const Tenants& tenants) {
  Meet(tenants);
  Peaks peaks;
  peaks.size = by_end_.size();
  if (by_end_.empty()) return peaks;
  peaks.first_end = NextDeparture();
  for (bool all_known = false; !all_known && !by_end_.empty();) {
    const Step departure = NextDeparture();
    const PerResource<Load> load = LoadsAt(departure);
    Dismiss(tenants.draws, departure);
    all_known = true;
    for (const DemandResource r : kAllDemandResources) {
      LoadPeak& peak = peaks.of[r];
      if (departure == peaks.first_end || load[r] > peak.load) peak = {load[r], departure};
      if (settled_[r] + grown_[r] > peak.load) all_known = false;
    }
  }
  return peaks;
}

PerResource<bool> EarlyLoad::ReachesWith(const Tenants& tenants, const DemandCurve& newcomer,
                                         const PerResource<Load>& thresholds,
                                         const PerResource<bool>& asked) {
  BERTH_CHECK(newcomer.end >= tenants.now);
  Meet(tenants);
  PerResource<bool> reaches;
  const auto add_newcomer = [&](Step moment) {
    const PerResource<Load> load = LoadsAt(moment);
    for (const DemandResource r : kAllDemandResources) {
      if (load[r] + newcomer.At(r, moment) >= thresholds[r]) reaches[r] = true;
    }
  };
  while (!by_end_.empty() && NextDeparture() <= newcomer.end) {
    const Step departure = NextDeparture();
    add_newcomer(departure);
    Dismiss(tenants.draws, departure);
    const bool all_known = std::ranges::all_of(kAllDemandResources, [&](DemandResource r) {
      return !asked[r] || reaches[r] ||
             settled_[r] + grown_[r] + newcomer.Maximum(r) < thresholds[r];
    });
    if (all_known) return reaches;
  }
  add_newcomer(newcomer.end);
  return reaches;
}

Step EarlyLoad::NextDeparture() const { return EndOf(by_end_.front()); }

void EarlyLoad::Meet(const Tenants& tenants) {
  by_end_.clear();
  growing_.clear();
  growing_slots_.clear();
  grown_ = {};
  PerResource<std::uint64_t> settled;
  for (const TenantSlot slot : tenants.present) {
    const Outline outline = OutlineOf(tenants.draws, slot);
    if (outline.end <= tenants.now) continue;
    by_end_.push_back(static_cast<std::uint64_t>(outline.end) << 32 | slot);
    if (outline.growth_end > tenants.now) {
      growing_.push_back(tenants.draws.Curve(slot));
      growing_slots_.push_back(slot);
      grown_ = grown_ + ToLoads(outline.maximum);
    } else {
      for (const DemandResource r : kAllDemandResources) settled[r] += outline.maximum[r];
    }
  }
  for (const DemandResource r : kAllDemandResources) {
    settled_[r] = kLoadUnit * static_cast<Load>(settled[r]);
  }
  std::ranges::make_heap(by_end_, std::greater());
}

void EarlyLoad::Dismiss(const RepetitionDraws& draws, Step departure) {
  while (!by_end_.empty() && EndOf(by_end_.front()) == departure) {
    const auto slot = static_cast<TenantSlot>(by_end_.front());
    std::ranges::pop_heap(by_end_, std::greater());
    by_end_.pop_back();
    const PerResource<Load> maximum = ToLoads(OutlineOf(draws, slot).maximum);
    const auto grows = std::ranges::find(growing_slots_, slot);
    if (grows == growing_slots_.end()) {
      settled_ = settled_ - maximum;
      continue;
    }
    grown_ = grown_ - maximum;
    growing_[static_cast<std::size_t>(grows - growing_slots_.begin())] = growing_.back();
    growing_.pop_back();
    *grows = growing_slots_.back();
    growing_slots_.pop_back();
  }
}

PerResource<Load> EarlyLoad::LoadsAt(Step moment) const {
  PerResource<Load> load = settled_;
  for (const DemandCurve& curve : growing_) {
    using enum DemandResource;
    const auto age = static_cast<Load>(moment) - curve.creation;
    load[kCpu] += curve.cpu;
    load[kMemory] +=
        std::min(curve.memory.maximum, curve.memory.initial + age * curve.memory.slope);
    load[kDisk] += std::min(curve.disk.maximum, curve.disk.initial + age * curve.disk.slope);
  }
  return load;
}

}  // namespace berth

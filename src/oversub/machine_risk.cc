#include "oversub/machine_risk.h"

#include <algorithm>
#include <optional>

#include "berth/check.h"

namespace berth {
namespace {

constexpr Demand kNoLeastPeak(UINT32_MAX, UINT32_MAX, UINT32_MAX);

}  // namespace

// One repetition's profile, for a machine whose profile is not kept.
struct MachineRisk::Scratch {
  std::optional<MachineProfile> profile;

  LoadProfile Build(const MachineRisk& machine, std::uint32_t repetition) {
    if (!profile) profile.emplace(1, static_cast<std::uint32_t>(machine.present_.size()));
    LoadProfile built = profile->At(0);
    built.Build(machine.DrawsOf(repetition), machine.present_, machine.now_);
    return built;
  }
};

MachineRisk::MachineRisk(const TraceLibrary& library, const Thresholds& thresholds,
                         std::uint32_t repetitions)
    : library_(&library), thresholds_(thresholds), repetitions_(repetitions) {
  BERTH_CHECK(repetitions > 0);
  for (const DemandResource r : kAllDemandResources) {
    headrooms_[r].assign(repetitions, thresholds[r]);
    least_headroom_[r] = thresholds[r];
    binding_[r].assign(repetitions, kForever);
  }
  loose_.assign(repetitions, 0);
  due_.assign(repetitions, kForever);
}

void MachineRisk::Advance(Step now, MachineProfile* profile) {
  BERTH_CHECK(now >= now_);
  now_ = now;
  if (now < due_at_) return;
  Scratch scratch;
  for (std::uint32_t repetition = 0; repetition < repetitions_; ++repetition) {
    if (due_[repetition] > now) continue;
    if (profile == nullptr) {
      RedrawOutlived(repetition, nullptr);
    } else {
      LoadProfile kept = profile->At(repetition);
      kept.DropUntil(now);
      RedrawOutlived(repetition, &kept);
      Summarise(repetition, profile, scratch);
    }
  }
  UpdateTotals();
}

void MachineRisk::RedrawOutlived(std::uint32_t repetition, LoadProfile* kept) {
  const RepetitionDraws draws = DrawsOf(repetition);
  Step due = kForever;
  loose_[repetition] = 1;  // The load was perhaps greatest at a time that is over.
  for (const TenantSlot slot : present_) {
    Step end = draws.Curve(slot).end;
    if (end < now_) {
      SetDraw(slot, repetition, library_->Draw(tenants_[slot], now_, repetition));
      const DemandCurve curve = draws.Curve(slot);
      end = curve.end;
      if (kept == nullptr) {
        Loosen(repetition, curve);
      } else if (end > now_) {
        kept->Insert(curve, slot, draws);
      }
    }
    due = std::min(due, end > now_ ? end : now_ + 1);
  }
  due_[repetition] = due;
}

void MachineRisk::Loosen(std::uint32_t repetition, const DemandCurve& curve) {
  loose_[repetition] = 1;
  if (curve.end <= now_) {
    due_[repetition] = std::min(due_[repetition], now_ + 1);
    return;
  }
  for (const DemandResource r : kAllDemandResources) headrooms_[r][repetition] -= curve.Maximum(r);
  due_[repetition] = std::min(due_[repetition], curve.end);
}

void MachineRisk::Tighten() {
  Scratch scratch;
  for (std::uint32_t repetition = 0; repetition < repetitions_; ++repetition) {
    if (loose_[repetition] != 0) Summarise(repetition, nullptr, scratch);
  }
  UpdateTotals();
}

void MachineRisk::Insert(const HostedTenant& tenant, MachineProfile* profile) {
  BERTH_CHECK(tenant.creation <= now_ && present_.size() < kTenantsPerMachineMax);
  const TenantSlot slot = NewSlot(tenant);
  if (profile != nullptr && present_.size() > profile->capacity()) {
    profile->Reserve(static_cast<std::uint32_t>(present_.size() + present_.size() / 4));
  }
  // All draws first: each misses the cache, and so they do it together.
  for (std::uint32_t repetition = 0; repetition < repetitions_; ++repetition) {
    SetDraw(slot, repetition, library_->Draw(tenant, now_, repetition));
  }
  Scratch scratch;
  for (std::uint32_t repetition = 0; repetition < repetitions_; ++repetition) {
    const RepetitionDraws draws = DrawsOf(repetition);
    const DemandCurve curve = draws.Curve(slot);
    if (profile == nullptr) {
      Loosen(repetition, curve);
      continue;
    }
    if (curve.end > now_) profile->At(repetition).Insert(curve, slot, draws);
    Summarise(repetition, profile, scratch);
  }
  UpdateTotals();
}

void MachineRisk::InsertAll(std::span<const HostedTenant> tenants) {
  // What is asked for is what is taken: of a fleet, half as much again is much.
  const std::size_t slots = tenants_.size() + tenants.size();
  tenants_.reserve(slots);
  draws_.reserve(slots * repetitions_);
  for (const HostedTenant& tenant : tenants) {
    BERTH_CHECK(tenant.creation <= now_ && present_.size() < kTenantsPerMachineMax);
    const TenantSlot slot = NewSlot(tenant);
    for (std::uint32_t repetition = 0; repetition < repetitions_; ++repetition) {
      SetDraw(slot, repetition, library_->Draw(tenant, now_, repetition));
    }
  }
  Scratch scratch;
  for (std::uint32_t repetition = 0; repetition < repetitions_; ++repetition) {
    Summarise(repetition, nullptr, scratch);
  }
  UpdateTotals();
}

void MachineRisk::Remove(std::uint64_t key, MachineProfile* profile) {
  const TenantSlot slot = SlotOf(key);
  std::erase(present_, slot);
  free_slots_.push_back(slot);
  Scratch scratch;
  for (std::uint32_t repetition = 0; repetition < repetitions_; ++repetition) {
    if (profile == nullptr) {
      loose_[repetition] = 1;
      SetDraw(slot, repetition, TraceIndex{});
      continue;
    }
    const DemandCurve curve = DrawsOf(repetition).Curve(slot);
    if (curve.end > now_) profile->At(repetition).Remove(curve, slot);
    SetDraw(slot, repetition, TraceIndex{});
    Summarise(repetition, profile, scratch);
  }
  UpdateTotals();
}

void MachineRisk::Observe(std::uint64_t key, const Demand& seen, MachineProfile* profile) {
  const TenantSlot slot = SlotOf(key);
  const HostedTenant before = tenants_[slot];
  if (Covers(before.observed_peak, seen)) return;
  tenants_[slot].observed_peak = Greater(before.observed_peak, seen);
  if (Covers(least_peaks_[slot], seen)) return;
  least_peaks_[slot] = kNoLeastPeak;
  Scratch scratch;
  for (std::uint32_t repetition = 0; repetition < repetitions_; ++repetition) {
    const TraceIndex drawn = DrawOf(slot, repetition);
    if (drawn != kNoTrace && TraceLibrary::Eligible(library_->model(drawn), tenants_[slot], now_)) {
      LowerLeastPeak(slot, drawn);
      continue;
    }
    const DemandCurve old = CurveOf(*library_, before, drawn);
    SetDraw(slot, repetition, library_->Draw(tenants_[slot], now_, repetition));
    if (profile == nullptr) {
      Loosen(repetition, DrawsOf(repetition).Curve(slot));
      continue;
    }
    LoadProfile kept = profile->At(repetition);
    if (old.end > now_) kept.Remove(old, slot);
    const RepetitionDraws draws = DrawsOf(repetition);
    const DemandCurve curve = draws.Curve(slot);
    if (curve.end > now_) kept.Insert(curve, slot, draws);
    Summarise(repetition, profile, scratch);
  }
  UpdateTotals();
}

Risk MachineRisk::Score(const Newcomer& newcomer, MachineProfile* profile) {
  BERTH_CHECK(newcomer.repetitions() == repetitions_);
  using enum DemandResource;
  if (newcomer.greatest(kCpu) < least_headroom_[kCpu] &&
      newcomer.greatest(kMemory) < least_headroom_[kMemory] &&
      newcomer.greatest(kDisk) < least_headroom_[kDisk]) {
    return {};  // Fits in every repetition.
  }
  const Load* const room[] = {headrooms_[kCpu].data(), headrooms_[kMemory].data(),
                              headrooms_[kDisk].data()};
  const Load* const need[] = {newcomer.maxima(kCpu).data(), newcomer.maxima(kMemory).data(),
                              newcomer.maxima(kDisk).data()};
  Risk risk{.before = violations_, .after = 0, .after_of = {}};
  Scratch scratch;
  bool tightened = false;
  for (std::uint32_t i = 0; i < repetitions_; ++i) {
    const bool fits = static_cast<bool>(static_cast<int>(need[0][i] < room[0][i]) &
                                        static_cast<int>(need[1][i] < room[1][i]) &
                                        static_cast<int>(need[2][i] < room[2][i]));
    if (fits) [[likely]] {
      continue;
    }
    if (loose_[i] != 0) {
      Summarise(i, profile, scratch);
      tightened = true;
    }
    bool violates = false;
    for (const DemandResource r : kAllDemandResources) {
      if (!ReachesWith(newcomer, i, r, profile, scratch)) continue;
      violates = true;
      ++risk.after_of[r];
    }
    if (violates) ++risk.after;
  }
  if (tightened) UpdateTotals();
  return risk;
}

bool MachineRisk::ReachesWith(const Newcomer& newcomer, std::uint32_t repetition,
                              DemandResource resource, MachineProfile* kept, Scratch& scratch) {
  const Load headroom = headrooms_[resource][repetition];
  if (headroom <= 0) return true;
  const DemandCurve& curve = newcomer.curve(repetition);
  if (newcomer.maxima(resource)[repetition] < headroom) return false;
  if (curve.At(resource, binding_[resource][repetition]) >= headroom) return true;
  const LoadProfile profile =
      kept != nullptr ? kept->At(repetition) : scratch.Build(*this, repetition);
  return profile.ReachesWith(curve, resource, thresholds_[resource], DrawsOf(repetition));
}

void MachineRisk::SetThresholds(const Thresholds& thresholds) {
  for (const DemandResource r : kAllDemandResources) {
    for (Load& headroom : headrooms_[r]) headroom += thresholds[r] - thresholds_[r];
  }
  thresholds_ = thresholds;
  UpdateTotals();
}

MachineProfile MachineRisk::NewProfile() const {
  const auto count = static_cast<std::uint32_t>(present_.size());
  MachineProfile profile(repetitions_, std::max(count + count / 4, 8U));
  for (std::uint32_t repetition = 0; repetition < repetitions_; ++repetition) {
    profile.At(repetition).Build(DrawsOf(repetition), present_, now_);
  }
  return profile;
}

void MachineRisk::Summarise(std::uint32_t repetition, MachineProfile* kept, Scratch& scratch) {
  const LoadProfile profile =
      kept != nullptr ? kept->At(repetition) : scratch.Build(*this, repetition);
  for (const DemandResource r : kAllDemandResources) {
    const LoadPeak peak = profile.Peak(r);
    headrooms_[r][repetition] = thresholds_[r] - peak.load;
    binding_[r][repetition] = peak.at;
  }
  loose_[repetition] = 0;
  // Who is not in the profile drew a trace that ends now, and outlives it with the next step.
  if (profile.size() < present_.size()) {
    due_[repetition] = now_ + 1;
  } else {
    due_[repetition] = profile.size() == 0 ? kForever : profile.first_end();
  }
}

void MachineRisk::UpdateTotals() {
  Scratch scratch;
  const auto least = [&](std::uint32_t i) {
    using enum DemandResource;
    return std::min({headrooms_[kCpu][i], headrooms_[kMemory][i], headrooms_[kDisk][i]});
  };
  violations_ = 0;
  for (std::uint32_t i = 0; i < repetitions_; ++i) {
    if (least(i) > 0) continue;
    if (loose_[i] != 0) Summarise(i, nullptr, scratch);
    if (least(i) <= 0) ++violations_;
  }
  for (const DemandResource r : kAllDemandResources) {
    least_headroom_[r] = *std::ranges::min_element(headrooms_[r]);
  }
  due_at_ = *std::ranges::min_element(due_);
}

RepetitionDraws MachineRisk::DrawsOf(std::uint32_t repetition) const {
  return {.library = library_,
          .tenants = tenants_,
          .draws = draws_,
          .repetitions = repetitions_,
          .repetition = repetition};
}

TraceIndex& MachineRisk::DrawOf(TenantSlot slot, std::uint32_t repetition) {
  return draws_[std::size_t{slot} * repetitions_ + repetition];
}

void MachineRisk::SetDraw(TenantSlot slot, std::uint32_t repetition, TraceIndex drawn) {
  TraceIndex& kept = DrawOf(slot, repetition);
  if (kept == kNoTrace) --held_draws_;
  if (drawn == kNoTrace) ++held_draws_;
  kept = drawn;
  LowerLeastPeak(slot, drawn);
}

void MachineRisk::LowerLeastPeak(TenantSlot slot, TraceIndex drawn) {
  // Who has no trace holds his observed peak, and so changes with it.
  const Demand peak = drawn == kNoTrace ? Demand() : library_->model(drawn).Peak();
  for (const DemandResource r : kAllDemandResources) {
    least_peaks_[slot][r] = std::min(least_peaks_[slot][r], peak[r]);
  }
}

TenantSlot MachineRisk::SlotOf(std::uint64_t key) const {
  const auto found =
      std::ranges::find_if(present_, [&](TenantSlot slot) { return tenants_[slot].key == key; });
  BERTH_CHECK(found != present_.end());
  return *found;
}

TenantSlot MachineRisk::NewSlot(const HostedTenant& tenant) {
  TenantSlot slot{};
  if (free_slots_.empty()) {
    slot = static_cast<TenantSlot>(tenants_.size());
    tenants_.push_back(tenant);
    draws_.resize(draws_.size() + repetitions_);
    least_peaks_.emplace_back();
  } else {
    slot = free_slots_.back();
    free_slots_.pop_back();
    tenants_[slot] = tenant;
  }
  least_peaks_[slot] = kNoLeastPeak;
  present_.push_back(slot);
  return slot;
}

std::size_t MachineRisk::bytes() const {
  return sizeof(*this) + tenants_.capacity() * sizeof(HostedTenant) +
         (present_.capacity() + free_slots_.capacity()) * sizeof(TenantSlot) +
         draws_.capacity() * sizeof(TraceIndex) + least_peaks_.capacity() * sizeof(Demand) +
         repetitions_ * (kDemandResourceCount * (sizeof(Load) + sizeof(Step)) + sizeof(Step));
}

}  // namespace berth

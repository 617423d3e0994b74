#include "oversub/machine_risk.h"

#include <algorithm>

#include "berth/check.h"

namespace berth {
namespace {

constexpr Demand kNoLeastPeak(UINT32_MAX, UINT32_MAX, UINT32_MAX);
// Who has no trace holds what was seen of him, and so changes with it.
constexpr Demand kPeakOfHeld;
// So many repetitions are compared at once.
constexpr std::uint32_t kComparedTogether = 8;

}  // namespace

MachineRisk::MachineRisk(const TraceLibrary& library, const Thresholds& thresholds,
                         std::uint32_t repetitions)
    : library_(&library), thresholds_(thresholds), repetitions_(repetitions), draws_(repetitions) {
  BERTH_CHECK(repetitions > 0);
  for (const DemandResource r : kAllDemandResources) {
    headrooms_[r].assign(repetitions, thresholds[r]);
    least_headroom_[r] = thresholds[r];
    margins_[r].assign(repetitions, thresholds[r]);
    binding_[r].assign(repetitions, kForever);
  }
  loose_.assign(repetitions, 0);
  due_.assign(repetitions, kForever);
}

void MachineRisk::Advance(Step now, MachineProfile* profile) {
  BERTH_CHECK(now >= now_);
  now_ = now;
  if (now < due_at_) return;
  std::map<TenantSlot, TraceDraws> draws_now;
  EarlyLoad scratch;
  for (std::uint32_t repetition = 0; repetition < repetitions_; ++repetition) {
    if (due_[repetition] > now) continue;
    if (profile == nullptr) {
      RedrawOutlived(repetition, nullptr, draws_now);
    } else {
      LoadProfile kept = profile->At(repetition);
      kept.DropUntil(now);
      RedrawOutlived(repetition, &kept, draws_now);
      Summarise(repetition, profile, scratch);
    }
  }
  UpdateTotals();
}

void MachineRisk::RedrawOutlived(std::uint32_t repetition, LoadProfile* kept,
                                 std::map<TenantSlot, TraceDraws>& draws_now) {
  const RepetitionDraws draws = DrawsOf(repetition);
  Step due = kForever;
  loose_[repetition] = 1;  // The load was perhaps greatest at a time that is over.
  for (const DemandResource r : kAllDemandResources) {
    if (binding_[r][repetition] > now_) continue;
    binding_[r][repetition] = kForever;
    margins_[r][repetition] = thresholds_[r];
  }
  for (const TenantSlot slot : present_) {
    Step end = draws.Curve(slot).end;
    if (end < now_) {
      TraceDraws& anew = draws_now.try_emplace(slot, *library_, tenants_[slot], now_).first->second;
      SetDraw(slot, repetition, anew.In(repetition));
      const DemandCurve curve = draws.Curve(slot);
      end = curve.end;
      if (kept == nullptr) {
        Add(repetition, curve);
      } else if (end > now_) {
        kept->Insert(curve, slot, draws);
      }
    }
    due = std::min(due, end > now_ ? end : now_ + 1);
  }
  due_[repetition] = due;
}

void MachineRisk::Add(std::uint32_t repetition, const DemandCurve& curve) {
  if (curve.end <= now_) {
    due_[repetition] = std::min(due_[repetition], now_ + 1);
    return;
  }
  for (const DemandResource r : kAllDemandResources) {
    const Load then = curve.At(r, binding_[r][repetition]);
    headrooms_[r][repetition] -= curve.Maximum(r);
    margins_[r][repetition] -= then;
    if (then != curve.Maximum(r)) loose_[repetition] = 1;
  }
  due_[repetition] = std::min(due_[repetition], curve.end);
}

void MachineRisk::TakeAway(std::uint32_t repetition, const DemandCurve& curve) {
  loose_[repetition] = 1;
  if (curve.end <= now_) return;
  for (const DemandResource r : kAllDemandResources) {
    margins_[r][repetition] += curve.At(r, binding_[r][repetition]);
  }
}

void MachineRisk::Tighten() {
  EarlyLoad scratch;
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
  DrawAll(slot);
  EarlyLoad scratch;
  for (std::uint32_t repetition = 0; repetition < repetitions_; ++repetition) {
    const RepetitionDraws draws = DrawsOf(repetition);
    const DemandCurve curve = draws.Curve(slot);
    if (profile == nullptr) {
      Add(repetition, curve);
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
  draws_.Reserve(slots);
  for (const HostedTenant& tenant : tenants) {
    BERTH_CHECK(tenant.creation <= now_ && present_.size() < kTenantsPerMachineMax);
    DrawAll(NewSlot(tenant));
  }
  EarlyLoad scratch;
  for (std::uint32_t repetition = 0; repetition < repetitions_; ++repetition) {
    Summarise(repetition, nullptr, scratch);
  }
  UpdateTotals();
}

void MachineRisk::Remove(std::uint64_t key, MachineProfile* profile) {
  const TenantSlot slot = SlotOf(key);
  std::erase(present_, slot);
  free_slots_.push_back(slot);
  EarlyLoad scratch;
  for (std::uint32_t repetition = 0; repetition < repetitions_; ++repetition) {
    const DemandCurve curve = DrawsOf(repetition).Curve(slot);
    ForgetDraw(slot, repetition);
    if (profile == nullptr) {
      TakeAway(repetition, curve);
      continue;
    }
    if (curve.end > now_) profile->At(repetition).Remove(curve, slot);
    Summarise(repetition, profile, scratch);
  }
  UpdateTotals();
}

void MachineRisk::Observe(const HostedTenant& seen, MachineProfile* profile) {
  const TenantSlot slot = SlotOf(seen.key);
  const HostedTenant before = tenants_[slot];
  HostedTenant& tenant = tenants_[slot];
  tenant.observed_peak = Greater(before.observed_peak, seen.observed_peak);
  tenant.promised = seen.promised;
  const bool may_hold = least_peaks_[slot] == kPeakOfHeld;
  const bool holds_more_or_less = may_hold && tenant.Held() != before.Held();
  if (Covers(least_peaks_[slot], tenant.observed_peak) && !holds_more_or_less) return;
  least_peaks_[slot] = kNoLeastPeak;
  TraceDraws anew(*library_, tenant, now_);
  EarlyLoad scratch;
  for (std::uint32_t repetition = 0; repetition < repetitions_; ++repetition) {
    const TraceIndex drawn = draws_.At(slot, repetition);
    if (drawn != kNoTrace && TraceLibrary::Eligible(library_->model(drawn), tenant, now_)) {
      LowerLeastPeak(slot, drawn);
      continue;
    }
    const DemandCurve old = CurveOf(*library_, before, drawn);
    SetDraw(slot, repetition, anew.In(repetition));
    if (profile == nullptr) {
      TakeAway(repetition, old);
      Add(repetition, DrawsOf(repetition).Curve(slot));
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

bool MachineRisk::FitsAlways(const Newcomer& newcomer) const {
  using enum DemandResource;
  return newcomer.greatest(kCpu) < least_headroom_[kCpu] &&
         newcomer.greatest(kMemory) < least_headroom_[kMemory] &&
         newcomer.greatest(kDisk) < least_headroom_[kDisk];
}

// What is left where least is left of the three: compared without a call or a branch, many at once,
// before anything is worked out. Of most there is enough.
std::vector<std::uint32_t> MachineRisk::TightFor(const Newcomer& newcomer) const {
  using enum DemandResource;
  const auto lesser = [](Load a, Load b) { return a < b ? a : b; };
  const auto left = [&](DemandResource r, std::uint32_t begin) {
    return [room = headrooms_[r].data() + begin, need = newcomer.maxima(r).data() + begin](
               std::uint32_t lane) { return room[lane] - need[lane]; };
  };
  std::vector<std::uint32_t> tight;
  std::uint32_t begin = 0;
  for (; begin + kComparedTogether <= repetitions_; begin += kComparedTogether) {
    const auto cpu = left(kCpu, begin);
    const auto memory = left(kMemory, begin);
    const auto disk = left(kDisk, begin);
    Load of_all[kComparedTogether];
    for (std::uint32_t lane = 0; lane < kComparedTogether; ++lane) {
      of_all[lane] = lesser(lesser(cpu(lane), memory(lane)), disk(lane));
    }
    Load least[kComparedTogether / 2];
    static_assert(std::size(least) == 4);
    for (std::uint32_t lane = 0; lane < kComparedTogether / 2; ++lane) {
      least[lane] = lesser(of_all[lane], of_all[lane + kComparedTogether / 2]);
    }
    if (lesser(lesser(least[0], least[1]), lesser(least[2], least[3])) > 0) [[likely]] {
      continue;
    }
    if (tight.empty()) tight.reserve(repetitions_);
    for (std::uint32_t lane = 0; lane < kComparedTogether; ++lane) {
      if (of_all[lane] <= 0) tight.push_back(begin + lane);
    }
  }
  for (; begin < repetitions_; ++begin) {
    const auto of = [&](DemandResource r) { return left(r, begin)(0); };
    if (std::min({of(kCpu), of(kMemory), of(kDisk)}) <= 0) tight.push_back(begin);
  }
  return tight;
}

bool MachineRisk::StaysBelow(const Newcomer& newcomer, std::uint32_t limit,
                             MachineProfile* profile) {
  BERTH_CHECK(newcomer.repetitions() == repetitions_ && limit > 0);
  if (violations_ >= limit) return false;
  if (FitsAlways(newcomer)) return true;
  // What bounds tell comes first: it may do.
  std::vector<std::uint32_t> unknown;
  std::uint32_t count = 0;
  for (const std::uint32_t i : TightFor(newcomer)) {
    bool reaches = false;
    bool known = true;
    for (const DemandResource r : kAllDemandResources) {
      if (newcomer.maxima(r)[i] < headrooms_[r][i]) continue;
      const Answer answer = FromBounds(newcomer, i, r);
      reaches = reaches || answer == Answer::kReaches;
      known = known && answer != Answer::kUnknown;
    }
    if (reaches && ++count == limit) return false;
    if (!reaches && !known) unknown.push_back(i);
  }
  EarlyLoad scratch;
  for (const std::uint32_t i : unknown) {
    const bool reaches = ReachesWith(newcomer, i, profile, scratch) != PerResource<bool>();
    if (reaches && ++count == limit) return false;
  }
  return true;
}

Risk MachineRisk::Score(const Newcomer& newcomer, MachineProfile* profile) {
  BERTH_CHECK(newcomer.repetitions() == repetitions_);
  if (FitsAlways(newcomer)) return {};
  Risk risk{.before = violations_, .after = 0, .after_of = {}};
  EarlyLoad scratch;
  for (const std::uint32_t i : TightFor(newcomer)) {
    const PerResource<bool> reaches = ReachesWith(newcomer, i, profile, scratch);
    for (const DemandResource r : kAllDemandResources) risk.after_of[r] += reaches[r] ? 1U : 0U;
    if (reaches != PerResource<bool>()) ++risk.after;
  }
  return risk;
}

PerResource<bool> MachineRisk::ReachesWith(const Newcomer& newcomer, std::uint32_t repetition,
                                           MachineProfile* kept, EarlyLoad& scratch) {
  const DemandCurve& curve = newcomer.curve(repetition);
  const auto ask_bounds = [&] {
    return PerResource<Answer>(FromBounds(newcomer, repetition, DemandResource::kCpu),
                               FromBounds(newcomer, repetition, DemandResource::kMemory),
                               FromBounds(newcomer, repetition, DemandResource::kDisk));
  };
  const auto any_unknown = [](const PerResource<Answer>& answers) {
    return std::ranges::any_of(kAllDemandResources,
                               [&](DemandResource r) { return answers[r] == Answer::kUnknown; });
  };
  PerResource<Answer> answers = ask_bounds();
  if (loose_[repetition] != 0 && any_unknown(answers)) {
    Summarise(repetition, kept, scratch);
    answers = ask_bounds();
  }
  PerResource<bool> reaches;
  PerResource<bool> asked;
  for (const DemandResource r : kAllDemandResources) {
    reaches[r] = answers[r] == Answer::kReaches;
    asked[r] = answers[r] == Answer::kUnknown;
  }
  if (!any_unknown(answers)) return reaches;
  PerResource<bool> worked_out;
  if (kept == nullptr) {
    worked_out = scratch.ReachesWith(TenantsIn(repetition), curve, thresholds_, asked);
  }
  for (const DemandResource r : kAllDemandResources) {
    if (!asked[r]) continue;
    reaches[r] =
        kept == nullptr
            ? worked_out[r]
            : kept->At(repetition).ReachesWith(curve, r, thresholds_[r], DrawsOf(repetition));
  }
  return reaches;
}

MachineRisk::Answer MachineRisk::FromBounds(const Newcomer& newcomer, std::uint32_t repetition,
                                            DemandResource resource) const {
  const Load margin = margins_[resource][repetition];
  if (margin <= 0) return Answer::kReaches;
  const Load maximum = newcomer.maxima(resource)[repetition];
  if (maximum < headrooms_[resource][repetition]) return Answer::kFits;
  const Load then = newcomer.curve(repetition).At(resource, binding_[resource][repetition]);
  // A curve that is over has no maximum, but may have been there at that moment.
  return std::min(then, maximum) >= margin ? Answer::kReaches : Answer::kUnknown;
}

void MachineRisk::SetThresholds(const Thresholds& thresholds) {
  for (const DemandResource r : kAllDemandResources) {
    const Load more = thresholds[r] - thresholds_[r];
    for (Load& headroom : headrooms_[r]) headroom += more;
    for (Load& margin : margins_[r]) margin += more;
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

void MachineRisk::Summarise(std::uint32_t repetition, MachineProfile* kept, EarlyLoad& scratch) {
  if (kept == nullptr) {
    const EarlyLoad::Peaks peaks = scratch.FindPeaks(TenantsIn(repetition));
    return TakeFigures(repetition, peaks.of, peaks.size, peaks.first_end);
  }
  using enum DemandResource;
  const LoadProfile profile = kept->At(repetition);
  TakeFigures(repetition, {profile.Peak(kCpu), profile.Peak(kMemory), profile.Peak(kDisk)},
              profile.size(), profile.size() == 0 ? kForever : profile.first_end());
}

void MachineRisk::TakeFigures(std::uint32_t repetition, const PerResource<LoadPeak>& peaks,
                              std::size_t there, Step first_end) {
  for (const DemandResource r : kAllDemandResources) {
    headrooms_[r][repetition] = thresholds_[r] - peaks[r].load;
    margins_[r][repetition] = thresholds_[r] - peaks[r].load;
    binding_[r][repetition] = peaks[r].at;
  }
  loose_[repetition] = 0;
  // Who is not among them drew a trace that ends now, and outlives it with the next step.
  due_[repetition] = there < present_.size() ? now_ + 1 : first_end;
}

void MachineRisk::UpdateTotals() {
  EarlyLoad scratch;
  using enum DemandResource;
  const auto least = [](const PerResource<std::vector<Load>>& of, std::uint32_t i) {
    return std::min({of[kCpu][i], of[kMemory][i], of[kDisk][i]});
  };
  violations_ = 0;
  for (std::uint32_t i = 0; i < repetitions_; ++i) {
    if (least(headrooms_, i) > 0) continue;
    if (least(margins_, i) > 0) Summarise(i, nullptr, scratch);
    if (least(margins_, i) <= 0) ++violations_;
  }
  for (const DemandResource r : kAllDemandResources) {
    least_headroom_[r] = *std::ranges::min_element(headrooms_[r]);
  }
  due_at_ = *std::ranges::min_element(due_);
}

EarlyLoad::Tenants MachineRisk::TenantsIn(std::uint32_t repetition) const {
  return {.draws = DrawsOf(repetition), .present = present_, .now = now_};
}

RepetitionDraws MachineRisk::DrawsOf(std::uint32_t repetition) const {
  return {.library = library_, .tenants = tenants_, .draws = &draws_, .repetition = repetition};
}

void MachineRisk::DrawAll(TenantSlot slot) {
  std::vector<TraceIndex> drawn(repetitions_);
  library_->DrawAll(tenants_[slot], now_, drawn);
  for (std::uint32_t i = 0; i < repetitions_; ++i) SetDraw(slot, i, drawn[i]);
}

void MachineRisk::SetDraw(TenantSlot slot, std::uint32_t repetition, TraceIndex drawn) {
  if (draws_.At(slot, repetition) == kNoTrace) --held_draws_;
  if (drawn == kNoTrace) ++held_draws_;
  draws_.Set(slot, repetition, drawn);
  LowerLeastPeak(slot, drawn);
}

void MachineRisk::ForgetDraw(TenantSlot slot, std::uint32_t repetition) {
  if (draws_.At(slot, repetition) == kNoTrace) --held_draws_;
  draws_.Set(slot, repetition, TraceIndex{});
}

void MachineRisk::LowerLeastPeak(TenantSlot slot, TraceIndex drawn) {
  const Demand peak = drawn == kNoTrace ? kPeakOfHeld : library_->model(drawn).Peak();
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
    if (tenants_.size() > draws_.slots()) draws_.Reserve(tenants_.size() + tenants_.size() / 8);
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
         (present_.capacity() + free_slots_.capacity()) * sizeof(TenantSlot) + draws_.bytes() +
         least_peaks_.capacity() * sizeof(Demand) +
         repetitions_ *
             (kDemandResourceCount * (2 * sizeof(Load) + sizeof(Step)) + sizeof(Step) + 1);
}

}  // namespace berth

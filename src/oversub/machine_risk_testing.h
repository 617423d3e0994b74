// For tests: machines that live, and whether what is kept of them is exact all along.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "berth/rng.h"
#include "oversub/machine_risk.h"
#include "oversub/slow_reference_testing.h"

namespace berth::testing {

// A machine that lives through arrivals, departures, time and growing peaks, beside a list of its
// tenants. Its profile comes and goes, as it would with more machines than profiles.
class LivingMachine {
 public:
  LivingMachine(std::uint64_t seed, Step lifetime_max)
      : rng_(seed),
        traces_(RandomSlowTraces(rng_, 60, lifetime_max, 2)),
        library_(TraceLibrary::Build(ModelsOf(traces_)).value()) {
    while (tenants_.size() < 4 + rng_.Below(8)) {
      tenants_.push_back(RandomTenant(rng_, traces_, now_));
    }
    thresholds_ = NearItsPeaks();
    machine_.emplace(library_, thresholds_, kRepetitions);
    machine_->Advance(now_, nullptr);
    for (const HostedTenant& tenant : tenants_) machine_->Insert(tenant, profile());
  }

  void Live() {
    if (rng_.Below(8) == 0) profile_.reset();
    if (rng_.Below(8) == 0) profile_ = machine_->NewProfile();
    switch (rng_.Below(6)) {
      case 0:
        tenants_.push_back(RandomTenant(rng_, traces_, now_));
        machine_->Insert(tenants_.back(), profile());
        break;
      case 1:
        if (tenants_.size() > 1) Depart(rng_.Below(tenants_.size()));
        break;
      case 2:
      case 3:
        Grow(tenants_[rng_.Below(tenants_.size())]);
        break;
      default:
        PassTime();
    }
  }

  // Whether the kept answers are those of the plain form.
  bool IsExact() {
    violations_ = 0;
    bool exact = due_was_ahead_;
    for (std::uint32_t i = 0; i < kRepetitions; ++i) {
      const bool violates =
          ViolatesAtDepartures(DrawCurves(library_, tenants_, now_, i), now_, thresholds_);
      violations_ += violates ? 1 : 0;
      const bool kept = std::ranges::any_of(
          kAllDemandResources, [&](DemandResource r) { return machine_->headroom(r, i) <= 0; });
      exact = exact && violates == kept;
    }
    return exact && machine_->violations() == violations_;
  }
  // Of the state last looked at.
  bool IsUncertain() const { return Probability() > kLeast && Probability() < 1 - kLeast; }
  // In which tenth of (0.02, 0.98).
  std::size_t Decile() const {
    return static_cast<std::size_t>((Probability() - kLeast) / (1 - 2 * kLeast) * 10);
  }

  bool IsExactWithNewcomer() {
    return IsExactWith({library_, TenantClass{static_cast<std::uint16_t>(rng_.Below(2))},
                        TenantRole::kPrimary, rng_.Next(), RandomArrival(), kRepetitions});
  }
  // One of any age, from another machine.
  bool IsExactWithOneMoved() {
    return IsExactWith(
        {library_, RandomTenant(rng_, traces_, now_), Newcomer::Arrival::At(now_), kRepetitions});
  }

  std::uint64_t held_draws() const { return machine_->held_draws(); }

 private:
  static constexpr double kLeast = 0.02;
  double Probability() const { return static_cast<double>(violations_) / kRepetitions; }

  // Now, or within a time that now is in.
  Newcomer::Arrival RandomArrival() {
    if (rng_.Below(2) == 0) return Newcomer::Arrival::At(now_);
    const auto some = [&] { return static_cast<Step>(rng_.Below(20)); };
    return {.begin = now_ - some(), .end = now_ + 1 + some()};
  }
  bool IsExactWith(const Newcomer& newcomer) {
    Risk expected{.before = machine_->violations(), .after = 0, .after_of = {}};
    for (std::uint32_t i = 0; i < kRepetitions; ++i) {
      auto curves = DrawCurves(library_, tenants_, now_, i);
      curves.push_back(newcomer.curve(i));
      if (ViolatesAtDepartures(curves, now_, thresholds_)) ++expected.after;
      for (const DemandResource r : kAllDemandResources) {
        Thresholds only(ToLoad(UINT32_MAX), ToLoad(UINT32_MAX), ToLoad(UINT32_MAX));
        only[r] = thresholds_[r];
        if (ViolatesAtDepartures(curves, now_, only)) ++expected.after_of[r];
      }
    }
    // Before Score, which works out headrooms that this then has no need to.
    const auto limit = static_cast<std::uint32_t>(1 + rng_.Below(kRepetitions));
    bool exact = machine_->StaysBelow(newcomer, limit, profile()) == (expected.after < limit);
    const auto nearest = std::max(expected.after + static_cast<std::uint32_t>(rng_.Below(2)), 1U);
    exact =
        exact && machine_->StaysBelow(newcomer, nearest, profile()) == (expected.after < nearest);
    const Risk risk = machine_->Score(newcomer, profile());
    return exact && risk.before == expected.before && risk.after == expected.after &&
           risk.after_of == expected.after_of;
  }

  MachineProfile* profile() { return profile_ ? &*profile_ : nullptr; }

  // So that each resource is violated in some of the repetitions, in how many is left to chance.
  Thresholds NearItsPeaks() {
    Thresholds thresholds;
    const std::uint32_t typical = static_cast<std::uint32_t>(rng_.Below(kRepetitions));
    for (const DemandResource r : kAllDemandResources) {
      std::vector<Load> peaks;
      for (std::uint32_t i = 0; i < kRepetitions; ++i) {
        const auto curves = DrawCurves(library_, tenants_, now_, i);
        Load peak = 1;
        for (const DemandCurve& leaving : curves) {
          if (leaving.end <= now_) continue;
          Load load = 0;
          for (const DemandCurve& curve : curves) load += curve.At(r, leaving.end);
          peak = std::max(peak, load);
        }
        peaks.push_back(peak);
      }
      std::ranges::sort(peaks);
      thresholds[r] = peaks[std::max<std::uint64_t>(typical, rng_.Below(kRepetitions))];
    }
    return thresholds;
  }

  void Depart(std::uint64_t which) {
    machine_->Remove(tenants_[which].key, profile());
    tenants_.erase(tenants_.begin() + static_cast<std::ptrdiff_t>(which));
  }

  void Grow(HostedTenant& tenant) {
    const auto r = kAllDemandResources[rng_.Below(kDemandResourceCount)];
    // Of what was never seen, it may be seen that it needs nothing.
    if (tenant.promised[r] == 0 || rng_.Below(2) == 0) {
      tenant.observed_peak[r] +=
          static_cast<std::uint32_t>(rng_.Below(rng_.Below(20) == 0 ? 80'000 : 8'000));
    }
    tenant.promised[r] = 0;
    machine_->Observe(tenant, profile());
  }

  // Until just before something is due, to when it is, or far beyond.
  void PassTime() {
    if (machine_->DueAt() == kForever) return;
    const Step due = machine_->DueAt();
    due_was_ahead_ = due_was_ahead_ && due > now_;
    if (rng_.Below(4) == 0) {
      now_ = due - 1;
    } else {
      now_ = due + static_cast<Step>(rng_.Below(rng_.Below(3) == 0 ? 5 : 1));
    }
    machine_->Advance(now_, profile());
  }

  static constexpr std::uint32_t kRepetitions = 40;

  Rng rng_;
  std::vector<SlowTrace> traces_;
  TraceLibrary library_;
  Step now_ = 1'000;
  std::vector<HostedTenant> tenants_;
  Thresholds thresholds_;
  std::optional<MachineRisk> machine_;
  std::optional<MachineProfile> profile_;
  bool due_was_ahead_ = true;
  std::uint32_t violations_ = 0;
};

struct ExactLives {
  int states = 0;                   // Neither safe nor doomed:
  std::array<int, 10> of_decile{};  // of violations, in so many repetitions.
  std::uint64_t held = 0;
  std::string wrong;  // The first of what is not exact.
};
// One machine after another, until there are so many states.
inline ExactLives LiveThrough(int states) {
  constexpr std::uint64_t kSeeds = 400;
  ExactLives lives;
  for (std::uint64_t seed = 0; seed < kSeeds && lives.states < states; ++seed) {
    LivingMachine machine(seed, seed % 2 == 0 ? 12 : 80);
    for (int step = 0; step < 20 && lives.states < states; ++step) {
      machine.Live();
      const bool exact = machine.IsExact() && (step % 3 != 0 || machine.IsExactWithNewcomer()) &&
                         machine.IsExactWithOneMoved();
      if (!exact) {
        lives.wrong = fmt::format("step {} of the machine of seed {}", step, seed);
        return lives;
      }
      if (machine.IsUncertain()) {
        ++lives.states;
        ++lives.of_decile[machine.Decile()];
      }
      lives.held += machine.held_draws();
    }
  }
  return lives;
}

}  // namespace berth::testing

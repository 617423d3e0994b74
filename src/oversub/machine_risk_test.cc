#include "oversub/machine_risk.h"

#include <gtest/gtest.h>

#include <optional>

#include "berth/rng.h"
#include "oversub/slow_reference_testing.h"

namespace berth {
namespace {

using testing::ModelsOf;
using testing::RandomSlowTraces;
using testing::RandomTenant;
using testing::SlowTrace;

constexpr std::uint32_t kRepetitions = 40;

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

  // The kept answers are those of the plain form; true if the probability is not extreme.
  bool ExpectExact() {
    std::uint32_t violations = 0;
    for (std::uint32_t i = 0; i < kRepetitions; ++i) {
      const bool violates =
          ViolatesAtDepartures(DrawCurves(library_, tenants_, now_, i), now_, thresholds_);
      violations += violates ? 1 : 0;
      EXPECT_EQ(violates, machine_->headroom(DemandResource::kCpu, i) <= 0 ||
                              machine_->headroom(DemandResource::kMemory, i) <= 0 ||
                              machine_->headroom(DemandResource::kDisk, i) <= 0);
    }
    EXPECT_EQ(machine_->violations(), violations);
    return violations > kRepetitions * 0.02 && violations < kRepetitions * 0.98;
  }

  void ExpectExactWithNewcomer() {
    ExpectExactWith({library_, TenantClass{static_cast<std::uint16_t>(rng_.Below(2))},
                     TenantRole::kPrimary, rng_.Next(), RandomArrival(), kRepetitions});
  }
  // One of any age, from another machine.
  void ExpectExactWithOneMoved() {
    ExpectExactWith(
        {library_, RandomTenant(rng_, traces_, now_), Newcomer::Arrival::At(now_), kRepetitions});
  }

  std::uint64_t held_draws() const { return machine_->held_draws(); }

 private:
  // Now, or within a time that now is in.
  Newcomer::Arrival RandomArrival() {
    if (rng_.Below(2) == 0) return Newcomer::Arrival::At(now_);
    const auto some = [&] { return static_cast<Step>(rng_.Below(20)); };
    return {.begin = now_ - some(), .end = now_ + 1 + some()};
  }
  void ExpectExactWith(const Newcomer& newcomer) {
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
    EXPECT_EQ(machine_->StaysBelow(newcomer, limit, profile()), expected.after < limit);
    const auto nearest = std::max(expected.after + static_cast<std::uint32_t>(rng_.Below(2)), 1U);
    EXPECT_EQ(machine_->StaysBelow(newcomer, nearest, profile()), expected.after < nearest);
    const Risk risk = machine_->Score(newcomer, profile());
    EXPECT_EQ(risk.before, expected.before);
    EXPECT_EQ(risk.after, expected.after);
    for (const DemandResource r : kAllDemandResources) {
      EXPECT_EQ(risk.after_of[r], expected.after_of[r]);
    }
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
    Demand seen = tenant.observed_peak;
    seen[r] += static_cast<std::uint32_t>(rng_.Below(rng_.Below(20) == 0 ? 80'000 : 8'000));
    machine_->Observe(tenant.key, seen, profile());
    tenant.observed_peak = seen;
  }

  // Until just before something is due, to when it is, or far beyond.
  void PassTime() {
    if (machine_->DueAt() == kForever) return;
    const Step due = machine_->DueAt();
    EXPECT_GT(due, now_);
    if (rng_.Below(4) == 0) {
      now_ = due - 1;
    } else {
      now_ = due + static_cast<Step>(rng_.Below(rng_.Below(3) == 0 ? 5 : 1));
    }
    machine_->Advance(now_, profile());
  }

  Rng rng_;
  std::vector<SlowTrace> traces_;
  TraceLibrary library_;
  Step now_ = 1'000;
  std::vector<HostedTenant> tenants_;
  Thresholds thresholds_;
  std::optional<MachineRisk> machine_;
  std::optional<MachineProfile> profile_;
};

TEST(MachineRisk, IsExactInAThousandStates) {
  int states = 0;
  std::uint64_t held = 0;
  for (std::uint64_t seed = 0; states < 1'000; ++seed) {
    ASSERT_LT(seed, 400U) << "only " << states << " states are neither safe nor doomed";
    LivingMachine machine(seed, seed % 2 == 0 ? 12 : 80);
    for (int step = 0; step < 20; ++step) {
      machine.Live();
      if (machine.ExpectExact()) ++states;
      if (step % 3 == 0) machine.ExpectExactWithNewcomer();
      machine.ExpectExactWithOneMoved();
      if (::testing::Test::HasFailure()) FAIL() << "seed " << seed << ", step " << step;
      held += machine.held_draws();
    }
  }
  EXPECT_GT(held, 0U);
}

// One trace: 10 to 30 MiB of disk in 2 steps, for 3. A tenant of time 10 and a newcomer at 11: at
// 13, when the tenant leaves, 30 and 30; at 14 only the newcomer is there.
TEST(MachineRisk, AddsTheNewcomerWhereItMeetsTheOthers) {
  DemandModel model;
  model.disk = GrowthTo(10, 30, 2);
  model.lifetime = 3;
  const auto library = TraceLibrary::Build({model}).value();
  const auto risk_at = [&](std::uint32_t disk) {
    MachineRisk machine(library, Thresholds(1, 1, ToLoad(disk)), 4);
    machine.Advance(11, nullptr);
    machine.Insert({.key = 1, .tenant_class = {}, .role = {}, .creation = 10, .observed_peak = {}},
                   nullptr);
    EXPECT_EQ(machine.headroom(DemandResource::kDisk, 0), ToLoad(disk) - ToLoad(30));
    EXPECT_EQ(machine.DueAt(), 13);
    return machine.Score(Newcomer(library, {}, {}, 0, Newcomer::Arrival::At(11), 4), nullptr);
  };
  EXPECT_EQ(risk_at(60).before, 0U);
  EXPECT_EQ(risk_at(60).after, 4U);
  EXPECT_EQ(risk_at(60).after_of, PerResource<std::uint32_t>(0, 0, 4));
  EXPECT_EQ(risk_at(61).after, 0U);
  EXPECT_EQ(risk_at(30).before, 4U);
}

TEST(MachineRisk, HoldsEverybodyWithoutModels) {
  const TraceLibrary library = TraceLibrary::Build({}).value();
  MachineRisk machine(library, ThresholdsOf(Demand(8'000, 1'000, 1'000), 950), 10);
  machine.Advance(100, nullptr);
  for (const std::uint64_t key : {1U, 2U}) {
    machine.Insert({.key = key,
                    .tenant_class = {},
                    .role = {},
                    .creation = 0,
                    .observed_peak = Demand(4'000, 0, 0)},
                   nullptr);
  }
  EXPECT_EQ(machine.violations(), 10U);
  EXPECT_EQ(machine.held_draws(), 20U);
  machine.Remove(1, nullptr);
  EXPECT_EQ(machine.violations(), 0U);
  EXPECT_EQ(machine.held_draws(), 10U);
}

TEST(MachineRisk, IsDueWhenATenantOutlivesItsTrace) {
  DemandModel shorter;
  shorter.disk = GrowthTo(30, 30, 0);
  shorter.lifetime = 3;
  const auto library = TraceLibrary::Build({shorter}).value();
  MachineRisk machine(library, Thresholds(1, 1, ToLoad(100)), 1);
  machine.Advance(10, nullptr);
  EXPECT_EQ(machine.DueAt(), kForever);
  machine.Insert({.key = 1, .tenant_class = {}, .role = {}, .creation = 10, .observed_peak = {}},
                 nullptr);
  machine.Observe(1, Demand(0, 0, 20), nullptr);
  EXPECT_EQ(machine.DueAt(), 13);
  // At 13 the trace is over: nothing is expected of it any more. At 14 the tenant is still there,
  // no trace explains it, and it is taken to stay as large as it was seen.
  machine.Advance(13, nullptr);
  EXPECT_EQ(machine.headroom(DemandResource::kDisk, 0), ToLoad(70)) << "at least";
  machine.Tighten();
  EXPECT_EQ(machine.headroom(DemandResource::kDisk, 0), ToLoad(100));
  EXPECT_EQ(machine.DueAt(), 14);
  EXPECT_EQ(machine.held_draws(), 0U);
  machine.Advance(14, nullptr);
  machine.Tighten();
  EXPECT_EQ(machine.headroom(DemandResource::kDisk, 0), ToLoad(80));
  EXPECT_EQ(machine.DueAt(), kForever);
  EXPECT_EQ(machine.held_draws(), 1U);
  machine.Remove(1, nullptr);
  EXPECT_EQ(machine.held_draws(), 0U);
  EXPECT_EQ(machine.headroom(DemandResource::kDisk, 0), ToLoad(80))
      << "who goes gives nothing back";
  machine.Tighten();
  EXPECT_EQ(machine.headroom(DemandResource::kDisk, 0), ToLoad(100));
}

}  // namespace
}  // namespace berth

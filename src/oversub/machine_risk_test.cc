#include "oversub/machine_risk.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "oversub/machine_risk_testing.h"

namespace berth {
namespace {

TEST(MachineRisk, IsExactInAThousandStates) {
  const testing::ExactLives lives = testing::LiveThrough(1'000);
  EXPECT_EQ(lives.wrong, "");
  EXPECT_EQ(lives.states, 1'000);
  EXPECT_GE(*std::ranges::min_element(lives.of_decile), 50) << "of a tenth of the probabilities";
  EXPECT_GT(lives.held, 0U);
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

// Nothing is seen of it until no trace explains it any more. Then it is seen to need less, or none.
TEST(MachineRisk, HoldsWhatWasPromisedOfWhatWasNeverSeen) {
  DemandModel model;
  model.disk = GrowthTo(30, 30, 0);
  model.lifetime = 3;
  const auto library = TraceLibrary::Build({model}).value();
  for (const bool keeps_profile : {false, true}) {
    MachineRisk machine(library, Thresholds(ToLoad(100), ToLoad(100), ToLoad(100)), 2);
    MachineProfile profile = machine.NewProfile();
    MachineProfile* const kept = keeps_profile ? &profile : nullptr;
    machine.Advance(10, kept);
    HostedTenant tenant{.key = 1,
                        .tenant_class = {},
                        .role = {},
                        .creation = 10,
                        .observed_peak = {},
                        .promised = Demand(50, 60, 70)};
    machine.Insert(tenant, kept);
    const auto headrooms = [&] {
      if (!keeps_profile) machine.Tighten();
      using enum DemandResource;
      return PerResource<Load>(machine.headroom(kCpu, 1), machine.headroom(kMemory, 1),
                               machine.headroom(kDisk, 1));
    };
    EXPECT_EQ(headrooms(), PerResource<Load>(ToLoad(100), ToLoad(100), ToLoad(70)));
    machine.Advance(14, kept);
    EXPECT_EQ(machine.held_draws(), 2U);
    EXPECT_EQ(headrooms(), PerResource<Load>(ToLoad(50), ToLoad(40), ToLoad(30)));
    tenant.promised = Demand(0, 60, 70);
    machine.Observe(tenant, kept);
    EXPECT_EQ(headrooms(), PerResource<Load>(ToLoad(100), ToLoad(40), ToLoad(30)));
    tenant.observed_peak = Demand(5, 20, 0);
    tenant.promised = Demand(0, 0, 70);
    machine.Observe(tenant, kept);
    EXPECT_EQ(headrooms(), PerResource<Load>(ToLoad(95), ToLoad(80), ToLoad(30)));
  }
}

TEST(MachineRisk, IsDueWhenATenantOutlivesItsTrace) {
  DemandModel shorter;
  shorter.disk = GrowthTo(30, 30, 0);
  shorter.lifetime = 3;
  const auto library = TraceLibrary::Build({shorter}).value();
  MachineRisk machine(library, Thresholds(1, 1, ToLoad(100)), 1);
  machine.Advance(10, nullptr);
  EXPECT_EQ(machine.DueAt(), kForever);
  HostedTenant tenant{
      .key = 1, .tenant_class = {}, .role = {}, .creation = 10, .observed_peak = {}};
  machine.Insert(tenant, nullptr);
  tenant.observed_peak = Demand(0, 0, 20);
  machine.Observe(tenant, nullptr);
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

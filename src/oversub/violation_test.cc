#include "oversub/violation.h"

#include <gtest/gtest.h>

#include "berth/rng.h"
#include "oversub/slow_reference_testing.h"

namespace berth {
namespace {

using testing::ModelsOf;
using testing::RandomSlowTraces;
using testing::RandomTenant;

HostedTenant CreatedAt(Step creation) {
  return {.key = 0, .tenant_class = {}, .role = {}, .creation = creation, .observed_peak = {}};
}

Thresholds DiskThreshold(std::uint32_t amount) {
  return {ToLoad(kDemandMax), ToLoad(kDemandMax), ToLoad(amount)};
}

TEST(Violation, ThresholdIsTheLeastLoadThatReachesTheShare) {
  const Thresholds thresholds = ThresholdsOf(Demand(1'000, 7, 0), 950);
  EXPECT_EQ(thresholds[DemandResource::kCpu], ToLoad(950));
  // 6.65 MiB are 435814.4 of a Load's units.
  EXPECT_EQ(thresholds[DemandResource::kMemory], 435'815);
  EXPECT_EQ(thresholds[DemandResource::kDisk], kNeverReached) << "it is not recorded";
}

// Two tenants, created at 10 and 12, of 3 and 4 steps: there at 11..13 and 13..16. They grow from
// 10 in 2 steps to 30, and from 40 in 3 to 70; at 13 they meet with 30 and 50.
TEST(Violation, AtEveryStepOrAtDeparturesAddsUpWhoIsThere) {
  const auto model = [](std::uint32_t initial, std::uint32_t maximum, Step growth, Step lifetime) {
    DemandModel result;
    result.disk = GrowthTo(initial, maximum, growth);
    result.lifetime = lifetime;
    return result;
  };
  const auto library = TraceLibrary::Build({model(10, 30, 2, 3), model(40, 70, 3, 4)}).value();
  const std::vector<DemandCurve> curves = {CurveOf(library, CreatedAt(10), TraceIndex{0}),
                                           CurveOf(library, CreatedAt(12), TraceIndex{1})};
  for (auto* const violates : {&ViolatesAtAnyStep, &ViolatesAtDepartures}) {
    EXPECT_TRUE((*violates)(curves, 12, DiskThreshold(80)));
    EXPECT_FALSE((*violates)(curves, 12, DiskThreshold(81)));
    EXPECT_FALSE((*violates)(curves, 13, DiskThreshold(80)));
    EXPECT_TRUE((*violates)(curves, 15, DiskThreshold(70)));
    EXPECT_FALSE((*violates)(curves, 16, DiskThreshold(1)));
    // Of those that are still to come nothing is needed before.
    EXPECT_TRUE((*violates)(curves, 9, DiskThreshold(80)));
    EXPECT_FALSE((*violates)(curves, 9, DiskThreshold(81)));
  }
}

TEST(Violation, HoldsTheObservedPeakForEverWithoutATrace) {
  const auto library = TraceLibrary::Build({}).value();
  HostedTenant tenant = CreatedAt(0);
  tenant.observed_peak = Demand(1, 2, 30);
  const DemandCurve curves[] = {CurveOf(library, tenant, kNoTrace),
                                CurveOf(library, tenant, kNoTrace)};
  for (const Step now : {0, 1, 1'000'000}) {
    EXPECT_TRUE(ViolatesAtAnyStep(curves, now, DiskThreshold(60)));
    EXPECT_TRUE(ViolatesAtDepartures(curves, now, DiskThreshold(60)));
    EXPECT_FALSE(ViolatesAtDepartures(curves, now, DiskThreshold(61)));
  }
}

TEST(Violation, HoldsWhatWasPromisedOfWhatWasNeverSeen) {
  const auto library = TraceLibrary::Build({}).value();
  HostedTenant tenant = CreatedAt(0);
  tenant.observed_peak = Demand(1, 0, 0);
  tenant.promised = Demand(0, 2, 30);
  const DemandCurve curve = CurveOf(library, tenant, kNoTrace);
  for (const Step moment : {1, 1'000'000}) {
    EXPECT_EQ(curve.At(moment), PerResource<Load>(ToLoad(1), ToLoad(2), ToLoad(30)));
  }
}

// The proof of section 5.3, as a property: departures are enough.
TEST(Violation, AtDeparturesIffAtAnyStep) {
  Rng rng(8);
  int violated = 0;
  constexpr int kRounds = 4'000;
  for (int round = 0; round < kRounds; ++round) {
    const auto traces = RandomSlowTraces(rng, 20, 12, 2);
    const auto library = TraceLibrary::Build(ModelsOf(traces)).value();
    std::vector<HostedTenant> tenants;
    for (std::uint64_t i = 1 + rng.Below(8); i > 0; --i) {
      tenants.push_back(RandomTenant(rng, traces, 50));
    }
    const auto curves = DrawCurves(library, tenants, 50, 0);
    const auto near = [&] {
      return static_cast<std::uint32_t>(tenants.size() * (30'000 + rng.Below(60'000)));
    };
    const Thresholds thresholds(ToLoad(near()), ToLoad(near()), ToLoad(near()));
    const bool at_any = ViolatesAtAnyStep(curves, 50, thresholds);
    EXPECT_EQ(ViolatesAtDepartures(curves, 50, thresholds), at_any);
    violated += at_any ? 1 : 0;
  }
  EXPECT_GT(violated, kRounds / 10);
  EXPECT_LT(violated, kRounds * 9 / 10);
}

}  // namespace
}  // namespace berth

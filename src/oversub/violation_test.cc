#include "oversub/violation.h"

#include <gtest/gtest.h>

#include "berth/rng.h"
#include "oversub/slow_reference_testing.h"

namespace berth {
namespace {

using testing::ModelsOf;
using testing::RandomSlowTraces;
using testing::RandomTenant;

DemandTrace DiskTrace(std::vector<std::uint32_t> disk) {
  DemandTrace trace;
  for (const std::uint32_t amount : disk) trace.samples.emplace_back(0, 0, amount);
  return trace;
}

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

// Two tenants, created at 10 and 12, of 3 and 4 steps: there at 11..13 and 13..16. They meet at 13,
// where the first holds its last sample, 30, and the second is at its second, 50.
TEST(Violation, OnTracesAddsUpWhoIsThere) {
  const DemandTrace first = DiskTrace({10, 20, 30});
  const DemandTrace second = DiskTrace({40, 50, 60, 70});
  const HostedTenant tenants[] = {CreatedAt(10), CreatedAt(12)};
  const DemandTrace* traces[] = {&first, &second};
  EXPECT_TRUE(ViolatesOnTraces(tenants, traces, 12, DiskThreshold(80)));
  EXPECT_FALSE(ViolatesOnTraces(tenants, traces, 12, DiskThreshold(81)));
  // At 13 the time that violates is over; what is left is 70 at most, the last sample held.
  EXPECT_FALSE(ViolatesOnTraces(tenants, traces, 13, DiskThreshold(80)));
  EXPECT_TRUE(ViolatesOnTraces(tenants, traces, 15, DiskThreshold(70)));
  EXPECT_FALSE(ViolatesOnTraces(tenants, traces, 16, DiskThreshold(1)));
}

// The same with models: from 10 in 2 steps to 30, and from 40 in 3 to 70.
TEST(Violation, OnModelsTooAtEveryStepOrAtDepartures) {
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

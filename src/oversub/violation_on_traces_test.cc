#include "oversub/violation_on_traces.h"

#include <gtest/gtest.h>

#include "berth/rng.h"
#include "oversub/slow_reference_testing.h"

namespace berth {
namespace {

DemandTrace DiskTraceOf(std::vector<std::uint32_t> disk) {
  DemandTrace trace;
  for (const std::uint32_t amount : disk) trace.samples.emplace_back(0, 0, amount);
  return trace;
}

HostedTenant BornAt(Step creation) {
  return {.key = 0, .tenant_class = {}, .role = {}, .creation = creation, .observed_peak = {}};
}

Thresholds OnlyDisk(std::uint32_t amount) {
  return {ToLoad(kDemandMax), ToLoad(kDemandMax), ToLoad(amount)};
}

// Two tenants, created at 10 and 12, of 3 and 4 steps: there at 11..13 and 13..16. They meet at 13,
// where the first holds its last sample, 30, and the second is at its second, 50.
TEST(ViolationOnTraces, AddsUpWhoIsThere) {
  const DemandTrace first = DiskTraceOf({10, 20, 30});
  const DemandTrace second = DiskTraceOf({40, 50, 60, 70});
  const HostedTenant tenants[] = {BornAt(10), BornAt(12)};
  const DemandTrace* traces[] = {&first, &second};
  EXPECT_TRUE(ViolatesOnTraces(tenants, traces, 12, OnlyDisk(80)));
  EXPECT_FALSE(ViolatesOnTraces(tenants, traces, 12, OnlyDisk(81)));
  // So too before either came.
  EXPECT_TRUE(ViolatesOnTraces(tenants, traces, 9, OnlyDisk(80)));
  EXPECT_FALSE(ViolatesOnTraces(tenants, traces, 9, OnlyDisk(81)));
  // At 13 the time that violates is over; what is left is 70 at most, the last sample held.
  EXPECT_FALSE(ViolatesOnTraces(tenants, traces, 13, OnlyDisk(80)));
  EXPECT_TRUE(ViolatesOnTraces(tenants, traces, 15, OnlyDisk(70)));
  EXPECT_FALSE(ViolatesOnTraces(tenants, traces, 16, OnlyDisk(1)));
}

TEST(ViolationOnTraces, HoldsTheObservedPeakForEverWithoutATrace) {
  const DemandTrace trace = DiskTraceOf({40});
  HostedTenant held = BornAt(10);
  held.observed_peak = Demand(0, 0, 30);
  const HostedTenant tenants[] = {held, BornAt(12)};
  const DemandTrace* traces[] = {nullptr, &trace};
  EXPECT_TRUE(ViolatesOnTraces(tenants, traces, 12, OnlyDisk(70)));
  EXPECT_FALSE(ViolatesOnTraces(tenants, traces, 12, OnlyDisk(71)));
  EXPECT_FALSE(ViolatesOnTraces(tenants, traces, 13, OnlyDisk(31)));
  EXPECT_TRUE(ViolatesOnTraces(tenants, traces, 1'000'000, OnlyDisk(30)));
}

// A model is at its maximum when growth ends, and has nine tenths of the cpu: the samples have not.
TEST(ViolationOnTraces, GoesByTheSamplesNotByTheModel) {
  DemandTrace trace;
  for (const std::uint32_t disk : {0U, 90U, 80U, 80U}) trace.samples.emplace_back(0, 0, disk);
  trace.samples.emplace_back(500, 0, 0);
  trace.samples.resize(20);
  const auto library = TraceLibrary::Build({FitModel(trace)}).value();
  const HostedTenant tenants[] = {BornAt(0)};
  const auto on_traces = [&](Step now, const Thresholds& thresholds) {
    return CountViolationsOnTraces(library, std::span(&trace, 1), tenants, now, thresholds, 3);
  };
  EXPECT_EQ(on_traces(0, OnlyDisk(90)), 3U);
  EXPECT_EQ(on_traces(1, OnlyDisk(90)), 0U);
  EXPECT_EQ(CountViolations(library, tenants, 1, OnlyDisk(90), 3), 3U);
  const Thresholds only_cpu(ToLoad(500), ToLoad(kDemandMax), ToLoad(kDemandMax));
  EXPECT_EQ(on_traces(1, only_cpu), 3U);
  EXPECT_EQ(CountViolations(library, tenants, 1, only_cpu, 3), 0U);
}

// As a line that a model has exactly: up to eight steps of growth, of whole MiB.
DemandTrace Straight(testing::SlowTrace slow) {
  for (int i = 0; i < 2; ++i) {
    slow.growth[i] %= 9;
    if (slow.growth[i] > 0)
      slow.initial[i] = slow.maximum[i] - 700U * static_cast<std::uint32_t>(slow.growth[i]);
  }
  DemandTrace trace{.tenant_class = TenantClass{static_cast<std::uint16_t>(slow.tenant_class)},
                    .role = slow.secondary ? TenantRole::kSecondary : TenantRole::kPrimary,
                    .samples = {}};
  for (Step age = 0; age < slow.lifetime; ++age) {
    const auto at = [&](int r) { return static_cast<std::uint32_t>(slow.DemandAt(r, age)); };
    trace.samples.emplace_back(at(0), at(1), at(2));
  }
  return trace;
}

TEST(ViolationOnTraces, IsThatOfModelsWhereTheseAreExact) {
  Rng rng(3);
  constexpr std::uint32_t kRepetitions = 40;
  constexpr Step kNow = 300;
  int uncertain = 0;
  std::uint32_t held = 0;
  for (int round = 0; round < 300; ++round) {
    const auto slow = testing::RandomSlowTraces(rng, 40, 60, 2);
    std::vector<DemandTrace> traces;
    for (const testing::SlowTrace& trace : slow) traces.push_back(Straight(trace));
    SortAsInLibrary(traces);
    std::vector<DemandModel> models;
    for (const DemandTrace& trace : traces) models.push_back(FitModel(trace));
    const TraceLibrary library = TraceLibrary::Build(models).value();
    std::vector<HostedTenant> tenants(1 + rng.Below(8));
    for (HostedTenant& tenant : tenants) {
      tenant = testing::RandomTenant(rng, slow, kNow);
      // More than any trace.
      if (rng.Below(10) == 0) tenant.observed_peak[DemandResource::kDisk] = 110'000;
      if (rng.Below(10) == 0) tenant = testing::RandomSurvivor(rng, slow, kNow);
    }
    const auto near = [&] {
      return ToLoad(static_cast<std::uint32_t>(tenants.size() * (50'000 + rng.Below(50'000))));
    };
    const Thresholds thresholds(near(), near(), near());
    const std::uint32_t count =
        CountViolationsOnTraces(library, traces, tenants, kNow, thresholds, kRepetitions);
    ASSERT_EQ(count, CountViolations(library, tenants, kNow, thresholds, kRepetitions));
    uncertain += count > 0 && count < kRepetitions ? 1 : 0;
    for (const HostedTenant& tenant : tenants) {
      held += library.Draw(tenant, kNow, 0) == kNoTrace ? 1U : 0U;
    }
  }
  EXPECT_GT(uncertain, 100);
  EXPECT_GT(held, 0U);
}

}  // namespace
}  // namespace berth

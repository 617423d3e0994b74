#include "oversub/trace_library.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "berth/rng.h"
#include "oversub/slow_reference_testing.h"

namespace berth {
namespace {

using testing::ModelsOf;
using testing::RandomSlowTraces;
using testing::RandomTenant;
using testing::SlowTrace;

TraceLibrary LibraryOf(const std::vector<SlowTrace>& traces) {
  return TraceLibrary::Build(ModelsOf(traces)).value();
}

TEST(TraceLibrary, HoldsACityOfTenantsInEightMegabytes) {
  Rng rng(1);
  const TraceLibrary library = LibraryOf(RandomSlowTraces(rng, 115'000, 5'000, 12));
  EXPECT_EQ(library.size(), 115'000U);
  EXPECT_LT(library.bytes(), 8'000'000U);
}

TEST(TraceLibrary, RefusesModelsThatAreNone) {
  const auto refused = [](const auto& spoil) {
    Rng rng(1);
    std::vector<DemandModel> models = ModelsOf(RandomSlowTraces(rng, 3, 10, 1));
    spoil(models[1]);
    return !TraceLibrary::Build(models).ok();
  };
  EXPECT_FALSE(refused([](DemandModel&) {}));
  EXPECT_TRUE(refused([](DemandModel& model) { model.lifetime = 0; }));
  EXPECT_TRUE(refused([](DemandModel& model) { model.lifetime = kLifetimeStepsMax + 1; }));
  EXPECT_TRUE(refused([](DemandModel& model) { model.disk.growth_steps = model.lifetime; }));
  EXPECT_TRUE(refused([](DemandModel& model) { model.memory.maximum = kDemandMax + 1; }));
  EXPECT_TRUE(refused([](DemandModel& model) { model.disk.initial = model.disk.maximum + 1; }));
  EXPECT_TRUE(refused([](DemandModel& model) { model.cpu_p90 = model.cpu_peak + 1; }));
}

TEST(TraceLibrary, GroupsByClassAndRole) {
  Rng rng(2);
  const TraceLibrary library = LibraryOf(RandomSlowTraces(rng, 500, 10, 3));
  std::size_t found = 0;
  for (std::uint16_t i = 0; i < 3; ++i) {
    for (const TenantRole role : {TenantRole::kPrimary, TenantRole::kSecondary}) {
      for (const DemandModel& model : library.Group(TenantClass{i}, role)) {
        EXPECT_EQ(model.tenant_class, TenantClass{i});
        EXPECT_EQ(model.role, role);
        ++found;
      }
    }
  }
  EXPECT_EQ(found, 500U);
  EXPECT_TRUE(library.Group(TenantClass{3}, TenantRole::kPrimary).empty());
}

// Pearson's statistic of draws over the whole of D(db), against its mean, the degrees of freedom,
// and five of its standard deviations.
void ExpectUniform(const std::vector<SlowTrace>& traces, const HostedTenant& tenant, Step now) {
  const TraceLibrary library = LibraryOf(traces);
  const auto eligible = static_cast<std::size_t>(std::ranges::count_if(
      traces, [&](const SlowTrace& trace) { return trace.MayStandFor(tenant, now); }));
  constexpr std::uint32_t kDraws = 20'000;
  std::map<TraceIndex, double> counts;
  for (std::uint32_t i = 0; i < kDraws; ++i) ++counts[library.Draw(tenant, now, i)];
  ASSERT_EQ(counts.size(), eligible);
  const double expected = static_cast<double>(kDraws) / static_cast<double>(eligible);
  double statistic = 0;
  for (const auto& [index, count] : counts) {
    EXPECT_TRUE(TraceLibrary::Eligible(library.model(index), tenant, now));
    statistic += (count - expected) * (count - expected) / expected;
  }
  const auto freedom = static_cast<double>(eligible - 1);
  EXPECT_LT(statistic, freedom + 5 * std::sqrt(2 * freedom)) << eligible << " eligible";
}

TEST(TraceLibrary, DrawsUniformlyWhenMostAreEligible) {
  Rng rng(3);
  const auto traces = RandomSlowTraces(rng, 400, 50, 1);
  ExpectUniform(traces,
                {.key = 17, .tenant_class = {}, .role = {}, .creation = 0, .observed_peak = {}}, 5);
}

// About 1 in 100: a quarter of the draws find none in 32 attempts and take the other way.
TEST(TraceLibrary, DrawsUniformlyWhenFewAreEligible) {
  Rng rng(4);
  const auto traces = RandomSlowTraces(rng, 4'000, 50, 1);
  ExpectUniform(traces,
                {.key = 18,
                 .tenant_class = {},
                 .role = {},
                 .creation = 0,
                 .observed_peak = Demand(0, 90'000, 90'000)},
                15);
  ExpectUniform(traces,
                {.key = 19,
                 .tenant_class = {},
                 .role = {},
                 .creation = 0,
                 .observed_peak = Demand(0, 98'000, 50'000)},
                0);
}

TEST(TraceLibrary, KeepsADrawWhileItIsEligible) {
  Rng rng(5);
  const auto traces = RandomSlowTraces(rng, 300, 40, 1);
  const TraceLibrary library = LibraryOf(traces);
  int changed = 0;
  for (int round = 0; round < 300; ++round) {
    HostedTenant tenant = RandomTenant(rng, traces, 100);
    Step now = 100;
    TraceIndex drawn = library.Draw(tenant, now, 7);
    while (drawn != kNoTrace) {
      now += static_cast<Step>(rng.Below(4));
      for (const DemandResource r : kAllDemandResources) {
        tenant.observed_peak[r] += static_cast<std::uint32_t>(rng.Below(10'000));
      }
      const bool stays = TraceLibrary::Eligible(library.model(drawn), tenant, now);
      const TraceIndex again = library.Draw(tenant, now, 7);
      EXPECT_EQ(stays, again == drawn);
      changed += stays ? 0 : 1;
      drawn = again;
    }
  }
  EXPECT_GT(changed, 600);  // Each ends with one; most had others before.
}

TEST(TraceLibrary, DrawsForAllRepetitionsWhatItDrawsForEach) {
  Rng rng(7);
  const auto traces = RandomSlowTraces(rng, 300, 40, 2);
  const TraceLibrary library = LibraryOf(traces);
  int none = 0;
  for (int round = 0; round < 200; ++round) {
    HostedTenant tenant = RandomTenant(rng, traces, 100);
    // Some that few traces explain, or none.
    if (rng.Below(2) == 0) tenant.observed_peak[DemandResource::kDisk] *= 2;
    std::vector<TraceIndex> drawn(50);
    library.DrawAll(tenant, 100, drawn);
    for (std::uint32_t i = 0; i < drawn.size(); ++i) {
      ASSERT_EQ(drawn[i], library.Draw(tenant, 100, i));
      none += drawn[i] == kNoTrace ? 1 : 0;
    }
  }
  EXPECT_GT(none, 0);
}

TEST(TraceLibrary, DrawsAgainWhatItDrawsAnew) {
  Rng rng(8);
  const auto traces = RandomSlowTraces(rng, 300, 40, 1);
  const TraceLibrary library = LibraryOf(traces);
  for (int round = 0; round < 50; ++round) {
    HostedTenant tenant = RandomTenant(rng, traces, 100);
    std::vector<TraceIndex> kept(50, kNoTrace);
    for (Step now = 100; now < 140; now += static_cast<Step>(rng.Below(4))) {
      library.DrawAgain(tenant, now, kept);
      std::vector<TraceIndex> anew(kept.size());
      library.DrawAll(tenant, now, anew);
      ASSERT_EQ(kept, anew);
      if (rng.Below(3) > 0) continue;
      for (const DemandResource r : kAllDemandResources) {
        tenant.observed_peak[r] += static_cast<std::uint32_t>(rng.Below(5'000));
      }
    }
  }
}

TEST(TraceLibrary, FindsNoneWhenNoneIsEligible) {
  Rng rng(6);
  const TraceLibrary library = LibraryOf(RandomSlowTraces(rng, 50, 10, 1));
  HostedTenant tenant{.key = 1, .tenant_class = {}, .role = {}, .creation = 0, .observed_peak = {}};
  EXPECT_NE(library.Draw(tenant, 5, 0), kNoTrace);
  EXPECT_EQ(library.Draw(tenant, 11, 0), kNoTrace);
  tenant.tenant_class = TenantClass{1};
  EXPECT_EQ(library.Draw(tenant, 5, 0), kNoTrace);
}

}  // namespace
}  // namespace berth

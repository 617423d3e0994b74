#include "oversub/early_load.h"

#include <gtest/gtest.h>

#include <numeric>

#include "berth/rng.h"
#include "oversub/newcomer.h"
#include "oversub/slow_reference_testing.h"

namespace berth {
namespace {

using testing::ModelsOf;
using testing::RandomSlowTraces;
using testing::RandomTenant;

// Against the profile of all departures, for thresholds about its peaks and newcomers of all ages,
// some of them over already.
TEST(EarlyLoad, SaysWhatTheWholeProfileSays) {
  Rng rng(4);
  int reached = 0;
  int fitted = 0;
  for (int round = 0; round < 400; ++round) {
    const Step now = 100;
    const auto traces = RandomSlowTraces(rng, 60, static_cast<Step>(5 + rng.Below(60)), 1);
    const TraceLibrary library = TraceLibrary::Build(ModelsOf(traces)).value();
    std::vector<HostedTenant> tenants(rng.Below(12));
    std::vector<TenantSlot> present(tenants.size());
    std::iota(present.begin(), present.end(), TenantSlot{0});
    DrawTable table(1);
    table.Reserve(tenants.size());
    for (const TenantSlot slot : present) {
      tenants[slot] = RandomTenant(rng, traces, now);
      table.Set(slot, 0, library.Draw(tenants[slot], now, 0));
    }
    const RepetitionDraws draws{
        .library = &library, .tenants = tenants, .draws = &table, .repetition = 0};
    const EarlyLoad::Tenants all{.draws = draws, .present = present, .now = now};
    MachineProfile whole(1, 16);
    LoadProfile profile = whole.At(0);
    profile.Build(draws, present, now);

    EarlyLoad early;
    const EarlyLoad::Peaks peaks = early.FindPeaks(all);
    ASSERT_EQ(peaks.size, profile.size());
    ASSERT_EQ(peaks.first_end, profile.size() == 0 ? kForever : profile.first_end());
    PerResource<Load> thresholds;
    for (const DemandResource r : kAllDemandResources) {
      ASSERT_EQ(peaks.of[r].load, profile.Peak(r).load);
      ASSERT_EQ(peaks.of[r].at, profile.Peak(r).at);
      thresholds[r] = (peaks.of[r].load + kLoadUnit) * (1 + rng.Unit());
    }
    for (Step begin = now - 30; begin <= now; begin += 10) {
      const Newcomer newcomer(library, TenantClass{}, TenantRole::kPrimary, rng.Next(),
                              {.begin = begin, .end = now}, 1);
      const PerResource<bool> reaches =
          early.ReachesWith(all, newcomer.curve(0), thresholds, {true, true, true});
      for (const DemandResource r : kAllDemandResources) {
        ASSERT_EQ(reaches[r], profile.ReachesWith(newcomer.curve(0), r, thresholds[r], draws));
        ++(reaches[r] ? reached : fitted);
      }
    }
  }
  EXPECT_GT(reached, 500);
  EXPECT_GT(fitted, 500);
}

}  // namespace
}  // namespace berth

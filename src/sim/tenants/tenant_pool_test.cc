#include "sim/tenants/tenant_pool.h"

#include <gtest/gtest.h>

#include "berth/rng.h"

namespace berth {
namespace {

DemandTrace RandomTrace(Step lifetime, Rng& rng) {
  DemandTrace trace;
  for (Step age = 0; age < lifetime; ++age) {
    trace.samples.emplace_back(rng.Below(100), rng.Below(100), rng.Below(100));
  }
  return trace;
}

TEST(TenantPool, HoldsTheLastSampleAndForgetsWhatNobodyLooksAt) {
  Rng rng(1);
  constexpr Step kOldest = 50;
  TenantPool pool(kOldest);
  const DemandTrace brief = RandomTrace(3, rng);
  const DemandTrace lasting = RandomTrace(1'000, rng);
  pool.Add(brief, 2'000);
  pool.Add(lasting, 4'000);
  EXPECT_EQ(pool.At(pool.tenant(0), 2), brief.samples[2]);
  EXPECT_EQ(pool.At(pool.tenant(0), 3), brief.samples[2]);
  EXPECT_EQ(pool.At(pool.tenant(1), kOldest), lasting.samples[kOldest]);
  EXPECT_EQ(pool.tenant(1).lifetime, 1'000);
  EXPECT_EQ(pool.tenant(1).promised_millicores, 4'000U);
}

TEST(TenantPool, LooksADayAheadAsOneWhoLooksAtEverySample) {
  Rng rng(2);
  constexpr Step kOldest = 400;
  for (const Step lifetime : {1, 2, 143, 144, 145, 146, 289, 290, 700}) {
    TenantPool pool(kOldest);
    pool.Add(RandomTrace(17, rng), 1'000);
    const DemandTrace trace = RandomTrace(lifetime, rng);
    pool.Add(trace, 1'000);
    pool.LookAhead();
    for (Step age = 0; age < std::min(lifetime, kOldest + 1); ++age) {
      Demand greatest;
      for (Step at = age; at <= age + kStepsPerDay && at < lifetime; ++at) {
        greatest = Greater(greatest, trace.samples[static_cast<std::size_t>(at)]);
      }
      ASSERT_EQ(pool.DayAhead(pool.tenant(1), age), greatest) << lifetime << " at " << age;
    }
  }
}

}  // namespace
}  // namespace berth

#include "oversub/demand_trace.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

DemandTrace TwoSteps() {
  return {.tenant_class = {}, .role = {}, .samples = {Demand(900, 20, 30), Demand(100, 50, 40)}};
}

TEST(DemandTrace, HoldsItsLastSampleUpToItsLifetime) {
  const DemandTrace trace = TwoSteps();
  EXPECT_EQ(trace.lifetime(), 2);
  EXPECT_EQ(trace.At(0), Demand(900, 20, 30));
  EXPECT_EQ(trace.At(1), Demand(100, 50, 40));
  EXPECT_EQ(trace.At(2), Demand(100, 50, 40));
  EXPECT_EQ(trace.At(3), Demand());
}

TEST(DemandTrace, PeaksInEachResourceOnItsOwn) {
  EXPECT_EQ(TwoSteps().Peak(), Demand(900, 50, 40));
}

TEST(DemandTrace, IsRefusedEmptyOrOverTheLimits) {
  EXPECT_TRUE(CheckTrace(TwoSteps()).ok());
  EXPECT_EQ(CheckTrace({}).code(), Code::kInvalidArgument);

  DemandTrace large = TwoSteps();
  large.samples[1][DemandResource::kDisk] = kDemandMax;
  EXPECT_TRUE(CheckTrace(large).ok());
  large.samples[1][DemandResource::kDisk] = kDemandMax + 1;
  EXPECT_EQ(CheckTrace(large).code(), Code::kInvalidArgument);

  DemandTrace old;
  old.samples.resize(kLifetimeStepsMax + 1);
  EXPECT_EQ(CheckTrace(old).code(), Code::kInvalidArgument);
}

TEST(Demand, CoversWhatIsNowhereGreater) {
  EXPECT_TRUE(Covers(Demand(1, 2, 3), Demand(1, 2, 3)));
  EXPECT_FALSE(Covers(Demand(9, 9, 2), Demand(1, 2, 3)));
  EXPECT_EQ(Greater(Demand(1, 5, 3), Demand(2, 4, 3)), Demand(2, 5, 3));
}

}  // namespace
}  // namespace berth

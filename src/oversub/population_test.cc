#include "oversub/population.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/quantiles.h"

namespace berth {
namespace {

constexpr int kTenants = 1'500;

std::vector<DemandTrace> Tenants(const PopulationRegion& region) {
  Rng rng = Rng(21).Fork(region.name);
  std::vector<DemandTrace> tenants;
  for (int i = 0; i < kTenants; ++i) tenants.push_back(GenerateTenant(region, rng));
  return tenants;
}

// The first step at 95% of the maximum.
Step Reached(const DemandTrace& trace, DemandResource r) {
  const double wanted = 0.95 * trace.Peak()[r];
  Step step = 0;
  while (trace.samples[static_cast<std::size_t>(step)][r] < wanted) ++step;
  return step;
}

bool FallsBelow(const DemandTrace& trace, DemandResource r, double share) {
  const double least = share * trace.Peak()[r];
  return std::any_of(trace.samples.begin() + Reached(trace, r), trace.samples.end(),
                     [&](const Demand& sample) { return sample[r] < least; });
}

double ShareOfTenants(const std::vector<DemandTrace>& tenants, const auto& holds) {
  return static_cast<double>(std::ranges::count_if(tenants, holds)) / kTenants;
}

class Population : public ::testing::TestWithParam<std::size_t> {
 protected:
  const PopulationRegion& region_ = PopulationRegions()[GetParam()];
  const std::vector<DemandTrace> tenants_ = Tenants(region_);
};

TEST_P(Population, MostReachTheirMaximumEarly) {
  EXPECT_GE(region_.growth_share, 0.02);
  EXPECT_LE(region_.growth_share, 0.05);
  for (const DemandResource r : {DemandResource::kMemory, DemandResource::kDisk}) {
    const double early = ShareOfTenants(tenants_, [&](const DemandTrace& trace) {
      return Reached(trace, r) <= region_.growth_share * trace.lifetime();
    });
    EXPECT_GT(early, 0.90);
    EXPECT_LT(early, 0.99);  // A smaller fraction grows throughout.
  }
}

TEST_P(Population, FewGiveMuchBack) {
  const double disk = ShareOfTenants(tenants_, [](const DemandTrace& trace) {
    return FallsBelow(trace, DemandResource::kDisk, 0.90);
  });
  const double memory = ShareOfTenants(tenants_, [](const DemandTrace& trace) {
    return FallsBelow(trace, DemandResource::kMemory, 0.80);
  });
  EXPECT_LT(disk, 0.01);
  EXPECT_GT(disk, 0);
  EXPECT_LT(memory, 0.07);
  EXPECT_GT(memory, disk);
}

TEST_P(Population, LifetimesHaveAHeavyTailAndGoWithDemand) {
  std::vector<double> lifetimes;
  for (const DemandTrace& trace : tenants_) lifetimes.push_back(trace.lifetime());
  const double median = Quantile(lifetimes, 0.5);
  EXPECT_GT(Mean(lifetimes), 1.8 * median);
  EXPECT_GT(Quantile(lifetimes, 0.99), 10 * median);

  // The long-lived half of a class needs more than the other.
  std::array<double, 2> memory{};
  std::array<int, 2> count{};
  for (const DemandTrace& trace : tenants_) {
    const auto& limit = PopulationClasses()[static_cast<std::size_t>(trace.tenant_class)].limit;
    const std::size_t half = trace.lifetime() > median ? 1 : 0;
    memory[half] +=
        static_cast<double>(trace.Peak()[DemandResource::kMemory]) / limit[DemandResource::kMemory];
    ++count[half];
  }
  EXPECT_GT(memory[1] / count[1], 1.1 * memory[0] / count[0]);
}

TEST_P(Population, StaysWithinTheLimits) {
  for (const DemandTrace& trace : tenants_) {
    EXPECT_TRUE(CheckTrace(trace).ok());
    const auto& kind = PopulationClasses()[static_cast<std::size_t>(trace.tenant_class)];
    EXPECT_TRUE(Covers(kind.limit, trace.Peak()));
  }
}

// From step to step cpu moves by more than a tenth of its mean, where disk hardly moves.
TEST_P(Population, CpuIsIrregular) {
  const double irregular = ShareOfTenants(tenants_, [](const DemandTrace& trace) {
    double sum = 0;
    double moved = 0;
    for (std::size_t i = 1; i < trace.samples.size(); ++i) {
      const double before = trace.samples[i - 1][DemandResource::kCpu];
      const double now = trace.samples[i][DemandResource::kCpu];
      sum += now;
      moved += std::abs(now - before);
    }
    return moved > 0.1 * sum;
  });
  EXPECT_GT(irregular, 0.9);
}

INSTANTIATE_TEST_SUITE_P(InEachRegion, Population,
                         ::testing::Range(std::size_t{0}, PopulationRegions().size()));

TEST(PopulationRegions, AreFourAndDifferInTheirClasses) {
  ASSERT_GE(PopulationRegions().size(), 4U);
  for (const PopulationRegion& one : PopulationRegions()) {
    EXPECT_EQ(one.class_weights.size(), PopulationClasses().size());
    for (const PopulationRegion& other : PopulationRegions()) {
      if (&one == &other) continue;
      EXPECT_FALSE(std::ranges::equal(one.class_weights, other.class_weights));
    }
  }
}

}  // namespace
}  // namespace berth

#include "oversub/demand_model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "berth/rng.h"
#include "oversub/demand_curve.h"

namespace berth {
namespace {

TEST(GrowthModel, RisesInALineFromInitialToMaximum) {
  const GrowthModel disk = GrowthTo(100, 300, 4);
  EXPECT_EQ(disk.At(0), ToLoad(100));
  EXPECT_EQ(disk.At(1), ToLoad(150));
  EXPECT_EQ(disk.At(3), ToLoad(250));
  EXPECT_EQ(disk.At(4), ToLoad(300));
  EXPECT_EQ(disk.At(400), ToLoad(300));
}

TEST(GrowthModel, IsAtTheMaximumAtOnceWithoutGrowth) {
  EXPECT_EQ(GrowthTo(100, 300, 0).At(0), ToLoad(300));
}

// Whole numbers, never falling, never over the maximum, and by less than a unit a step above Eq. 2.
TEST(GrowthModel, StaysWholeAndNearEquationTwo) {
  Rng rng(3);
  for (int round = 0; round < 2'000; ++round) {
    const auto maximum = static_cast<std::uint32_t>(rng.Below(1ULL << rng.Below(27)));
    const auto initial = static_cast<std::uint32_t>(rng.Below(maximum + 1ULL));
    const auto steps = static_cast<Step>(1 + rng.Below(1ULL << rng.Below(20)));
    const GrowthModel model = GrowthTo(initial, maximum, steps);
    Load before = ToLoad(initial);
    for (int sample = 0; sample <= 20; ++sample) {
      const auto age = static_cast<Step>(std::int64_t{steps} * sample / 20);
      const Load at = model.At(age);
      const double exact = ToLoad(initial) + ToLoad(maximum - initial) * age / steps;
      EXPECT_EQ(at, std::floor(at));
      EXPECT_GE(at, before);
      EXPECT_LE(at, ToLoad(maximum));
      EXPECT_GE(at, exact * (1 - 1e-15));
      EXPECT_LE(at, exact * (1 + 0x1p-22) + age);
      before = at;
    }
  }
}

TEST(DemandModel, FitsInSixtySixBytes) { EXPECT_LE(sizeof(DemandModel), 66U); }

TEST(DemandModel, TakesItsParametersFromTheTrace) {
  DemandTrace trace{.tenant_class = TenantClass{7}, .role = TenantRole::kSecondary, .samples = {}};
  const std::uint32_t memory[] = {50, 100, 150, 200, 200, 200, 200, 200, 200, 200};
  const std::uint32_t disk[] = {100, 100, 100, 100, 100, 100, 100, 100, 100, 100};
  for (std::uint32_t i = 0; i < 10; ++i) {
    trace.samples.emplace_back(1'000 - 100 * i, memory[i], disk[i]);
  }
  const DemandModel model = FitModel(trace);
  EXPECT_EQ(model.tenant_class, TenantClass{7});
  EXPECT_EQ(model.role, TenantRole::kSecondary);
  EXPECT_EQ(model.lifetime, 10);
  EXPECT_EQ(model.memory.initial, 50U);
  EXPECT_EQ(model.memory.maximum, 200U);
  EXPECT_EQ(model.memory.growth_steps, 3);
  EXPECT_EQ(model.disk.growth_steps, 0);
  // Of 100, 200, ... 1000, nine in ten do not exceed 900.
  EXPECT_EQ(model.cpu_p90, 900U);
  EXPECT_EQ(model.Peak(), trace.Peak());
}

double SquaredError(const DemandTrace& trace, const GrowthModel& model) {
  double error = 0;
  for (Step age = 0; age < trace.lifetime(); ++age) {
    const double apart =
        model.At(age) - ToLoad(trace.samples[static_cast<std::size_t>(age)][DemandResource::kDisk]);
    error += apart * apart;
  }
  return error;
}

// Short traces have every end of growth tried.
TEST(DemandModel, GrowsWithTheLeastSquaredError) {
  Rng rng(13);
  for (int round = 0; round < 500; ++round) {
    DemandTrace trace;
    for (std::uint64_t left = 1 + rng.Below(9); left > 0; --left) {
      trace.samples.emplace_back(0, 0, static_cast<std::uint32_t>(rng.Below(1'000)));
    }
    const GrowthModel fitted = FitModel(trace).disk;
    for (Step steps = 0; steps < trace.lifetime(); ++steps) {
      const GrowthModel other = GrowthTo(fitted.initial, fitted.maximum, steps);
      EXPECT_LE(SquaredError(trace, fitted), SquaredError(trace, other) * (1 + 1e-12));
    }
  }
}

TEST(DemandModel, LastsAsLongAsItsTrace) {
  DemandTrace trace{.tenant_class = {}, .role = {}, .samples = {Demand(10, 20, 30)}};
  const TraceLibrary library = TraceLibrary::Build({FitModel(trace)}).value();
  const DemandCurve curve = CurveOf(library, HostedTenant(), TraceIndex{0});
  for (const DemandResource r : kAllDemandResources) {
    EXPECT_EQ(curve.At(r, 1), ToLoad(trace.At(1)[r]));
    EXPECT_EQ(curve.At(r, 2), 0);
  }
}

}  // namespace
}  // namespace berth

#include "scale/capacity/capacity_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "berth/rng.h"
#include "scale/capacity/capacity_testing.h"

namespace berth {
namespace {

using std::chrono::minutes;

ServiceModel OneCpu(double requests_per_s) {
  return {.name = "web", .requests_per_s = requests_per_s, .need = CpuAndMemory(1, 1)};
}

LoadForecast LoadsOf(const std::vector<double>& loads) {
  LoadForecast forecast{.step = std::chrono::hours(1), .level = 0.95};
  for (const double load : loads) forecast.points.push_back({load, load, load});
  return forecast;
}

std::vector<VmType> SmallAndBig(Duration boot) {
  return {TypeOf("small", 1, 1, 1, boot), TypeOf("big", 4, 4, 3, boot)};
}

double CostOf(const std::vector<double>& loads, Duration boot) {
  CapacityPlanner planner({OneCpu(10)}, SmallAndBig(boot));
  return planner.Plan(LoadsOf(loads), 0.5).value().cost_micros / 1e6;
}

TEST(CapacityPlan, EachStepHasItsCheapestMixWhereBootingIsFree) {
  EXPECT_DOUBLE_EQ(CostOf({10, 40, 10}, minutes(0)), 1 + 3 + 1);
}

// Starting a big one costs 1.5 more, a small one 0.5.
TEST(CapacityPlan, BootingIsPaid) {
  EXPECT_DOUBLE_EQ(CostOf({10, 40, 10}, minutes(30)), 1 + 4.5 + 1.5);
}

// With an hour to boot it is cheaper to have the big one from the beginning.
TEST(CapacityPlan, VmsAreKeptWhereExchangingThemCostsMore) {
  EXPECT_DOUBLE_EQ(CostOf({10, 40, 10}, minutes(60)), 3 + 3 + 2);
  CapacityPlanner planner({OneCpu(10)}, SmallAndBig(minutes(60)));
  const CapacityPlan plan = planner.Plan(LoadsOf({10, 40, 10}), 0.5).value();
  EXPECT_EQ(plan.steps[0].vms, (std::vector<std::uint64_t>{0, 1}));
  EXPECT_EQ(plan.steps[0].instances, (InstanceCounts{1}));
  EXPECT_EQ(plan.steps[2].started, (std::vector<std::uint64_t>{1, 0}));
  EXPECT_EQ(plan.steps[2].stopped, (std::vector<std::uint64_t>{0, 1}));
  EXPECT_EQ(plan.changes, 2U);
  EXPECT_DOUBLE_EQ(plan.bound_micros / 1e6, 1 + 3 + 1);
}

TEST(CapacityPlan, OrdersComeBeforeBothBoots) {
  ServiceModel service = OneCpu(10);
  service.boot = minutes(2);
  CapacityPlanner planner({service}, {TypeOf("small", 1, 1, 1, minutes(3))});
  const CapacityPlan plan = planner.Plan(LoadsOf({10, 20, 20}), 0.5).value();
  EXPECT_EQ(plan.steps[1].at - plan.steps[1].order_by, minutes(5));
  EXPECT_EQ(plan.steps[2].at - plan.steps[2].order_by, minutes(0));
}

TEST(CapacityPlan, AHigherQuantileCostsMore) {
  LoadForecast forecast{.step = std::chrono::hours(1), .level = 0.95};
  forecast.points.push_back({.mean = 100, .lower = 80, .upper = 120});
  CapacityPlanner planner({OneCpu(10)}, SmallAndBig(minutes(0)));
  EXPECT_EQ(planner.Plan(forecast, 0.5).value().steps[0].instances[0], 10U);
  EXPECT_EQ(planner.Plan(forecast, 0.975).value().steps[0].instances[0], 12U);
  EXPECT_LT(planner.Plan(forecast, 0.5).value().cost_micros,
            planner.Plan(forecast, 0.975).value().cost_micros);
}

TEST(CapacityPlan, SaysWhichServiceCannotBeServed) {
  ServiceModel service = OneCpu(10);
  service.instances_max = 2;
  CapacityPlanner planner({service}, SmallAndBig(minutes(0)));
  EXPECT_EQ(planner.Plan(LoadsOf({50}), 0.5).status().message(),
            "web: no number of instances up to 2 serves 50 requests/s; raise max_instances");
}

// All ways through the steps, each taking the mix of any step that has room for it.
class EveryWay {
 public:
  EveryWay(const std::vector<std::uint32_t>& wanted, const std::vector<VmType>& types)
      : wanted_(wanted), types_(types) {
    for (const std::uint32_t count : wanted) {
      const std::vector<InstanceDemand> demands = {DemandOf("web", 1, 1, count)};
      const VmMix mix = CheapestVmMix(demands, types).value();
      std::vector<double> vms(types.size(), 0);
      for (const VmGroup& group : mix.groups) vms[group.type] += static_cast<double>(group.count);
      mixes_.push_back(vms);
    }
  }

  double Cheapest() {
    for (std::size_t j = 0; j < mixes_.size(); ++j) From(0, j, 0);
    return best_;
  }

 private:
  void From(std::size_t i, std::size_t j, double cost) {
    if (wanted_[j] < wanted_[i]) return;
    for (std::size_t t = 0; t < types_.size(); ++t) {
      cost += mixes_[j][t] * static_cast<double>(types_[t].hour_micros);
    }
    if (i + 1 == mixes_.size()) {
      best_ = std::min(best_, cost);
      return;
    }
    for (std::size_t k = 0; k < mixes_.size(); ++k) {
      double boots = 0;
      for (std::size_t t = 0; t < types_.size(); ++t) {
        boots += std::max(0.0, mixes_[k][t] - mixes_[j][t]) *
                 static_cast<double>(types_[t].hour_micros) *
                 static_cast<double>(types_[t].boot.count()) / 3.6e9;
      }
      From(i + 1, k, cost + boots);
    }
  }

  const std::vector<std::uint32_t>& wanted_;
  const std::vector<VmType>& types_;
  std::vector<std::vector<double>> mixes_;
  double best_ = std::numeric_limits<double>::infinity();
};

TEST(CapacityPlan, IsTheCheapestOfAllWays) {
  Rng rng(8);
  for (int round = 0; round < 60; ++round) {
    const std::vector<VmType> types =
        SmallAndBig(minutes(static_cast<std::int64_t>(rng.Below(120))));
    std::vector<std::uint32_t> wanted;
    std::vector<double> loads;
    for (int i = 0; i < 5; ++i) {
      wanted.push_back(static_cast<std::uint32_t>(1 + rng.Below(9)));
      loads.push_back(10.0 * wanted.back());
    }
    CapacityPlanner planner({OneCpu(10)}, types);
    const CapacityPlan plan = planner.Plan(LoadsOf(loads), 0.5).value();
    EXPECT_NEAR(plan.cost_micros, EveryWay(wanted, types).Cheapest(), 1e-3) << round;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      EXPECT_EQ(plan.steps[i].instances[0], wanted[i]);
      EXPECT_GE(plan.steps[i].vms[0] + 4 * plan.steps[i].vms[1], wanted[i]);
    }
  }
}

}  // namespace
}  // namespace berth

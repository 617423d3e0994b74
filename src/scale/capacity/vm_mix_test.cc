#include "scale/capacity/vm_mix.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "berth/rng.h"
#include "scale/capacity/capacity_testing.h"
#include "scale/capacity/vm_filling.h"

namespace berth {
namespace {

// "2 small [1 0], 1 large [2 3]".
std::string Words(const VmMix& mix, const std::vector<VmType>& types) {
  std::string text;
  for (const VmGroup& group : mix.groups) {
    if (!text.empty()) text += ", ";
    text += std::to_string(group.count) + " " + types[group.type].name + " [";
    for (std::size_t s = 0; s < group.instances.size(); ++s) {
      text += (s == 0 ? "" : " ") + std::to_string(group.instances[s]);
    }
    text += "]";
  }
  return text;
}

TEST(VmMix, ALastVmMayBeSmaller) {
  const std::vector<VmType> types = {TypeOf("small", 1, 2, 0.15), TypeOf("large", 4, 8, 0.40)};
  const std::vector<InstanceDemand> demands = {DemandOf("web", 1, 2, 5)};
  const VmMix mix = CheapestVmMix(demands, types).value();
  EXPECT_EQ(Words(mix, types), "1 small [1], 1 large [4]");
  EXPECT_EQ(mix.hour_micros, 550'000);
  EXPECT_TRUE(mix.exact);
}

TEST(VmMix, ServicesThatNeedDifferentThingsShareVms) {
  // One takes cpu, the other memory: each VM holds two of both. Apart it would take 4 VMs.
  const std::vector<VmType> types = {TypeOf("even", 8, 8, 1)};
  const std::vector<InstanceDemand> demands = {DemandOf("cpu", 3, 1, 4), DemandOf("mem", 1, 3, 4)};
  EXPECT_EQ(Words(CheapestVmMix(demands, types).value(), types), "2 even [2 2]");
}

TEST(VmMix, WhatFitsNowhereIsNamed) {
  const std::vector<VmType> types = {TypeOf("small", 1, 2, 0.15)};
  const std::vector<InstanceDemand> demands = {DemandOf("web", 1, 2, 1), DemandOf("db", 2, 2, 1)};
  EXPECT_EQ(CheapestVmMix(demands, types).status().message(),
            "db: no VM type holds an instance of 2 cpu, 2Gi memory; add a larger type");
}

TEST(VmMix, NoInstancesTakeNoVms) {
  const std::vector<VmType> types = {TypeOf("small", 1, 2, 0.15)};
  const std::vector<InstanceDemand> demands = {DemandOf("web", 1, 2, 0)};
  const VmMix mix = CheapestVmMix(demands, types).value();
  EXPECT_TRUE(mix.groups.empty());
  EXPECT_EQ(mix.hour_micros, 0);
  EXPECT_EQ(VmMixBound(demands, types), 0);
}

// Every instance on every VM there is or on a new one of every type.
class EveryPacking {
 public:
  EveryPacking(const std::vector<InstanceDemand>& demands, const std::vector<VmType>& types)
      : types_(types) {
    for (const InstanceDemand& demand : demands) {
      needs_.insert(needs_.end(), demand.instances, demand.need);
    }
  }

  std::int64_t Cheapest() {
    Place(0, 0);
    return best_;
  }

 private:
  void Place(std::size_t i, std::int64_t price) {
    if (price >= best_) return;
    if (i == needs_.size()) {
      best_ = price;
      return;
    }
    for (std::size_t v = 0; v < free_.size(); ++v) {
      if (!needs_[i].FitsIn(free_[v])) continue;
      free_[v] -= needs_[i];
      Place(i + 1, price);
      free_[v] += needs_[i];
    }
    for (const VmType& type : types_) {
      if (!needs_[i].FitsIn(type.capacity)) continue;
      free_.push_back(type.capacity - needs_[i]);
      Place(i + 1, price + type.hour_micros);
      free_.pop_back();
    }
  }

  const std::vector<VmType>& types_;
  std::vector<Resources> needs_;
  std::vector<Resources> free_;
  std::int64_t best_ = std::numeric_limits<std::int64_t>::max();
};

struct RandomCase {
  std::vector<InstanceDemand> demands{};
  std::vector<VmType> types{};
};

RandomCase DrawCase(Rng& rng, std::uint64_t services_max, std::uint64_t instances_max) {
  const auto draw = [&](std::uint64_t least, std::uint64_t most) {
    return static_cast<std::int64_t>(least + rng.Below(most - least + 1));
  };
  RandomCase drawn;
  const std::uint64_t services = 1 + rng.Below(services_max);
  for (std::uint64_t s = 0; s < services; ++s) {
    drawn.demands.push_back(DemandOf("s", draw(1, 5), draw(1, 5),
                                     static_cast<std::uint32_t>(rng.Below(instances_max + 1))));
  }
  const std::uint64_t types = rng.Below(3);
  for (std::uint64_t t = 0; t < types; ++t) {
    const std::int64_t cpu = draw(1, 10);
    const std::int64_t memory = draw(1, 10);
    drawn.types.push_back(
        TypeOf("t", cpu, memory, static_cast<double>(cpu + memory + draw(0, 4)) / 16));
  }
  drawn.types.push_back(TypeOf("large", 8, 8, static_cast<double>(draw(12, 20)) / 16));
  return drawn;
}

void ExpectHoldsAll(const VmMix& mix, const RandomCase& drawn) {
  std::vector<std::uint64_t> placed(drawn.demands.size(), 0);
  std::int64_t price = 0;
  for (const VmGroup& group : mix.groups) {
    const VmType& type = drawn.types[group.type];
    EXPECT_TRUE(ResourcesOf(drawn.demands, group.instances).FitsIn(type.capacity));
    price += static_cast<std::int64_t>(group.count) * type.hour_micros;
    for (std::size_t s = 0; s < placed.size(); ++s) placed[s] += group.count * group.instances[s];
  }
  for (std::size_t s = 0; s < placed.size(); ++s) {
    EXPECT_EQ(placed[s], drawn.demands[s].instances);
  }
  EXPECT_EQ(mix.hour_micros, price);
  EXPECT_LE(mix.bound_micros, mix.hour_micros);
  EXPECT_LE(VmMixBound(drawn.demands, drawn.types), mix.hour_micros);
}

TEST(VmMix, IsTheCheapestOfAllPackings) {
  Rng rng(3);
  for (int round = 0; round < 300; ++round) {
    const RandomCase drawn = DrawCase(rng, 3, 2);
    const VmMix mix = CheapestVmMix(drawn.demands, drawn.types).value();
    ExpectHoldsAll(mix, drawn);
    EXPECT_TRUE(mix.exact);
    EXPECT_EQ(mix.hour_micros, EveryPacking(drawn.demands, drawn.types).Cheapest()) << round;
  }
}

// Where the exact solution is not looked for, what is found is not far from it.
TEST(VmMix, TheGreedyWaysComeClose) {
  Rng rng(4);
  double found = 0;
  double best = 0;
  for (int round = 0; round < 200; ++round) {
    const RandomCase drawn = DrawCase(rng, 3, 12);
    const VmMix exact =
        CheapestVmMix(drawn.demands, drawn.types, {.steps_max = 100'000'000}).value();
    ASSERT_TRUE(exact.exact);
    const VmMix greedy = CheapestVmMix(drawn.demands, drawn.types, {.steps_max = 0}).value();
    ExpectHoldsAll(greedy, drawn);
    EXPECT_EQ(greedy.exact, false);
    EXPECT_GE(greedy.hour_micros, exact.hour_micros) << round;
    found += static_cast<double>(greedy.hour_micros);
    best += static_cast<double>(exact.hour_micros);
  }
  EXPECT_LE(found, 1.05 * best);
}

TEST(VmMix, LargeCasesAreWithinReachOfTheBound) {
  Rng rng(5);
  const std::vector<VmType> types = {TypeOf("a", 4, 8, 0.2), TypeOf("b", 8, 16, 0.39),
                                     TypeOf("c", 4, 32, 0.3), TypeOf("d", 16, 16, 0.6)};
  for (int round = 0; round < 20; ++round) {
    RandomCase drawn{.types = types};
    for (int s = 0; s < 6; ++s) {
      drawn.demands.push_back(DemandOf("s", static_cast<std::int64_t>(1 + rng.Below(3)),
                                       static_cast<std::int64_t>(1 + rng.Below(8)),
                                       static_cast<std::uint32_t>(rng.Below(2'000))));
    }
    const VmMix mix = CheapestVmMix(drawn.demands, drawn.types).value();
    ExpectHoldsAll(mix, drawn);
    EXPECT_FALSE(mix.exact);
    EXPECT_LE(static_cast<double>(mix.hour_micros), 1.02 * static_cast<double>(mix.bound_micros));
  }
}

}  // namespace
}  // namespace berth

#include "allocate/evict.h"

#include <gtest/gtest.h>

#include <bit>

#include "support/random_fleet.h"

namespace berth {
namespace {

using testing::PutInto;
using testing::Sized;

// A machine of 16 cpu and 64Gi with instances of these sizes on it.
class CrowdedMachine {
 public:
  explicit CrowdedMachine(const std::vector<Resources>& sizes) {
    PutInto(view_, PolicyText{testing::PolicyWithEvictions(100)});
    PutInto(view_, Tenant{.name = TenantId("acme"), .quota = std::nullopt});
    Machine machine;
    machine.name = MachineId("m");
    machine.capacity = Sized(16, 64);
    PutInto(view_, machine);
    Service batch;
    batch.name = "batch";
    batch.tenant = TenantId("acme");
    batch.klass = ClassId("bronze");
    PutInto(view_, batch);
    for (const Resources& size : sizes) {
      Instance instance;
      instance.id = {"batch", static_cast<std::uint32_t>(view_.machines()[0].instances.size())};
      instance.limit = size;
      instance.machine = MachineId("m");
      instance.state = InstanceState::kRunning;
      instance.timeline.created = Time(std::chrono::seconds(instance.id.number % 3));
      PutInto(view_, instance);
    }
  }

  const MachineState& machine() const { return view_.machines()[0]; }
  const Inventory& view() const { return view_; }
  std::vector<std::uint32_t> Victims(const Resources& need) const {
    std::vector<std::uint32_t> numbers;
    for (const Instance* victim : ChooseVictims(view_, machine(), need)) {
      numbers.push_back(victim->id.number);
    }
    return numbers;
  }
  bool Fits(const Resources& need, std::uint32_t without) const {
    Resources free = machine().Free();
    for (const Instance& instance : view_.FindService("batch")->instances) {
      if ((without >> instance.id.number & 1) != 0) free += instance.limit;
    }
    return need.FitsIn(free);
  }

 private:
  Inventory view_;
};

TEST(ChooseVictims, TakesTheOneThatCoversMost) {
  const CrowdedMachine crowd({Sized(2, 4), Sized(8, 4), Sized(6, 4)});
  EXPECT_TRUE(crowd.Victims(Sized(0, 32)).empty());  // There is room.
  EXPECT_EQ(crowd.Victims(Sized(7, 4)), (std::vector<std::uint32_t>{1}));
}

TEST(ChooseVictims, LeavesThoseAloneThatLaterOnesMakeNeedless) {
  // Both lack: the first covers most of them together, the other two all of them.
  const CrowdedMachine crowd({Sized(6, 26), Sized(5, 30), Sized(5, 8)});
  const std::vector<std::uint32_t> victims = crowd.Victims(Sized(10, 30));
  EXPECT_EQ(victims.size(), 2U);
}

TEST(ChooseVictims, TakesTheLatestWhereEqual) {
  const CrowdedMachine crowd({Sized(4, 4), Sized(4, 4), Sized(4, 4), Sized(4, 4)});
  EXPECT_EQ(crowd.Victims(Sized(4, 4)), (std::vector<std::uint32_t>{2}));
}

TEST(ChooseVictims, TakesNobodyWhenAllAreNotEnough) {
  const CrowdedMachine crowd({Sized(4, 4)});
  EXPECT_TRUE(crowd.Victims(Sized(20, 4)).empty());
}

TEST(ChooseVictims, FindsSomeWheneverSomeSufficeAndFewestOfOneResource) {
  Rng rng(1);
  int evicted = 0;
  for (int round = 0; round < 2000; ++round) {
    const bool one_resource = rng.Below(2) == 0;
    std::vector<Resources> sizes;
    std::int64_t left = 16;
    while (left > 0 && sizes.size() < 8) {
      const auto cpu = std::min<std::int64_t>(1 + static_cast<std::int64_t>(rng.Below(6)), left);
      sizes.push_back(Sized(cpu, one_resource ? 1 : static_cast<std::int64_t>(rng.Below(8))));
      left -= cpu;
    }
    const CrowdedMachine crowd(sizes);
    const Resources need = Sized(1 + static_cast<std::int64_t>(rng.Below(16)),
                                 one_resource ? 1 : static_cast<std::int64_t>(rng.Below(64)));
    int fewest = INT_MAX;
    for (std::uint32_t set = 0; set < 1U << sizes.size(); ++set) {
      if (crowd.Fits(need, set)) fewest = std::min(fewest, std::popcount(set));
    }
    const std::vector<std::uint32_t> victims = crowd.Victims(need);
    if (fewest == 0 || fewest == INT_MAX) {
      EXPECT_TRUE(victims.empty());
      continue;
    }
    ++evicted;
    std::uint32_t set = 0;
    for (const std::uint32_t number : victims) set |= 1U << number;
    EXPECT_TRUE(crowd.Fits(need, set));
    for (const std::uint32_t number : victims) EXPECT_FALSE(crowd.Fits(need, set ^ 1U << number));
    if (one_resource) {
      EXPECT_EQ(std::ssize(victims), fewest);
    }
  }
  EXPECT_GT(evicted, 500);
}

}  // namespace
}  // namespace berth

// Admission control, live, against sums over the whole fleet.
#include "engine/promises.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "base/virtual_executor.h"
#include "berth/engine.h"
#include "berth/rng.h"
#include "store/memory_store.h"

namespace berth {
namespace {

constexpr std::string_view kPromisingPolicy = R"(
scheduler: {by: qos, admission: true}
classes:
- {name: gold, availability: 100%, importance: 3}
- {name: silver, availability: 90%, importance: 2, may_wait: true}
- {name: bronze, availability: 50%, importance: 1, may_wait: true}
)";

Resources CpuAndGib(std::int64_t cpu, std::int64_t gib) {
  Resources amounts;
  amounts[Resource::kCpu] = cpu * 1000;
  amounts[Resource::kMemory] = gib << 30;
  return amounts;
}

class PromisesTest : public ::testing::Test {
 protected:
  PromisesTest() {
    engine_.Start([](const Status& status) { EXPECT_TRUE(status.ok()) << status.message(); });
    Settle();
    InstanceType type;
    type.name = TypeId("one");
    type.size = CpuAndGib(1, 1);
    Ask(ChangeFleet{.put = {Tenant{.name = TenantId("t"), .quota = {}}, type}, .remove = {}});
    Ask(ApplyPolicy{std::string(kPromisingPolicy)});
  }

  void Settle() { executor_.RunUntil(executor_.now()); }
  Reply Ask(Action action, const std::string& key = "") {
    Reply answer{.status = Status(Code::kInternal, "no answer")};
    engine_.Submit({.what = std::move(action), .idempotency_key = key},
                   [&](Reply reply) { answer = std::move(reply); });
    Settle();
    return answer;
  }
  // "": accepted.
  std::string RefusedBy(const Reply& reply) {
    if (!reply.status.ok()) return reply.status.message();
    return reply.accepted() ? "" : reply.decision->refusal->rule.str();
  }
  static Machine MachineOf(const std::string& name, std::int64_t cpu) {
    Machine machine;
    machine.name = MachineId(name);
    machine.datacenter = DatacenterId("d");
    machine.cluster = ClusterId("c");
    machine.row = RowId("w");
    machine.rack = RackId("r");
    machine.sku = SkuId("k");
    machine.capacity = CpuAndGib(cpu, cpu);
    return machine;
  }
  void AddMachine(const std::string& name, std::int64_t cpu) {
    EXPECT_EQ(RefusedBy(Ask(ChangeFleet{.put = {MachineOf(name, cpu)}, .remove = {}})), "");
  }
  static CreateService NewService(const std::string& name, const std::string& klass,
                                  std::uint32_t count) {
    Service service;
    service.name = name;
    service.tenant = TenantId("t");
    service.klass = ClassId(klass);
    service.groups = {{TypeId("one"), RoleId(), count}};
    return {service};
  }

  VirtualExecutor executor_{TimeFromMicros(1'700'000'000'000'000)};
  MemoryStore store_;
  Engine engine_{store_, executor_, {.agents = 2}};
};

// Four cpu: bronze promises half of what it asks for, silver nine tenths.
TEST_F(PromisesTest, WhatWouldBreakPromisesIsRefused) {
  AddMachine("m", 4);
  EXPECT_EQ(RefusedBy(Ask(NewService("b", "bronze", 4))), "");  // 2 of 4.
  EXPECT_EQ(RefusedBy(Ask(NewService("s", "silver", 2))), "");  // 3.8 of 4, and waits its turn.
  const Reply refused = Ask(NewService("g", "gold", 1));
  ASSERT_EQ(RefusedBy(refused), "admission");
  EXPECT_EQ(refused.decision->refusal->because,
            "3.8 cpu are promised of the 4 that ready machines have, and 1 more would be");
  EXPECT_EQ(refused.decision->kind, DecisionKind::kCreate);
  EXPECT_EQ(engine_.view().FindService("g"), nullptr);
  EXPECT_EQ(engine_.stats().not_admitted, 1U);
  // One that may wait is refused too: waiting would not help.
  EXPECT_EQ(RefusedBy(Ask(NewService("s2", "silver", 1))), "admission");
  EXPECT_EQ(RefusedBy(Ask(DeleteService{"b"})), "");
  EXPECT_EQ(RefusedBy(Ask(NewService("s2", "silver", 1))), "");
}

TEST_F(PromisesTest, ScalingUpAndGrowingLimitsAreAskedToo) {
  AddMachine("m", 4);
  EXPECT_EQ(RefusedBy(Ask(NewService("b", "bronze", 6))), "");  // 3 of 4.
  EXPECT_EQ(RefusedBy(Ask(ScaleService{"b", {{TypeId("one"), RoleId(), 9}}})), "admission");
  EXPECT_EQ(RefusedBy(Ask(ScaleService{"b", {{TypeId("one"), RoleId(), 8}}})), "");
  EXPECT_EQ(RefusedBy(Ask(ResizeService{"b", TypeId("one"), CpuAndGib(2, 1)})), "admission");
  EXPECT_EQ(RefusedBy(Ask(ScaleService{"b", {{TypeId("one"), RoleId(), 2}}})), "");
  EXPECT_EQ(RefusedBy(Ask(ResizeService{"b", TypeId("one"), CpuAndGib(2, 1)})), "");
}

TEST_F(PromisesTest, OfALimitThatGrowsOnlyTheRiseIsAskedFor) {
  AddMachine("m", 4);
  EXPECT_EQ(RefusedBy(Ask(NewService("g", "gold", 1))), "");
  for (const std::int64_t cpu : {2, 3, 4}) {
    EXPECT_EQ(RefusedBy(Ask(ResizeService{"g", TypeId("one"), CpuAndGib(cpu, 1)})), "") << cpu;
  }
}

TEST_F(PromisesTest, OnlyReadyMachinesKeepPromises) {
  AddMachine("m0", 2);
  AddMachine("m1", 2);
  EXPECT_EQ(RefusedBy(Ask(SetHealth{MachineId("m1"), Health::kDraining})), "");
  EXPECT_EQ(RefusedBy(Ask(NewService("b", "bronze", 5))), "admission");
  EXPECT_EQ(RefusedBy(Ask(SetHealth{MachineId("m1"), Health::kReady})), "");
  EXPECT_EQ(RefusedBy(Ask(NewService("b", "bronze", 5))), "");
}

TEST_F(PromisesTest, WhatWasAskedForAndNotAnsweredCounts) {
  AddMachine("m", 4);
  std::vector<std::string> answers;
  for (int i = 0; i < 3; ++i) {
    engine_.Submit({.what = NewService(fmt::format("g{}", i), "gold", 2)},
                   [&](const Reply& reply) { answers.push_back(RefusedBy(reply)); });
  }
  Settle();
  EXPECT_EQ(answers.size(), 3U);
  EXPECT_EQ(std::ranges::count(answers, "admission"), 1);
}

TEST_F(PromisesTest, ARetryIsAnsweredAsBefore) {
  AddMachine("m", 4);
  EXPECT_EQ(RefusedBy(Ask(NewService("g", "gold", 3), "key")), "");
  const Reply again = Ask(NewService("g", "gold", 3), "key");
  EXPECT_TRUE(again.duplicate);
  EXPECT_EQ(RefusedBy(again), "");
  EXPECT_EQ(engine_.stats().not_admitted, 0U);
}

TEST_F(PromisesTest, OffUnlessAsked) {
  AddMachine("m", 2);
  std::string without(kPromisingPolicy);
  without.replace(without.find(", admission: true"), std::string(", admission: true").size(), "");
  EXPECT_EQ(RefusedBy(Ask(ApplyPolicy{without})), "");
  EXPECT_EQ(RefusedBy(Ask(NewService("b", "bronze", 5))), "");
  // And from then on for what comes.
  EXPECT_EQ(RefusedBy(Ask(ApplyPolicy{std::string(kPromisingPolicy)})), "");
  EXPECT_EQ(RefusedBy(Ask(NewService("b2", "bronze", 1))), "admission");
  EXPECT_EQ(RefusedBy(Ask(ScaleService{"b", {{TypeId("one"), RoleId(), 4}}})), "");
}

class ByTheBook {
 public:
  explicit ByTheBook(const Inventory& view) : view_(view) {}

  double Share(ClassId klass) const {
    return view_.settings().FindClass(klass)->availability_ppm * 1e-6;
  }
  // Of cpu; memory goes along.
  double Left() const {
    double left = 0;
    for (const MachineState& machine : view_.machines()) {
      if (machine.vacant() || machine.record.health != Health::kReady) continue;
      left += static_cast<double>(machine.usable[Resource::kCpu]);
    }
    for (const ServiceState& service : view_.services()) {
      for (const KeptInstance& instance : service.instances) {
        if (instance.state == InstanceState::kEnded) continue;
        left -= Share(service.record.klass) * static_cast<double>(instance.limit[Resource::kCpu]);
      }
    }
    return left;
  }

 private:
  const Inventory& view_;
};

TEST_F(PromisesTest, DecidesAsSumsOverTheWholeFleetSay) {
  Rng rng(3);
  const ByTheBook book(engine_.view());
  for (int i = 0; i < 4; ++i) AddMachine(fmt::format("m{}", i), 6);
  constexpr std::array<std::string_view, 3> kClasses = {"gold", "silver", "bronze"};
  std::size_t refused = 0;
  std::size_t admitted = 0;
  for (int step = 0; step < 1500; ++step) {
    executor_.RunUntil(executor_.now() + std::chrono::seconds(rng.Below(5)));
    const std::string name = fmt::format("s{}", rng.Below(12));
    const ServiceState* service = engine_.view().FindService(name);
    const auto count = static_cast<std::uint32_t>(1 + rng.Below(5));
    Action action = DeleteService{name};
    double more = 0;
    if (service == nullptr) {
      const std::string klass(kClasses[rng.Below(3)]);
      action = NewService(name, klass, count);
      more = 1000.0 * count * book.Share(ClassId(klass));
    } else if (rng.Below(3) == 0) {
      action = ScaleService{name, {{TypeId("one"), RoleId(), count}}};
      more = 1000 * (static_cast<double>(count) - service->record.groups[0].count) *
             book.Share(service->record.klass);
    } else if (rng.Below(3) == 0) {
      action = ReportInstance{{name, service->instances[0].id.number}, Reported::kEnded};
    } else if (rng.Below(4) == 0) {
      const bool ready = rng.Below(4) != 0;
      action = SetHealth{MachineId(fmt::format("m{}", rng.Below(4))),
                         ready ? Health::kReady : Health::kDraining};
    }
    const bool too_much = more > 0 && more > book.Left() + 0.5;
    const std::string by = RefusedBy(Ask(std::move(action)));
    ASSERT_EQ(by == "admission", too_much) << "step " << step << " " << by;
    refused += too_much ? 1U : 0U;
    admitted += more > 0 && by.empty() ? 1U : 0U;
  }
  EXPECT_GT(refused, 100U);
  EXPECT_GT(admitted, 60U);
}

}  // namespace
}  // namespace berth

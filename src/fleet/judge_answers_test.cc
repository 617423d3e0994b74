// What the validator says of a change that it does not let through.
#include <gtest/gtest.h>

#include <algorithm>

#include "fleet/inventory.h"
#include "fleet/judge.h"

namespace berth {
namespace {

constexpr Time kNow = TimeFromMicros(1'000'000);

Resources Cpu(std::int64_t millicores) {
  Resources amounts;
  amounts[Resource::kCpu] = millicores;
  return amounts;
}

Machine MachineNamed(std::string_view name, std::string_view sku = "s1") {
  Machine machine;
  machine.name = MachineId(name);
  machine.datacenter = DatacenterId("dc");
  machine.cluster = ClusterId("c");
  machine.row = RowId("r");
  machine.rack = RackId("k");
  machine.sku = SkuId(sku);
  machine.capacity = Cpu(8000);
  return machine;
}

Service ServiceNamed(const std::string& name) {
  return {.name = name,
          .tenant = TenantId("t"),
          .klass = ClassId("gold"),
          .groups = {{.type = TypeId("small"), .role = RoleId(), .count = 1}},
          .constraints = {},
          .yield_whole = false,
          .next_number = 1};
}

Instance InstanceOn(const std::string& service, std::string_view machine) {
  Instance instance;
  instance.id = {service, 0};
  instance.type = TypeId("small");
  instance.machine = MachineId(machine);
  instance.limit = Cpu(1000);
  return instance;
}

class JudgeAnswers : public ::testing::Test {
 protected:
  JudgeAnswers() {
    Tenant tenant;
    tenant.name = TenantId("t");
    tenant.quota = Cpu(2000);
    for (const Resource r : kAllResources) {
      if (r != Resource::kCpu) (*tenant.quota)[r] = kUnlimited;
    }
    InstanceType type;
    type.name = TypeId("small");
    type.size = Cpu(1000);
    Apply({Put{tenant}, Put{type}, Put{MachineNamed("m1")}, Put{MachineNamed("m2")}});
  }

  void Apply(std::vector<Operation> operations) {
    Judgement judgement = JudgeNow(std::move(operations));
    ASSERT_FALSE(judgement.violation) << judgement.violation->because;
    const Revision revision = Next(inventory_.revision());
    for (Update& update : judgement.updates) update.revision = revision;
    inventory_.Apply({.revision = revision, .at = kNow, .updates = std::move(judgement.updates)});
  }

  Judgement JudgeNow(std::vector<Operation> operations) {
    return JudgeAt(inventory_.revision(), std::move(operations));
  }
  Judgement JudgeAt(Revision seen, std::vector<Operation> operations) {
    ChangeSet change;
    change.operations = std::move(operations);
    change.seen = seen;
    change.at = kNow;
    return Judge(inventory_, change, kNow);
  }

  static bool Names(const Judgement& judgement, const RecordKey& key) {
    return std::ranges::find(judgement.named, key) != judgement.named.end();
  }

  Inventory inventory_;
};

TEST_F(JudgeAnswers, AMachineRemovedSinceIsAStaleViewNotARefusal) {
  const Revision seen = inventory_.revision();
  Apply({Remove{KeyOf(RecordKind::kMachine, "m1")}});
  const std::vector<Operation> place = {Put{ServiceNamed("a")}, Put{InstanceOn("a", "m1")}};
  const Judgement stale = JudgeAt(seen, place);
  ASSERT_TRUE(stale.violation);
  EXPECT_TRUE(stale.stale);
  EXPECT_TRUE(Names(stale, KeyOf(RecordKind::kMachine, "m1")));
  EXPECT_FALSE(JudgeNow(place).stale);
}

TEST_F(JudgeAnswers, QuotaTakenByAnotherServiceSinceIsAStaleViewNotARefusal) {
  Apply({Put{ServiceNamed("a")}, Put{InstanceOn("a", "m1")}});
  const Revision seen = inventory_.revision();
  Apply({Put{ServiceNamed("b")}, Put{InstanceOn("b", "m2")}});
  const std::vector<Operation> grow = {Resize{{"a", 0}, Cpu(2000)}};
  const Judgement stale = JudgeAt(seen, grow);
  ASSERT_TRUE(stale.violation);
  EXPECT_EQ(stale.violation->rule, RuleId("quota"));
  EXPECT_TRUE(stale.stale);
  EXPECT_FALSE(JudgeNow(grow).stale);
}

TEST_F(JudgeAnswers, ABrokenGuardStillNamesEverythingAndTheLease) {
  ChangeSet change;
  change.operations = {Put{ServiceNamed("a")}, Put{InstanceOn("a", "m1")}};
  change.seen = inventory_.revision();
  change.guard = LeaseGuard{.lease = "controller", .epoch = 3};
  const Judgement judgement = Judge(inventory_, change, kNow);
  ASSERT_TRUE(judgement.violation);
  EXPECT_EQ(judgement.violation->rule, RuleId("lease"));
  EXPECT_TRUE(judgement.updates.empty());
  EXPECT_TRUE(Names(judgement, KeyOf(RecordKind::kLease, "controller")));
  EXPECT_TRUE(Names(judgement, KeyOf(InstanceId{"a", 0})));
  EXPECT_TRUE(Names(judgement, KeyOf(RecordKind::kMachine, "m1")));
}

TEST_F(JudgeAnswers, ALeaseThatAnotherHoldsIsNamed) {
  Apply({Put{Lease{.name = "l", .holder = "x", .epoch = 0, .expires = kNow + Duration(5)}}});
  const Judgement judgement =
      JudgeNow({Put{Lease{.name = "l", .holder = "y", .epoch = 0, .expires = kNow + Duration(5)}}});
  ASSERT_TRUE(judgement.violation);
  EXPECT_TRUE(Names(judgement, KeyOf(RecordKind::kLease, "l")));
}

TEST_F(JudgeAnswers, ARetryIsADuplicateEvenWhenItAlsoCollides) {
  const Revision seen = inventory_.revision();
  const std::vector<Operation> create = {
      Put{ServiceNamed("a")}, Put{InstanceOn("a", "m1")},
      Put{Idempotency{
          .key = "k", .request_hash = 7, .decision = {"a0", 1}, .expires = kNow + Duration(5)}}};
  Apply(create);
  const Judgement judgement = JudgeAt(seen, create);
  ASSERT_TRUE(judgement.duplicate_of);
  EXPECT_EQ(*judgement.duplicate_of, (DecisionId{"a0", 1}));
  EXPECT_TRUE(Names(judgement, KeyOf(RecordKind::kService, "a")));
}

TEST_F(JudgeAnswers, AClusterWhoseMachinesAreAllReplacedChangesItsSku) {
  Apply({Put{MachineNamed("m1", "s2")}, Put{MachineNamed("m2", "s2")}});
  Apply({Put{MachineNamed("m3", "s2")}});
  EXPECT_TRUE(JudgeNow({Put{MachineNamed("m4", "s1")}}).violation);
}

}  // namespace
}  // namespace berth

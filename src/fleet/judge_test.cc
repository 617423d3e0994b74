// What the validator refuses of records, and with which words; of placements see
// judge_placement_test.cc. What it accepts is compared with a plain reference in reference_test.cc.
#include "fleet/judge.h"

#include <gtest/gtest.h>

#include "fleet/fleet_testing.h"

namespace berth {
namespace {

TEST(JudgeNames, AreCheckedInEveryRecord) {
  const World world;
  EXPECT_EQ(world.Why({Put{Tenant{.name = TenantId("a/b"), .quota = {}}}}),
            "names: tenant a/b: a name is 1 to 128 letters, digits, '.', '_' or '-'");
  EXPECT_EQ(world.Why({Put{Tenant{}}}),
            "names: tenant : a name is 1 to 128 letters, digits, '.', '_' or '-'");
  EXPECT_EQ(world.Why({Put{InstanceType{
                .name = TypeId("t t"), .size = Amounts(1), .skus = {}, .requires_labels = {}}}}),
            "names: type t t: a name is 1 to 128 letters, digits, '.', '_' or '-'");
  EXPECT_EQ(
      world.Why({Put{InstanceType{.name = TypeId("t"),
                                  .size = Amounts(1),
                                  .skus = {SkuId("a b")},
                                  .requires_labels = {}}}}),
      "names: type t: its sku 'a b' is not a name: 1 to 128 letters, digits, '.', '_' or '-'");
  EXPECT_EQ(world.Why({Put{MachineIn("m 9")}}),
            "names: machine m 9: a name is 1 to 128 letters, digits, '.', '_' or '-'");
  EXPECT_EQ(world.Why({Put{MachineIn("m9", "k/1")}}),
            "names: machine m9: its rack 'k/1' is not a name: 1 to 128 letters, digits, '.', '_' "
            "or '-'");
  EXPECT_EQ(world.Why({Put{ServiceOf("w:b", 0)}}),
            "names: service w:b: a name is 1 to 128 letters, digits, '.', '_' or '-'");
  Service roles = ServiceOf("web", 0);
  roles.groups[0].role = RoleId("a b");
  EXPECT_EQ(world.Why({Put{roles}}),
            "names: service web: its role 'a b' is not a name: 1 to 128 letters, digits, '.', '_' "
            "or '-'");
  EXPECT_EQ(world.Why({Put{Lease{.name = "", .holder = "h", .expires = {}}}}),
            "names: lease : a name is 1 to 128 letters, digits, '.', '_' or '-'");
  EXPECT_EQ(world.Why({Put{Lease{.name = "l", .holder = "", .expires = {}}}}),
            "names: lease: a holder is 1 to 256 printable characters without spaces");
  EXPECT_EQ(world.Why({Put{Idempotency{.key = "a\nb", .decision = {}, .expires = {}}}}),
            "names: idempotency key: a key is 1 to 256 printable characters without spaces");
  Decision decision;
  decision.id = {"a 0", 1};
  EXPECT_EQ(world.Why({Put{decision}}),
            "names: decision a 0-1: a name is 1 to 128 letters, digits, '.', '_' or '-'");
}

TEST(JudgeNames, LabelsAreSortedAndEachThereOnce) {
  const World world;
  Machine machine = MachineIn("m9");
  machine.labels = {{LabelName("b"), LabelName("1")}, {LabelName("a"), LabelName("1")}};
  EXPECT_EQ(world.Why({Put{machine}}), "names: machine m9: label a is there twice or out of order");
  machine.labels = {{LabelName("a"), LabelName("1")}, {LabelName("a"), LabelName("2")}};
  EXPECT_EQ(world.Why({Put{machine}}), "names: machine m9: label a is there twice or out of order");
  Service service = ServiceOf("web", 0);
  service.constraints.labels = OneLabel("a", "x y");
  EXPECT_EQ(world.Why({Put{service}}),
            "names: service web: label 'a: x y' is not made of letters, digits, '.', '_' or '-'");
}

TEST(JudgeAmounts, AreNeitherNegativeNorTooLargeNorNothing) {
  const World world;
  Machine machine = MachineIn("m9");
  machine.capacity[Resource::kCpu] = -1;
  EXPECT_EQ(world.Why({Put{machine}}),
            "amounts: machine m9: cpu must be 0 to 4503599627370496, not -1");
  machine.capacity[Resource::kCpu] = kAmountMax + 1;
  EXPECT_EQ(world.Why({Put{machine}}),
            "amounts: machine m9: cpu must be 0 to 4503599627370496, not 4503599627370497");
  InstanceType type{.name = TypeId("t"), .size = {}, .skus = {}, .requires_labels = {}};
  EXPECT_EQ(world.Why({Put{type}}),
            "amounts: type t: its size is nothing; give it at least cpu or memory");
  Tenant tenant{.name = TenantId("t"), .quota = Amounts(-1)};
  EXPECT_EQ(world.Why({Put{tenant}}), "amounts: tenant t: its quota of cpu is negative");
  EXPECT_EQ(world.Why(Create(ServiceOf("web", 1), {"m1"}, 0)),
            "amounts: instance web/0: its limit is nothing; give it at least cpu or memory");
}

TEST(JudgeSize, AGangAndAChangeAreBounded) {
  const World world;
  EXPECT_EQ(world.Why({Put{ServiceOf("web", 2001)}}),
            "size: service web: 2001 instances, at most 2000 in one service");
  Service wraps = ServiceOf("web", UINT32_MAX);
  wraps.groups.push_back({TypeId("small"), RoleId("r"), 2});
  EXPECT_EQ(world.Why({Put{wraps}}),
            "size: service web: 4294967297 instances, at most 2000 in one service");
  EXPECT_EQ(world.Why(Operations(20'001, Operation(Put{MachineIn("m9")}))),
            "size: a change holds at most 20000 operations, not 20001; split it");
}

TEST(JudgeExists, WhatIsNamedMustBeThere) {
  World world;
  world.Do(Create(ServiceOf("web", 1), {"m1"}));
  Service stray = ServiceOf("stray", 0);
  stray.tenant = TenantId("nobody");
  EXPECT_EQ(world.Why({Put{stray}}), "exists: there is no tenant nobody; create it first");
  stray = ServiceOf("stray", 0);
  stray.groups[0].type = TypeId("huge");
  EXPECT_EQ(world.Why({Put{stray}}), "exists: service stray: there is no type huge");
  stray = ServiceOf("stray", 0);
  stray.klass = ClassId("lead");
  EXPECT_EQ(world.Why({Put{stray}}), "exists: service stray: the policy has no class 'lead'");
  EXPECT_EQ(world.Why({Put{InstanceOf("ghost", 0)}}),
            "exists: instance ghost/0: there is no service ghost");
  EXPECT_EQ(world.Why({Put{InstanceOf("web", 0)}}), "exists: instance web/0 exists already");
  EXPECT_EQ(world.Why(Create(ServiceOf("more", 1), {"m9"})),
            "exists: machine m9 is not in the fleet, or changes at the same time; place on it "
            "afterwards");
  EXPECT_EQ(world.Why(Create(ServiceOf("more", 1), {"m9"}) + Operations{Put{MachineIn("m9")}}),
            "exists: machine m9 is not in the fleet, or changes at the same time; place on it "
            "afterwards");
  EXPECT_EQ(world.Why({Resize{{"web", 7}, Amounts(1)}}), "exists: there is no instance web/7");
  EXPECT_EQ(world.Why({Move{{"ghost", 0}, MachineId(), MachineId("m1")}}),
            "exists: there is no instance ghost/0");
  EXPECT_EQ(world.Why({SetPending{{"web", 7}, MachineId("m1")}}),
            "exists: there is no instance web/7");
  EXPECT_EQ(world.Why({Transition{{"web", 7}, Reported::kStarted}}),
            "exists: there is no instance web/7");
  EXPECT_EQ(world.Why({Drop(RecordKind::kTenant, "nobody")}), "exists: there is no tenant nobody");
  EXPECT_EQ(world.Why({Drop(RecordKind::kType, "huge")}), "exists: there is no type huge");
  EXPECT_EQ(world.Why({Drop(RecordKind::kMachine, "m9")}), "exists: there is no machine m9");
  EXPECT_EQ(world.Why({Drop(RecordKind::kService, "ghost")}), "exists: there is no service ghost");
  EXPECT_EQ(world.Why({Drop({"web", 7})}), "exists: there is no instance web/7");
  EXPECT_EQ(world.Why({Drop(RecordKind::kPolicy, "")}), "exists: there is no policy");
  EXPECT_EQ(world.Why({Drop(RecordKind::kLease, "l")}), "exists: there is no lease l");
  EXPECT_EQ(world.Why({Drop(RecordKind::kIdempotency, "k")}),
            "exists: there is no idempotency key k");
}

TEST(JudgeFixed, TenantAndIsolationStay) {
  World world;
  world.Do(Create(ServiceOf("web", 1), {"m1"}));
  const std::string refused =
      "fixed: service web cannot change its tenant or isolation; delete it "
      "and create it anew";
  Service other = ServiceOf("web", 1);
  other.tenant = TenantId("rival");
  EXPECT_EQ(world.Why({Put{other}}), refused);
  other = ServiceOf("web", 1);
  other.constraints.isolate = true;
  EXPECT_EQ(world.Why({Put{other}}), refused);
  other = ServiceOf("web", 1);
  other.klass = ClassId("bronze");
  EXPECT_EQ(world.Why({Put{other}}), "");
}

TEST(JudgeOneSku, AClusterHoldsMachinesOfOne) {
  World world;
  Machine odd = MachineIn("m9");
  odd.sku = SkuId("gen2");
  EXPECT_EQ(world.Why({Put{odd}}),
            "one-sku: machine m9 is a gen2 but cluster c1 holds gen1; a cluster holds one SKU");
  Machine elsewhere = odd;
  elsewhere.cluster = ClusterId("c2");
  EXPECT_EQ(world.Why({Put{elsewhere}}), "");
  Machine third = MachineIn("m8");
  third.cluster = ClusterId("c2");
  EXPECT_EQ(world.Why({Put{third}, Put{elsewhere}}),
            "one-sku: machine m9 is a gen2 but machine m8 of the same cluster c2 is a gen1; a "
            "cluster holds one SKU");
  // All of it at once is another cluster.
  Operations all;
  for (const char* name : {"m1", "m2", "m3"}) {
    Machine machine = MachineIn(name);
    machine.sku = SkuId("gen2");
    all.emplace_back(Put{machine});
  }
  EXPECT_EQ(world.Why({all[0], all[1]}),
            "one-sku: machine m1 is a gen2 but cluster c1 holds gen1; a cluster holds one SKU");
  world.Do(all);
  EXPECT_EQ(world.inventory().clusters()[0].sku, SkuId("gen2"));
  EXPECT_EQ(world.Why({Put{odd}}), "");
}

TEST(JudgeInUse, WhatIsUsedIsNotRemoved) {
  World world;
  world.Do(Create(ServiceOf("web", 1), {"m1"}));
  EXPECT_EQ(world.Why({Drop(RecordKind::kMachine, "m1")}),
            "in-use: machine m1 still holds instances; drain it first");
  EXPECT_EQ(world.Why({Drop(RecordKind::kTenant, "acme")}),
            "in-use: tenant acme still owns services; delete them first");
  EXPECT_EQ(world.Why({Drop(RecordKind::kType, "small")}),
            "in-use: type small is used by service web; delete that first");
  const Operation gone = Drop(RecordKind::kService, "web");
  EXPECT_EQ(world.Why({gone, Drop(RecordKind::kMachine, "m1"), Drop(RecordKind::kTenant, "acme"),
                       Drop(RecordKind::kType, "small")}),
            "");
  EXPECT_EQ(world.Why({Drop(RecordKind::kMachine, "m1"),
                       Move{{"web", 0}, MachineId("m1"), MachineId("m2")}}),
            "");
  // One that comes in the change that takes its tenant away.
  Service late = ServiceOf("late", 0);
  late.tenant = TenantId("rival");
  EXPECT_EQ(world.Why({Put{late}, Drop(RecordKind::kTenant, "rival")}),
            "in-use: tenant rival still owns services; delete them first");
  EXPECT_EQ(world.Why({Remove{{RecordKind::kDecision, "a0", 1}}}),
            "decisions: decisions are never removed; the log forgets them by age");
}

TEST(JudgeInUse, AMachineStaysWhereItIsAndKeepsItsRoom) {
  World world;
  world.Do(Create(ServiceOf("web", 1), {"m1"}, 4));
  const std::string refused =
      "in-use: machine m1 holds instances and cannot change its rack, update domain or SKU; "
      "drain it first";
  EXPECT_EQ(world.Why({Put{MachineIn("m1", "k9")}}), refused);
  Machine machine = MachineIn("m1");
  machine.capacity = Amounts(3, 32);
  EXPECT_EQ(world.Why({Put{machine}}),
            "in-use: machine m1 has 4 cpu of 3 allocated; drain it before shrinking it");
  machine.capacity = Amounts(4, 1);
  EXPECT_EQ(world.Why({Put{machine}}), "");
  EXPECT_EQ(
      world.Why({Put{MachineIn("m1", "k9")}, Move{{"web", 0}, MachineId("m1"), MachineId("m2")}}),
      "");
  EXPECT_EQ(world.Why({Put{MachineIn("m2", "k9")}}), "");
}

// A ratio lowered under running instances must not keep their machine from failing.
TEST(JudgeInUse, AnOverfullMachineMayStillChangeHealth) {
  World world;
  world.SetPolicy("oversubscription: {cpu: 200%}");
  world.Do(Create(ServiceOf("web", 1), {"m1"}, 16));
  world.SetPolicy("oversubscription: {cpu: 100%}");
  Machine machine = MachineIn("m1");
  machine.health = Health::kDown;
  EXPECT_EQ(world.Why({Put{machine}}), "");
  machine.capacity = Amounts(7, 32);
  EXPECT_EQ(world.Why({Put{machine}}),
            "in-use: machine m1 has 16 cpu of 7 allocated; drain it before shrinking it");
}

TEST(JudgePolicy, MustBeReadableAndKeepTheClassesInUse) {
  World world;
  EXPECT_EQ(world.Why({Put{PolicyText{"oversubscription: {cpu: 50%}"}}}),
            "policy: policy:1:25: oversubscription.cpu: '50%' is out of range; write a share from "
            "100% to 10000%, like 150% or 1.5");
  const PolicyText only_lead{"classes: [{name: lead, availability: 1%, importance: 1}]"};
  EXPECT_EQ(world.Why({Put{only_lead}}), "");
  Service lead = ServiceOf("lead", 0);
  lead.klass = ClassId("lead");
  EXPECT_EQ(world.Why({Put{only_lead}, Put{lead}}), "") << "with the policy that it comes with";
  world.Do(Create(ServiceOf("web", 0), {}));
  EXPECT_EQ(world.Why({Put{only_lead}}),
            "in-use: class gold is used by service web; keep it in the policy");
  EXPECT_EQ(world.Why({Put{only_lead}, Drop(RecordKind::kService, "web")}), "");
}

TEST(JudgeNumbers, AreNotReused) {
  World world;
  world.Do(Create(ServiceOf("web", 2), {"m1", "m1"}));
  EXPECT_EQ(world.inventory().FindService("web")->record.next_number, 2U);
  Operations replace = {Drop({"web", 1}), Put{InstanceOf("web", 2, "m2")}};
  world.Do(replace);
  EXPECT_EQ(world.inventory().FindService("web")->record.next_number, 3U);
  EXPECT_EQ(world.Why({Drop({"web", 2}), Put{InstanceOf("web", 1, "m2")}}),
            "numbers: instance web/1: numbers are not reused; service web continues at 3");
  Service forgets = ServiceOf("web", 2);
  forgets.next_number = 0;
  world.Do({Put{forgets}});
  EXPECT_EQ(world.inventory().FindService("web")->record.next_number, 3U);
}

}  // namespace
}  // namespace berth

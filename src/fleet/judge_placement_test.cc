// What the validator refuses of placements: room, health, support, isolation, spread, quota.
#include <gtest/gtest.h>

#include "fleet/fleet_testing.h"
#include "fleet/judge.h"

namespace berth {
namespace {

// More limits than a 64-bit sum holds.
TEST(JudgeFits, SumsBeyondEveryMachineDoNotOverflow) {
  const World world;
  Operations operations;
  for (const char* name : {"a", "b", "c"}) {
    operations.emplace_back(Put{ServiceOf(name, 2000)});
    for (std::uint32_t i = 0; i < 2000; ++i) {
      Instance instance = InstanceOf(name, i, "m1");
      instance.limit[Resource::kCpu] = kAmountMax;
      operations.emplace_back(Put{instance});
    }
  }
  EXPECT_EQ(world.Why(operations),
            "fits: machine m1 would have 9223372036854775.807 cpu of 8 allocated");
}

TEST(JudgeFits, ALimitMayFillAMachineAndNoMore) {
  World world;
  world.Do(Create(ServiceOf("web", 2), {"m1", "m1"}, 4));
  EXPECT_EQ(world.Why(Create(ServiceOf("more", 1), {"m1"}, 1)),
            "fits: machine m1 would have 9 cpu of 8 allocated");
  EXPECT_EQ(world.Why({Resize{{"web", 0}, Amounts(5)}}),
            "fits: machine m1 would have 9 cpu of 8 allocated");
  EXPECT_EQ(world.Why({Resize{{"web", 0}, Amounts(5)}, Resize{{"web", 1}, Amounts(3)}}), "");
  EXPECT_EQ(world.Why({Resize{{"web", 0}, Amounts(4, 33)}}),
            "fits: machine m1 would have 33Gi memory of 32Gi allocated");
  // Preempt and place in one change.
  EXPECT_EQ(world.Why(Create(ServiceOf("more", 1), {"m1"}, 4) +
                      Operations{SetPending{{"web", 0}, MachineId("m1"), WaitReason::kPreempted}}),
            "");
}

TEST(JudgeFits, OnlyTheOutcomeCounts) {
  World world;
  world.Do(Create(ServiceOf("full", 1), {"m2"}, 8) + Create(ServiceOf("web", 1), {"m1"}));
  EXPECT_EQ(world.Why({Move{{"web", 0}, MachineId("m1"), MachineId("m2")},
                       Move{{"web", 0}, MachineId("m2"), MachineId("m3")}}),
            "");
  EXPECT_EQ(world.Why({Resize{{"full", 0}, Amounts(9)}, Resize{{"full", 0}, Amounts(8)}}), "");
}

TEST(JudgeFits, TheOversubscriptionRatioStretchesCapacity) {
  World world;
  world.SetPolicy("oversubscription: {cpu: 150%}");
  world.Do(Create(ServiceOf("web", 3), {"m1", "m1", "m1"}, 4));
  EXPECT_EQ(world.Why(Create(ServiceOf("more", 1), {"m1"}, 1)),
            "fits: machine m1 would have 13 cpu of 12 allocated");
  EXPECT_EQ(world.inventory().Find(MachineId("m1"))->usable, Amounts(12, 32));
  // A lower ratio evicts nobody, but lets nobody in, not even where memory alone is asked.
  world.SetPolicy("oversubscription: {cpu: 120%}");
  Operations only_memory = Create(ServiceOf("mem", 1), {"m1"});
  std::get<Instance>(std::get<Put>(only_memory[1]).record).limit = Amounts(0, 1);
  EXPECT_EQ(world.Why(only_memory), "fits: machine m1 would have 12 cpu of 9.6 allocated");
  EXPECT_EQ(world.Why({Resize{{"web", 0}, Amounts(3)}}), "");
}

TEST(JudgeFits, APolicyInTheSameChangeAlreadyCounts) {
  const World world;
  const Operations placed = Create(ServiceOf("web", 1), {"m1"}, 12);
  EXPECT_EQ(world.Why(placed + Operations{Put{PolicyText{"oversubscription: {cpu: 150%}"}}}), "");
}

TEST(JudgeHealth, OnlyAReadyMachineTakesInstances) {
  World world;
  world.Do(Create(ServiceOf("web", 1), {"m1"}));
  for (const Health health : {Health::kDraining, Health::kDown, Health::kUpdating}) {
    Machine machine = MachineIn("m1");
    machine.health = health;
    world.Do({Put{machine}});
    EXPECT_EQ(
        world.Why(Create(ServiceOf("more", 1), {"m1"})),
        "healthy: machine m1 is " + std::string(ToString(health)) + " and takes no new instances");
    EXPECT_EQ(world.Why({Resize{{"web", 0}, Amounts(2)}}), "") << "what runs stays and may grow";
    EXPECT_EQ(world.Why({Move{{"web", 0}, MachineId("m1"), MachineId("m2")}}), "");
  }
}

TEST(JudgeSupports, TypesAskForSkusAndLabels) {
  World world;
  const InstanceType picky{
      .name = TypeId("picky"), .size = Amounts(1), .skus = {SkuId("gen2")}, .requires_labels = {}};
  const InstanceType labelled{.name = TypeId("labelled"),
                              .size = Amounts(1),
                              .skus = {},
                              .requires_labels = OneLabel("ssd", "yes")};
  Machine ssd = MachineIn("m3", "k2");
  ssd.labels = OneLabel("ssd", "yes");
  world.Do({Put{picky}, Put{labelled}, Put{ssd}});
  const auto of_type = [](const char* type, const char* machine) {
    Service service = ServiceOf("web", 1);
    service.groups[0].type = TypeId(type);
    Instance instance = InstanceOf("web", 0, machine);
    instance.type = TypeId(type);
    return Operations{Put{service}, Put{instance}};
  };
  EXPECT_EQ(world.Why(of_type("picky", "m1")),
            "supports: machine m1 does not support type picky: it is not of its SKUs or lacks a "
            "label that the type requires");
  EXPECT_EQ(world.Why(of_type("labelled", "m1")),
            "supports: machine m1 does not support type labelled: it is not of its SKUs or lacks a "
            "label that the type requires");
  EXPECT_EQ(world.Why(of_type("labelled", "m3")), "");
}

TEST(JudgeSupports, ServicesAskForLabels) {
  World world;
  Machine ssd = MachineIn("m3", "k2");
  ssd.labels = OneLabel("ssd", "yes");
  world.Do({Put{ssd}});
  Service service = ServiceOf("web", 1);
  service.constraints.labels = OneLabel("ssd", "yes");
  EXPECT_EQ(world.Why(Create(service, {"m1"})),
            "supports: machine m1 lacks a label that service web requires");
  world.Do(Create(service, {"m3"}));
  // Asking for more must hold of what runs; a machine may lose a label under it.
  service.constraints.labels = OneLabel("gpu", "yes");
  EXPECT_EQ(world.Why({Put{service}}),
            "supports: machine m3 lacks a label that service web requires");
  EXPECT_EQ(world.Why({Put{MachineIn("m3", "k2")}}), "");
}

TEST(JudgeIsolates, BothWays) {
  World world;
  Service isolated = ServiceOf("vault", 1);
  isolated.constraints.isolate = true;
  Service rival = ServiceOf("rival-web", 1);
  rival.tenant = TenantId("rival");
  const std::string refused =
      "isolates: machine m1 would hold an isolating service beside another "
      "tenant";
  World others_first;
  others_first.Do(Create(rival, {"m1"}));
  EXPECT_EQ(others_first.Why(Create(isolated, {"m1"})), refused);
  world.Do(Create(isolated, {"m1"}));
  EXPECT_EQ(world.Why(Create(rival, {"m1"})), refused);
  EXPECT_EQ(world.Why(Create(rival, {"m2"})), "");
  EXPECT_EQ(world.Why(Create(ServiceOf("own", 1), {"m1"})), "") << "the same tenant may join";
  EXPECT_EQ(world.Why(Create(rival, {"m1"}) +
                      Operations{Move{{"vault", 0}, MachineId("m1"), MachineId("m2")}}),
            "")
      << "who leaves in the same change is not in the way";
}

TEST(JudgeAtMostK, PerMachineAndPerRack) {
  World world;
  Service service = ServiceOf("web", 2);
  service.constraints.max_per_machine = 1;
  EXPECT_EQ(world.Why(Create(service, {"m1", "m1"})),
            "at_most_per_machine: service web allows 1 per machine and machine m1 would hold more");
  EXPECT_EQ(world.Why(Create(service, {"m1", "m2"})), "");
  service.constraints.max_per_rack = 1;
  EXPECT_EQ(
      world.Why(Create(service, {"m1", "m2"})),
      "at_most_per_rack: service web allows 1 per rack and rack dc1/c1/r1/k1 would hold more");
  EXPECT_EQ(world.Why(Create(service, {"m1", "m3"})), "");
  world.Do(Create(service, {"m1", "m3"}));
  EXPECT_EQ(
      world.Why({Move{{"web", 1}, MachineId("m3"), MachineId("m2")}}),
      "at_most_per_rack: service web allows 1 per rack and rack dc1/c1/r1/k1 would hold more");
}

TEST(JudgeAtMostK, PerUpdateDomain) {
  World world;
  Machine other = MachineIn("m4", "k1");
  other.update_domain = DomainId("ud2");
  world.Do({Put{other}});
  Service service = ServiceOf("web", 2);
  service.constraints.max_per_update_domain = 1;
  EXPECT_EQ(world.Why(Create(service, {"m1", "m3"})),
            "at_most_per_update_domain: service web allows 1 per update domain and update domain "
            "ud1 would hold more")
      << "another rack is not another update domain";
  EXPECT_EQ(world.Why(Create(service, {"m1", "m4"})), "");
  world.Do(Create(service, {"m1", "m4"}));
  EXPECT_EQ(world.Why({Move{{"web", 1}, MachineId("m4"), MachineId("m2")}}),
            "at_most_per_update_domain: service web allows 1 per update domain and update domain "
            "ud1 would hold more");
}

TEST(JudgeAtMostK, SpreadingOverRRacksIsAtMostNOverRRoundedUp) {
  World world;
  world.Do({Put{MachineIn("m4", "k2")}, Put{MachineIn("m5", "k3")}});
  Service service = ServiceOf("web", 5);
  service.constraints.spread_racks = 3;  // ceil(5 / 3) = 2
  EXPECT_EQ(
      world.Why(Create(service, {"m1", "m1", "m1", "m3", "m5"})),
      "at_most_per_rack: service web allows 2 per rack and rack dc1/c1/r1/k1 would hold more");
  EXPECT_EQ(world.Why(Create(service, {"m1", "m2", "m3", "m4", "m5"})), "");
  world.Do(Create(service, {"m1", "m2", "m3", "m4", "m5"}));
  // With 3 left it is one a rack: the right ones must go.
  service.groups[0].count = 3;
  EXPECT_EQ(
      world.Why({Put{service}, Drop({"web", 0}), Drop({"web", 1})}),
      "at_most_per_rack: service web allows 1 per rack and rack dc1/c1/r1/k2 would hold more");
  EXPECT_EQ(world.Why({Put{service}, Drop({"web", 1}), Drop({"web", 2})}), "");
  // Fewer instances than racks: one in each.
  Service two = ServiceOf("two", 2);
  two.constraints.spread_racks = 9;
  EXPECT_EQ(world.Why(Create(two, {"m1", "m3"})), "");
}

TEST(JudgeColocates, WithinADatacenterClusterOrRow) {
  World world;
  Machine other_row = MachineIn("m4");
  other_row.row = RowId("r2");
  Machine other_cluster = MachineIn("m5");
  other_cluster.cluster = ClusterId("c2");
  Machine other_datacenter = MachineIn("m6");
  other_datacenter.datacenter = DatacenterId("dc2");
  world.Do({Put{other_row}, Put{other_cluster}, Put{other_datacenter}});
  const auto why = [&](Scope within, const char* machine) {
    Service service = ServiceOf("web", 2);
    service.constraints.within = within;
    return world.Why(Create(service, {"m1", machine}));
  };
  const auto apart = [](const char* scope, const char* machine) {
    return std::string("colocates: service web must stay within one ") + scope +
           "; machines m1 and " + machine + " are apart";
  };
  EXPECT_EQ(why(Scope::kRow, "m4"), apart("row", "m4"));
  EXPECT_EQ(why(Scope::kCluster, "m4"), "");
  EXPECT_EQ(why(Scope::kCluster, "m5"), apart("cluster", "m5"));
  EXPECT_EQ(why(Scope::kCluster, "m6"), apart("cluster", "m6"));
  EXPECT_EQ(why(Scope::kDatacenter, "m5"), "");
  EXPECT_EQ(why(Scope::kDatacenter, "m6"), apart("datacenter", "m6"));
  EXPECT_EQ(why(Scope::kZone, "m6"), "");
}

TEST(JudgeWhole, AServiceHasJustWhatItDeclares) {
  World world;
  EXPECT_EQ(world.Why(Create(ServiceOf("web", 3), {"m1", "m2"})),
            "whole: service web would have 1 fewer instances of type small than it declares");
  EXPECT_EQ(world.Why(Create(ServiceOf("web", 1), {"m1", "m2"})),
            "whole: service web would have 1 more instances of type small than it declares");
  world.Do(Create(ServiceOf("web", 2), {"m1", ""}));
  EXPECT_EQ(world.Why({Drop({"web", 0})}),
            "whole: service web would have 1 fewer instances of type small than it declares");
  EXPECT_EQ(world.Why({Put{ServiceOf("web", 3)}}),
            "whole: service web would have 1 fewer instances of type small than it declares");
  EXPECT_EQ(world.Why({Put{ServiceOf("web", 3)}, Put{InstanceOf("web", 2, "m3")}}), "");
  Instance other_role = InstanceOf("web", 2);
  other_role.role = RoleId("primary");
  EXPECT_EQ(world.Why({Put{ServiceOf("web", 3)}, Put{other_role}}),
            "whole: service web would have 1 fewer instances of type small than it declares");
}

TEST(JudgeQuota, BoundsTheSumOfLimits) {
  World world;
  Resources quota = Amounts(6, 1);
  quota[Resource::kMemory] = kUnlimited;
  world.Do({Put{Tenant{.name = TenantId("acme"), .quota = quota}}});
  world.Do(Create(ServiceOf("web", 2), {"m1", ""}, 2));
  EXPECT_EQ(world.Why(Create(ServiceOf("more", 1), {"m2"}, 3)),
            "quota: tenant acme would use 7 cpu of 6; ask for less or raise its quota");
  EXPECT_EQ(world.Why(Create(ServiceOf("more", 1), {"m2"}, 2)), "");
  EXPECT_EQ(world.Why({Resize{{"web", 0}, Amounts(5)}}),
            "quota: tenant acme would use 7 cpu of 6; ask for less or raise its quota");
  EXPECT_EQ(world.Why({Resize{{"web", 0}, Amounts(2, 4)}}), "");
  Service rival = ServiceOf("rival-web", 1);
  rival.tenant = TenantId("rival");
  EXPECT_EQ(world.Why(Create(rival, {"m3"}, 8)), "") << "another tenant's";
  // A lower quota takes nothing away.
  world.Do({Put{Tenant{.name = TenantId("acme"), .quota = Amounts(1)}}});
  EXPECT_EQ(world.Why({Resize{{"web", 0}, Amounts(1)}}), "");
  EXPECT_EQ(world.Why({Move{{"web", 1}, MachineId(), MachineId("m1")}}), "")
      << "it used it already";
  EXPECT_EQ(world.Why({Resize{{"web", 0}, Amounts(3)}}),
            "quota: tenant acme would use 5 cpu of 1; ask for less or raise its quota");
}

TEST(JudgeQuota, WhatEndedUsesNone) {
  World world;
  world.Do({Put{Tenant{.name = TenantId("acme"), .quota = Amounts(2)}}});
  world.Do(Create(ServiceOf("job", 1), {"m1"}, 2));
  world.Do({Transition{{"job", 0}, Reported::kEnded}});
  EXPECT_EQ(world.Why(Create(ServiceOf("next", 1), {"m1"}, 2)), "");
}

}  // namespace
}  // namespace berth

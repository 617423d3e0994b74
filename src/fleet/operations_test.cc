// What each operation makes of a record, and the arithmetic of timelines.
#include <gtest/gtest.h>

#include "fleet/fleet_testing.h"

namespace berth {
namespace {

using std::chrono::seconds;

const Instance& InstanceIn(const World& world, const InstanceId& id) {
  const Instance* instance = world.inventory().Find(id);
  EXPECT_NE(instance, nullptr) << ToString(id);
  static const Instance kNone;
  return instance == nullptr ? kNone : *instance;
}

TEST(Operations, APlacedInstanceStartsItsTimelineWhenTheChangeWasMade) {
  World world;
  Operations operations = Create(ServiceOf("web", 2), {"m1", ""});
  // Whatever the author fills in beyond identity, type, limit and machine is not taken over.
  auto& forged = std::get<Instance>(std::get<Put>(operations[1]).record);
  forged.state = InstanceState::kEnded;
  forged.timeline.ran = seconds(99);
  world.Do(operations);
  const Instance& placed = InstanceIn(world, {"web", 0});
  EXPECT_EQ(placed.state, InstanceState::kPlaced);
  EXPECT_EQ(placed.timeline, (Timeline{.created = world.now(), .since = world.now()}));
  EXPECT_EQ(InstanceIn(world, {"web", 1}).state, InstanceState::kPending);
}

TEST(Operations, RunAndWaitAreCountedApart) {
  World world;
  world.Do(Create(ServiceOf("web", 1), {""}));
  const Time created = world.now();
  world.Pass(seconds(5));  // Waits 5 s.
  world.Do({Move{{"web", 0}, MachineId(), MachineId("m1")}});
  world.Pass(seconds(7));  // Placed counts as run.
  world.Do({Transition{{"web", 0}, Reported::kStarted}});
  EXPECT_EQ(InstanceIn(world, {"web", 0}).state, InstanceState::kRunning);
  world.Pass(seconds(11));
  world.Do({SetPending{{"web", 0}, MachineId("m1"), WaitReason::kPreempted}});
  world.Pass(seconds(13));  // Waits 13 s more.
  world.Do({Move{{"web", 0}, MachineId(), MachineId("m2")}});
  world.Pass(seconds(17));
  world.Do({Move{{"web", 0}, MachineId("m2"), MachineId("m3")}});
  world.Pass(seconds(19));
  world.Do({Transition{{"web", 0}, Reported::kEnded}});
  const Instance& ended = InstanceIn(world, {"web", 0});
  EXPECT_EQ(ended.state, InstanceState::kEnded);
  EXPECT_TRUE(ended.machine.empty());
  EXPECT_EQ(ended.timeline, (Timeline{.created = created,
                                      .since = world.now(),
                                      .ran = seconds(7 + 11 + 17 + 19),
                                      .waited = seconds(5 + 13),
                                      .preemptions = 1,
                                      .overhead = seconds(7)}));
}

TEST(Operations, AFirstStartIsPartOfRunningAndALaterOneIsWaiting) {
  World world;
  world.Do(Create(ServiceOf("web", 1), {"m1"}));
  world.Pass(seconds(2));
  world.Do({Transition{{"web", 0}, Reported::kStarted}});
  world.Pass(seconds(10));
  EXPECT_EQ(InstanceIn(world, {"web", 0}).timeline.allocation, seconds(2));
  world.Do({SetPending{{"web", 0}, MachineId("m1"), WaitReason::kPreempted}});
  world.Pass(seconds(20));
  world.Do({Move{{"web", 0}, MachineId(), MachineId("m2")}});
  world.Pass(seconds(3));
  world.Do({Transition{{"web", 0}, Reported::kStarted}});
  const Timeline started = InstanceIn(world, {"web", 0}).timeline;
  EXPECT_EQ(started.ran, seconds(2 + 10));
  EXPECT_EQ(started.waited, seconds(20 + 3));
  EXPECT_EQ(started.allocation, seconds(3));
  EXPECT_EQ(started.overhead, seconds(2));
  // It fails and starts again where it is: that is not a new allocation.
  world.Pass(seconds(5));
  world.Do({Transition{{"web", 0}, Reported::kFailed}});
  world.Pass(seconds(6));
  world.Do({Transition{{"web", 0}, Reported::kStarted}});
  const Timeline again = InstanceIn(world, {"web", 0}).timeline;
  EXPECT_EQ(again.ran, seconds(12 + 5 + 6));
  EXPECT_EQ(again.waited, seconds(23));
  EXPECT_EQ(again.allocation, seconds(3));
  // Only what preemption ends is overhead.
  world.Do({SetPending{{"web", 0}, MachineId("m2"), WaitReason::kMachineFailed}});
  EXPECT_EQ(InstanceIn(world, {"web", 0}).timeline.overhead, seconds(2));
  EXPECT_EQ(InstanceIn(world, {"web", 0}).timeline.allocation, seconds(0));
}

TEST(Operations, OnlyPreemptionCountsAsPreemption) {
  World world;
  world.Do(Create(ServiceOf("web", 1), {"m1"}));
  for (const WaitReason reason :
       {WaitReason::kNoRoom, WaitReason::kDrained, WaitReason::kMachineFailed}) {
    world.Do({SetPending{{"web", 0}, MachineId("m1"), reason}});
    world.Do({Move{{"web", 0}, MachineId(), MachineId("m1")}});
  }
  EXPECT_EQ(InstanceIn(world, {"web", 0}).timeline.preemptions, 0U);
  world.Do({SetPending{{"web", 0}, MachineId("m1"), WaitReason::kPreempted}});
  EXPECT_EQ(InstanceIn(world, {"web", 0}).timeline.preemptions, 1U);
}

TEST(Operations, FailuresAreCountedAndTheInstanceStaysPlaced) {
  World world;
  world.Do(Create(ServiceOf("web", 1), {"m1"}));
  world.Do({Transition{{"web", 0}, Reported::kStarted}});
  world.Pass(seconds(3));
  world.Do({Transition{{"web", 0}, Reported::kFailed}});
  world.Pass(seconds(4));
  world.Do({Transition{{"web", 0}, Reported::kOutOfMemory}});
  const Instance& instance = InstanceIn(world, {"web", 0});
  EXPECT_EQ(instance.state, InstanceState::kPlaced);
  EXPECT_EQ(instance.machine, MachineId("m1"));
  EXPECT_EQ(instance.timeline.failures, 2U);
  EXPECT_EQ(instance.timeline.out_of_memory, 1U);
  EXPECT_EQ(instance.timeline.ran, seconds(7));
}

TEST(Operations, StartedTwiceIsStartedOnce) {
  World world;
  world.Do(Create(ServiceOf("web", 1), {"m1"}));
  world.Do({Transition{{"web", 0}, Reported::kStarted}});
  const Instance before = InstanceIn(world, {"web", 0});
  world.Pass(seconds(3));
  EXPECT_TRUE(world.Ask({Transition{{"web", 0}, Reported::kStarted}}).updates.empty());
  EXPECT_EQ(InstanceIn(world, {"web", 0}), before);
}

TEST(Operations, TimeNeverRunsBackwardsForAnInstance) {
  World world;
  world.Do(Create(ServiceOf("web", 1), {""}));
  ChangeSet change = world.ChangeOf({Move{{"web", 0}, MachineId(), MachineId("m1")}});
  change.at = world.now() - seconds(60);  // By an author whose clock is behind.
  world.Do(change);
  EXPECT_EQ(InstanceIn(world, {"web", 0}).timeline.waited, Duration(0));
  EXPECT_EQ(InstanceIn(world, {"web", 0}).timeline.since, world.now());
}

TEST(Operations, AResizeChangesTheLimitAndNothingElse) {
  World world;
  world.Do(Create(ServiceOf("web", 1), {"m1"}));
  Instance expected = InstanceIn(world, {"web", 0});
  world.Pass(seconds(3));
  world.Do({Resize{{"web", 0}, Amounts(3, 2)}});
  expected.limit = Amounts(3, 2);
  EXPECT_EQ(InstanceIn(world, {"web", 0}), expected);
  EXPECT_EQ(world.inventory().Find(MachineId("m1"))->allocated, Amounts(3, 2));
  EXPECT_EQ(world.inventory().Find(MachineId("m1"))->Free(), Amounts(5, 30));
}

TEST(Operations, AreRefusedWhenTheInstanceIsElsewhere) {
  World world;
  world.Do(Create(ServiceOf("web", 3), {"m1", "", "m2"}));
  world.Do({Transition{{"web", 2}, Reported::kEnded}});
  const MachineId m1("m1");
  const MachineId m2("m2");
  EXPECT_EQ(world.Why({Move{{"web", 0}, m2, m1}}),
            "elsewhere: instance web/0 is on m1, not on m2; read it again");
  EXPECT_EQ(world.Why({Move{{"web", 0}, MachineId(), m2}}),
            "elsewhere: instance web/0 is on m1, not pending; read it again");
  EXPECT_EQ(world.Why({Move{{"web", 1}, m1, m2}}),
            "elsewhere: instance web/1 is pending, not on m1; read it again");
  EXPECT_EQ(world.Why({Move{{"web", 2}, MachineId(), m1}}),
            "elsewhere: instance web/2 is ended, not pending; read it again");
  EXPECT_EQ(world.Why({Move{{"web", 0}, m1, m1}}),
            "elsewhere: instance web/0: a move needs another machine to go to");
  EXPECT_EQ(world.Why({Move{{"web", 0}, m1, MachineId()}}),
            "elsewhere: instance web/0: a move needs another machine to go to");
  EXPECT_EQ(world.Why({SetPending{{"web", 0}, m2}}),
            "elsewhere: instance web/0 is on m1, not on m2; read it again");
  EXPECT_EQ(world.Why({SetPending{{"web", 1}, MachineId()}}),
            "elsewhere: instance web/1 is pending, and waits already");
  EXPECT_EQ(world.Why({SetPending{{"web", 2}, MachineId()}}),
            "elsewhere: instance web/2 is ended, and cannot wait");
  EXPECT_EQ(world.Why({Transition{{"web", 1}, Reported::kStarted}}),
            "elsewhere: instance web/1 is pending, so nothing can be reported of it");
  EXPECT_EQ(world.Why({Transition{{"web", 2}, Reported::kFailed}}),
            "elsewhere: instance web/2 is ended, so nothing can be reported of it");
}

TEST(Operations, AServiceGoesWithItsInstances) {
  World world;
  world.Do(Create(ServiceOf("web", 3), {"m1", "m2", ""}));
  world.Do({Drop(RecordKind::kService, "web")});
  EXPECT_EQ(world.inventory().FindService("web"), nullptr);
  EXPECT_TRUE(world.inventory().Find(MachineId("m1"))->allocated.IsZero());
  EXPECT_TRUE(world.inventory().Find(MachineId("m1"))->instances.empty());
  EXPECT_EQ(world.inventory().Find(TenantId("acme"))->used, ResourceTotals());
  EXPECT_EQ(world.inventory().Find(TenantId("acme"))->services, 0U);
}

TEST(Operations, AFailedMachinesInstancesGoInOneChange) {
  World world;
  world.Do(Create(ServiceOf("web", 2), {"m1", "m1"}));
  Machine down = MachineIn("m1");
  down.health = Health::kDown;
  world.Do({Put{down}, Move{{"web", 0}, MachineId("m1"), MachineId("m2")},
            SetPending{{"web", 1}, MachineId("m1"), WaitReason::kMachineFailed}});
  EXPECT_TRUE(world.inventory().Find(MachineId("m1"))->instances.empty());
  EXPECT_EQ(InstanceIn(world, {"web", 0}).machine, MachineId("m2"));
  EXPECT_EQ(InstanceIn(world, {"web", 1}).state, InstanceState::kPending);
  world.Do({Drop(RecordKind::kMachine, "m1")});
  EXPECT_EQ(world.inventory().Find(MachineId("m1")), nullptr);
}

TEST(Operations, AServiceMayBeReplacedWholeInOneChange) {
  World world;
  world.Do(Create(ServiceOf("web", 1), {"m1"}));
  world.Do({Drop(RecordKind::kService, "web"), Put{ServiceOf("web", 2)},
            Put{InstanceOf("web", 1, "m2")}, Put{InstanceOf("web", 2, "m3")}});
  const ServiceState& web = *world.inventory().FindService("web");
  ASSERT_EQ(web.instances.size(), 2U);
  EXPECT_EQ(web.instances[0].id.number, 1U);
  EXPECT_TRUE(world.inventory().Find(MachineId("m1"))->instances.empty());
  EXPECT_EQ(world.inventory().Find(TenantId("acme"))->services, 1U);
}

}  // namespace
}  // namespace berth

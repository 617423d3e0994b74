// Changes that meet another state than the one they were made from: what merges and what does not;
// leases, guards, and requests that were answered before.
#include <gtest/gtest.h>

#include <algorithm>

#include "fleet/fleet_testing.h"

namespace berth {
namespace {

using std::chrono::seconds;

std::vector<std::string> Named(const Judgement& judgement) {
  std::vector<std::string> names;
  for (const RecordKey& key : judgement.named) names.push_back(ToString(key));
  return names;
}

TEST(Stale, IsWhatNamesARecordThatChangedSince) {
  World world;
  const ChangeSet on_m1 = world.ChangeOf(Create(ServiceOf("a", 1), {"m1"}));
  const ChangeSet on_m2 = world.ChangeOf(Create(ServiceOf("b", 1), {"m2"}));
  EXPECT_FALSE(world.Ask(on_m1).stale);
  world.Do(Create(ServiceOf("c", 1), {"m1"}, 7));
  EXPECT_TRUE(world.Ask(on_m1).stale);
  EXPECT_EQ(world.Why(on_m1), "") << "there is room for both: it merges";
  EXPECT_FALSE(world.Ask(on_m2).stale) << "the tenant's usage is a sum that merges";
  world.Do(Create(ServiceOf("d", 1), {"m1"}, 1));
  EXPECT_TRUE(world.Ask(on_m1).stale);
  EXPECT_EQ(world.Why(on_m1), "fits: machine m1 would have 9 cpu of 8 allocated");
}

// Two agents that scale one service onto different machines must conflict.
TEST(Stale, AServiceRecordIsReplacedByOneAuthorAtATime) {
  World world;
  world.Do(Create(ServiceOf("web", 1), {"m1"}));
  const ChangeSet first =
      world.ChangeOf({Put{ServiceOf("web", 2)}, Put{InstanceOf("web", 1, "m2")}});
  const ChangeSet second =
      world.ChangeOf({Put{ServiceOf("web", 2)}, Put{InstanceOf("web", 1, "m3")}});
  world.Do(first);
  EXPECT_TRUE(world.Ask(second).stale);
  EXPECT_EQ(world.Why(second),
            "unchanged: service web was changed at revision 3, after the revision 2 this "
            "was decided on; read it again");
}

TEST(Stale, ARecordThatOnlyGainedInstancesMayBeReplaced) {
  World world;
  world.Do(Create(ServiceOf("web", 2), {"m1", ""}));
  Machine drained = MachineIn("m1");
  drained.health = Health::kDraining;
  const ChangeSet drain = world.ChangeOf({Put{drained}});
  Service bronze = ServiceOf("web", 2);
  bronze.klass = ClassId("bronze");
  const ChangeSet change_class = world.ChangeOf({Put{bronze}});
  world.Do({Move{{"web", 1}, MachineId(), MachineId("m1")}});
  EXPECT_TRUE(world.Ask(drain).stale && world.Ask(change_class).stale);
  EXPECT_EQ(world.Why(drain), "");
  EXPECT_EQ(world.Why(change_class), "");
  world.Do(drain);
  EXPECT_EQ(world.Why(drain),
            "unchanged: machine m1 was changed at revision 4, after the revision 2 this "
            "was decided on; read it again");
}

TEST(Stale, WhatWasRemovedIsNotBroughtBackUnseen) {
  World world;
  world.Do(Create(ServiceOf("web", 1), {"m1"}));
  Machine drained = MachineIn("m3", "k2");
  drained.health = Health::kDraining;
  const ChangeSet drain = world.ChangeOf({Put{.record = drained, .replaces = true}});
  const ChangeSet place = world.ChangeOf(Create(ServiceOf("more", 1), {"m3"}));
  const ChangeSet scale = world.ChangeOf(
      {Put{.record = ServiceOf("web", 2), .replaces = true}, Put{InstanceOf("web", 1, "m1")}});
  const ChangeSet quota = world.ChangeOf(
      {Put{.record = Tenant{.name = TenantId("rival"), .quota = {}}, .replaces = true}});
  world.Do({Drop(RecordKind::kMachine, "m3"), Drop(RecordKind::kService, "web"),
            Drop(RecordKind::kTenant, "rival")});
  for (const ChangeSet& change : {drain, place, scale, quota}) EXPECT_TRUE(world.Ask(change).stale);
  EXPECT_EQ(world.Why(drain), "exists: machine m3 is gone; read it again");
  EXPECT_EQ(world.Why(scale), "exists: service web is gone; read it again");
  EXPECT_EQ(world.Why(quota), "exists: tenant rival is gone; read it again");
  // Whoever means to make a new one may.
  EXPECT_EQ(world.Why({Put{drained}}), "");
  EXPECT_FALSE(world.Ask({Put{drained}}).stale);
}

TEST(Stale, EveryPlacementDependsOnThePolicy) {
  World world;
  world.SetPolicy("oversubscription: {cpu: 200%}");
  const ChangeSet place = world.ChangeOf(Create(ServiceOf("web", 1), {"m1"}, 16));
  world.SetPolicy("oversubscription: {cpu: 100%}");
  EXPECT_TRUE(world.Ask(place).stale);
  EXPECT_EQ(world.Why(place), "fits: machine m1 would have 16 cpu of 8 allocated");
}

TEST(Named, IsEveryRecordThatValidityDependsOn) {
  World world;
  world.Do(Create(ServiceOf("web", 2), {"m1", "m2"}));
  EXPECT_EQ(Named(world.Ask({Move{{"web", 0}, MachineId("m1"), MachineId("m3")}})),
            (std::vector<std::string>{"tenant acme", "machine m1", "machine m3", "service web",
                                      "instance web/0"}));
  EXPECT_EQ(Named(world.Ask({Drop(RecordKind::kService, "web")})),
            (std::vector<std::string>{"tenant acme", "machine m1", "machine m2", "service web",
                                      "instance web/0", "instance web/1"}));
}

// An agent takes back what it placed tentatively by installing what the answer names.
TEST(Named, IsAllOfItAlsoWhenTheChangeIsRefusedEarly) {
  World world;
  world.Do(Create(ServiceOf("web", 2), {"m1", "m2"}));
  const Operations operations = {Drop(RecordKind::kMachine, "nowhere"),
                                 Move{{"web", 0}, MachineId("m1"), MachineId("m3")},
                                 Put{ServiceOf("new", 1)},
                                 Put{InstanceOf("new", 0, "m3")},
                                 Drop(RecordKind::kService, "web"),
                                 Resize{{"web", 1}, Amounts(2)},
                                 SetPending{{"web", 1}, MachineId("m2")},
                                 Transition{{"web", 1}, Reported::kStarted},
                                 Drop(RecordKind::kType, "small")};
  std::vector<std::string> all = {"tenant acme",    "type small",    "machine m1",
                                  "machine m2",     "machine m3",    "machine nowhere",
                                  "service new",    "service web",   "instance new/0",
                                  "instance web/0", "instance web/1"};
  EXPECT_EQ(Named(world.Ask(operations)), all);
  ChangeSet guarded = world.ChangeOf(operations);
  guarded.guard = LeaseGuard{.lease = "none", .epoch = 1};
  all.emplace_back("lease none");
  EXPECT_EQ(Named(world.Ask(guarded)), all);
}

Lease LeaseOf(const char* holder, Time expires) {
  return {.name = "controller", .holder = holder, .epoch = 77, .expires = expires};
}

std::uint64_t Epoch(const World& world) {
  return world.inventory().leases().at("controller").epoch;
}

TEST(Leases, OneHolderAtATimeAndARisingEpoch) {
  World world;
  world.Do({Put{LeaseOf("a", world.now() + seconds(10))}});
  EXPECT_EQ(Epoch(world), 1U) << "whatever the author wrote";
  world.Pass(seconds(5));
  EXPECT_EQ(world.Why({Put{LeaseOf("b", world.now() + seconds(10))}}),
            "lease: lease controller is held by a (epoch 1)");
  world.Do({Put{LeaseOf("a", world.now() + seconds(10))}});
  EXPECT_EQ(Epoch(world), 1U) << "renewed";
  world.Pass(seconds(10));
  world.Do({Put{LeaseOf("b", world.now() + seconds(10))}});
  EXPECT_EQ(Epoch(world), 2U) << "taken over";
  world.Pass(seconds(10));
  world.Do({Put{LeaseOf("b", world.now() + seconds(10))}});
  EXPECT_EQ(Epoch(world), 3U) << "it was nobody's in between";
}

TEST(Leases, AGuardHoldsOnlyInItsEpoch) {
  World world;
  const auto guarded = [&](std::uint64_t epoch) {
    ChangeSet change = world.ChangeOf(Create(ServiceOf("web", 1), {"m1"}));
    change.guard = LeaseGuard{.lease = "controller", .epoch = epoch};
    return change;
  };
  const auto lost = [](int epoch) {
    return "lease: lease controller is no longer in epoch " + std::to_string(epoch) +
           "; another holder has taken over";
  };
  EXPECT_EQ(world.Why(guarded(1)), lost(1));
  world.Do({Put{LeaseOf("a", world.now() + seconds(10))}});
  EXPECT_EQ(world.Why(guarded(1)), "");
  EXPECT_EQ(world.Why(guarded(2)), lost(2));
  world.Pass(seconds(10));
  EXPECT_EQ(world.Why(guarded(1)), lost(1)) << "expired";
  world.Do({Put{LeaseOf("b", world.now() + seconds(10))}});
  EXPECT_EQ(world.Why(guarded(1)), lost(1));
  EXPECT_EQ(world.Why(guarded(2)), "");
  ChangeSet old = guarded(1);
  world.Do({Put{MachineIn("m1")}});
  EXPECT_FALSE(world.Ask(old).stale) << "no retry cures a lost lease";
}

// Were a lease forgotten, epochs would start anew and an old guard would hold again.
TEST(Leases, AreGivenBackNotForgotten) {
  World world;
  world.Do({Put{LeaseOf("a", world.now() + seconds(10))}});
  EXPECT_EQ(world.Why({Drop(RecordKind::kLease, "controller")}),
            "lease: lease controller is held by a; only a change under it gives it back");
  ChangeSet give_back = world.ChangeOf({Drop(RecordKind::kLease, "controller")});
  give_back.guard = LeaseGuard{.lease = "controller", .epoch = 1};
  world.Do(give_back);
  EXPECT_EQ(world.Ask(give_back).violation->rule, RuleId("lease")) << "no longer its holder";
  world.Do({Put{LeaseOf("b", world.now() + seconds(10))}});
  EXPECT_EQ(Epoch(world), 2U);
}

Idempotency Answer(std::uint64_t hash, Time expires) {
  return {.key = "k", .request_hash = hash, .decision = {"a0", 3}, .expires = expires};
}

TEST(AnsweredBefore, ARetryGetsTheFirstAnswerWhateverItMeets) {
  World world;
  const Operations create =
      Create(ServiceOf("web", 1), {"m1"}) + Operations{Put{Answer(1, world.now() + seconds(60))}};
  const ChangeSet change = world.ChangeOf(create);
  world.Do(change);
  // Sent again from the same view, before or after the operations that now conflict.
  const Judgement again = world.Ask(change);
  ASSERT_TRUE(again.duplicate_of.has_value());
  EXPECT_EQ(*again.duplicate_of, (DecisionId{"a0", 3}));
  EXPECT_FALSE(again.violation.has_value());
  EXPECT_TRUE(again.updates.empty());
  ChangeSet guarded = change;
  guarded.guard = LeaseGuard{.lease = "lost", .epoch = 1};
  EXPECT_TRUE(world.Ask(guarded).duplicate_of.has_value()) << "it was done, whoever leads now";
}

TEST(AnsweredBefore, AKeyStandsForOneRequest) {
  World world;
  world.Do({Put{Answer(1, world.now() + seconds(60))}});
  EXPECT_EQ(world.Why({Put{Answer(2, world.now() + seconds(60))}}),
            "idempotency: key k was used before for a different request; choose another");
  world.Pass(seconds(60));
  EXPECT_EQ(world.Why({Put{Answer(2, world.now() + seconds(60))}}), "") << "expired";
}

TEST(Decisions, AreNumberedUpwardsByTheirAgent) {
  World world;
  const auto decision = [](const char* agent, std::uint64_t sequence) {
    Decision d;
    d.id = {agent, sequence};
    return Operation(Put{d});
  };
  world.Do({decision("a0", 5)});
  EXPECT_EQ(world.Why({decision("a0", 5)}), "decisions: decision a0-5 exists already");
  EXPECT_EQ(world.Why({decision("a0", 4)}), "decisions: decision a0-4 exists already");
  EXPECT_EQ(world.Why({decision("a0", 6)}), "");
  EXPECT_EQ(world.Why({decision("a1", 1)}), "");
}

}  // namespace
}  // namespace berth

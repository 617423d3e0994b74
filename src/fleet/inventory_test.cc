// What a view and a restarted store rely on. That the inventory keeps what the records say is in
// reference_test.cc.
#include "fleet/inventory.h"

#include <gtest/gtest.h>

#include "fleet/fleet_testing.h"

namespace berth {
namespace {

std::vector<std::string> Shown(const Inventory& inventory) {
  std::vector<std::string> shown;
  for (const Update& update : inventory.AllRecords()) {
    shown.push_back(ToString(update.key) + "@" + std::to_string(ToNumber(update.revision)));
  }
  return shown;
}

// As an agent does before the store answers.
Inventory WithTentative(const World& world, const Operations& operations) {
  Inventory view = world.inventory();
  const Judgement judgement = world.Ask(operations);
  EXPECT_FALSE(judgement.violation.has_value());
  for (const Update& update : judgement.updates) view.Install(update);
  return view;
}

TEST(Inventory, InstallingAgainChangesNothing) {
  World world;
  world.Do(Create(ServiceOf("web", 2), {"m1", ""}, 3));
  Inventory again = world.inventory();
  for (const Update& update : world.inventory().AllRecords()) again.Install(update);
  EXPECT_EQ(Shown(again), Shown(world.inventory()));
  EXPECT_EQ(again.Find(MachineId("m1"))->allocated, Amounts(3));
  EXPECT_EQ(again.Find(MachineId("m1"))->instances.size(), 1U);
  EXPECT_EQ(again.Find(TenantId("acme"))->services, 1U);
}

TEST(Inventory, AllRecordsMakeAnotherLikeIt) {
  World world;
  world.SetPolicy("oversubscription: {cpu: 150%}");
  world.Do(Create(ServiceOf("web", 2), {"m1", ""}, 3));
  world.Do({Move{{"web", 1}, MachineId(), MachineId("m2")}});
  Inventory other;
  for (const Update& update : world.inventory().AllRecords()) other.Install(update);
  EXPECT_EQ(Shown(other), Shown(world.inventory()));
  EXPECT_EQ(other.settings(), world.inventory().settings());
  const RecordKey web = KeyOf(RecordKind::kService, "web");
  EXPECT_EQ(other.RevisionOf(web), world.inventory().RevisionOf(web));
}

TEST(Inventory, TheLatestRecordsTakeBackATentativePlacement) {
  World world;
  const Operations operations = Create(ServiceOf("web", 1), {"m1"});
  Inventory view = WithTentative(world, operations);
  EXPECT_EQ(view.Find(MachineId("m1"))->allocated, Amounts(1));
  for (const RecordKey& key : world.Ask(operations).named) {
    view.Install({.key = key,
                  .record = world.inventory().Get(key),
                  .revision = world.inventory().OwnRevision(key)});
  }
  EXPECT_EQ(Shown(view), Shown(world.inventory()));
  EXPECT_TRUE(view.Find(MachineId("m1"))->allocated.IsZero());
}

// The store removes neither machines nor tenants in use, but a view may have put something there.
TEST(Inventory, AMachineGoesWithWhatAViewPlacedThere) {
  World world;
  Inventory view = WithTentative(world, Create(ServiceOf("web", 1), {"m1"}));
  view.Install({.key = KeyOf(RecordKind::kMachine, "m1"), .record = {}, .revision = Revision{9}});
  EXPECT_EQ(view.Find(MachineId("m1")), nullptr);
  EXPECT_EQ(view.Find(InstanceId{"web", 0}), nullptr);
  EXPECT_EQ(view.Find(TenantId("acme"))->used, ResourceTotals());
}

TEST(Inventory, ATenantGoesWithWhatAViewGaveIt) {
  World world;
  Inventory view = WithTentative(world, Create(ServiceOf("web", 1), {"m1"}));
  view.Install({.key = KeyOf(RecordKind::kTenant, "acme"), .record = {}, .revision = Revision{9}});
  EXPECT_EQ(view.FindService("web"), nullptr);
  EXPECT_TRUE(view.Find(MachineId("m1"))->instances.empty());
  // Its slot is as new for the next tenant.
  view.Install({.key = KeyOf(RecordKind::kTenant, "next"),
                .record = Tenant{.name = TenantId("next"), .quota = {}},
                .revision = Revision{10}});
  EXPECT_EQ(view.Find(TenantId("next"))->services, 0U);
  EXPECT_EQ(view.Find(TenantId("next"))->used, ResourceTotals());
}

TEST(Inventory, SlotsOfWhatWentAreUsedAgain) {
  World world;
  const std::size_t slots = world.inventory().machines().size();
  for (int i = 0; i < 5; ++i) {
    world.Do({Drop(RecordKind::kMachine, "m3")});
    world.Do({Put{MachineIn("m3", "k2")}});
  }
  EXPECT_EQ(world.inventory().machines().size(), slots);
}

TEST(Inventory, RevisionsNeverFallWithAnOlderRecord) {
  World world;
  world.Do(Create(ServiceOf("web", 1), {"m1"}));
  world.Do({Resize{{"web", 0}, Amounts(2)}});
  Inventory view = world.inventory();
  const RecordKey m1 = KeyOf(RecordKind::kMachine, "m1");
  view.Install({.key = m1, .record = view.Get(m1), .revision = view.OwnRevision(m1)});
  EXPECT_EQ(view.OwnRevision(m1), Revision{1});
  EXPECT_EQ(view.RevisionOf(m1), Revision{3});
  view.TouchMachine(MachineId("m2"), Revision{7});
  EXPECT_EQ(view.RevisionOf(KeyOf(RecordKind::kMachine, "m2")), Revision{7});
}

TEST(Inventory, TheJournalNamesTheMachinesThatChanged) {
  World world;
  const std::uint64_t position = world.inventory().journal().position();
  world.Do(Create(ServiceOf("web", 2), {"m3", ""}));
  std::vector<std::string> changed;
  world.inventory().journal().ForEachSince(position, [&](MachineIndex index) {
    changed.push_back(world.inventory()[index].record.name.str());
  });
  EXPECT_EQ(changed, std::vector<std::string>{"m3"});
}

}  // namespace
}  // namespace berth

// The simulated disk, clock and network do what they are for.
#include <gtest/gtest.h>

#include <set>

#include "sim/faults/disk.h"
#include "sim/faults/jumping_clock.h"
#include "sim/faults/network.h"

namespace berth::faults {
namespace {

using std::chrono::milliseconds;

Disk::Entry EntryOf(std::uint64_t revision) {
  return std::make_shared<Committed>(
      Committed{.revision = Revision{revision}, .at = {}, .updates = {}});
}

TEST(FaultsDisk, KeepsWhatWasSyncedAndSomeOfTheRestFromItsBeginning) {
  std::set<std::size_t> kept;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    std::vector<std::uint64_t> durable;
    Disk disk([&](const Disk::Entry& entry) { durable.push_back(ToNumber(entry->revision)); });
    disk.Write(EntryOf(1));
    disk.Write(EntryOf(2));
    disk.Sync();
    EXPECT_EQ(durable, (std::vector<std::uint64_t>{1, 2}));
    disk.Write(EntryOf(3));
    disk.Write(EntryOf(4));
    EXPECT_EQ(durable.size(), 2U);
    EXPECT_EQ(disk.log().size(), 4U);
    Rng luck(seed);
    disk.Crash(luck);
    kept.insert(disk.log().size());
    ASSERT_EQ(durable.size(), disk.log().size());
    for (std::size_t i = 0; i < durable.size(); ++i) EXPECT_EQ(durable[i], i + 1);
  }
  EXPECT_EQ(kept, (std::set<std::size_t>{2, 3, 4}));
}

TEST(FaultsClock, RunsTasksWhenItsOwnTimeHasCome) {
  VirtualExecutor executor;
  JumpingClock clock(executor);
  clock.Jump(milliseconds(500));
  EXPECT_EQ(clock.now() - executor.now(), milliseconds(500));
  Time ran_at;
  clock.PostAt(clock.now() + milliseconds(10), [&] { ran_at = executor.now(); });
  executor.RunUntil(Time(milliseconds(5)));
  clock.Jump(milliseconds(-100));
  executor.RunUntilIdle();
  EXPECT_EQ(ran_at, Time(milliseconds(110)));
}

TEST(FaultsNetwork, LosesDoublesAndReordersMessagesOnlyUntilItIsHealed) {
  World world(1, PlantedBug::kNone);
  LossyPath path(world, world.Stream("test"));
  std::vector<int> arrived;
  for (int i = 0; i < 1000; ++i) path.Send([&arrived, i] { arrived.push_back(i); });
  world.executor().RunUntilIdle();
  const auto count = [&](Fault fault) { return world.counts()[static_cast<std::size_t>(fault)]; };
  EXPECT_GT(count(Fault::kDropped), 0U);
  EXPECT_GT(count(Fault::kDuplicated), 0U);
  EXPECT_GT(count(Fault::kReordered), 0U);
  EXPECT_GT(count(Fault::kDelayed), 0U);
  EXPECT_EQ(arrived.size(), 1000 - count(Fault::kDropped) + count(Fault::kDuplicated));
  world.Heal();
  arrived.clear();
  for (int i = 0; i < 1000; ++i) path.Send([&arrived, i] { arrived.push_back(i); });
  world.executor().RunUntilIdle();
  EXPECT_EQ(arrived.size(), 1000U);
}

TEST(FaultsNetwork, AConnectionKeepsTheOrder) {
  World world(1, PlantedBug::kNone);
  OrderedPath path(world, world.Stream("test"));
  std::vector<int> arrived;
  for (int i = 0; i < 1000; ++i) path.Send([&arrived, i] { arrived.push_back(i); });
  world.executor().RunUntilIdle();
  ASSERT_EQ(arrived.size(), 1000U);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(arrived[static_cast<std::size_t>(i)], i);
}

TEST(FaultsWorld, NothingHappensOnceAnInvariantIsBroken) {
  World world(1, PlantedBug::kNone);
  int happened = 0;
  world.After(milliseconds(1), [&] {
    ++happened;
    world.Break("the first");
    world.Break("the second");
  });
  world.After(milliseconds(2), [&] { ++happened; });
  world.executor().RunUntilIdle();
  EXPECT_EQ(happened, 1);
  EXPECT_EQ(world.broken(), "the first");
  EXPECT_EQ(world.steps(), 1U);
}

}  // namespace
}  // namespace berth::faults

#include "qos/reach_index.h"

#include <gtest/gtest.h>

#include <set>

#include "qos/kind_scheduler.h"
#include "qos/worlds_testing.h"

namespace berth {
namespace {

// A victim index beside a scheduler, of whoever runs there now.
VictimIndex VictimsOf(const Scheduler& scheduler) {
  VictimIndex victims(scheduler.classes().size());
  for (std::uint32_t i = 0; i < scheduler.hosts(); ++i) {
    victims.AddHost(HostIndex{i});
    for (const RequestIndex request : scheduler.host(HostIndex{i}).running) {
      const RequestAccount& account = scheduler.requests()[request];
      const Wide key = RunningKey(scheduler.LeewayOf(request, account.since), account.since);
      victims.Insert(
          HostIndex{i}, account.want.klass,
          {.key = key, .order = account.order, .request = request, .demand = account.want.demand});
    }
  }
  return victims;
}

// What is free, and what all of every class at or above its least hold.
bool HasRoom(const Scheduler& scheduler, const VictimIndex& victims, HostIndex host,
             const Resources& demand, std::span<const Wide> least) {
  Resources room = scheduler.host(host).free;
  for (std::size_t klass = 0; klass < least.size(); ++klass) {
    for (const RunningEntry& entry : victims.Running(host, klass)) {
      if (entry.key >= least[klass]) room += scheduler.requests()[entry.request].want.demand;
    }
  }
  return demand.FitsIn(room);
}

TEST(ReachIndex, LeavesOutNoHostThatHasRoomAndMostThatHaveNone) {
  const testing::ForbidsHosts filter;
  std::size_t fitting = 0;
  std::size_t wrongly_found = 0;
  std::size_t rightly_left_out = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng(seed);
    const auto scheduler = NewQosScheduler({.classes = testing::RandomClasses(rng)}, filter);
    testing::World world(rng.Fork("world"), {scheduler.get()},
                         {.hosts_least = 60, .hosts_most = 200, .arrivals_most = 60});
    for (int step = 0; step < 20; ++step) {
      world.Step();
      world.Pass(0);
    }
    const VictimIndex victims = VictimsOf(*scheduler);
    ReachIndex reach(*scheduler, victims);
    for (int i = 0; i < 100; ++i) {
      const auto units = [&] { return 1 + static_cast<std::int64_t>(rng.Below(4)); };
      const Resources demand = testing::Room(units(), units());
      std::vector<Wide> least;
      for (const ClassTerms& terms : scheduler->classes()) {
        const Wide leeway = (Wide(rng.Below(400)) - 100) * 1'000'000 * terms.target_ppm;
        least.push_back(RunningKey({leeway, terms.target_ppm}, world.now()));
      }
      const auto found = reach.Find(demand, least);
      const std::set<HostIndex> hosts(found.begin(), found.end());
      for (std::uint32_t h = 0; h < scheduler->hosts(); ++h) {
        const bool fits = HasRoom(*scheduler, victims, HostIndex{h}, demand, least);
        if (fits) {
          ASSERT_TRUE(hosts.contains(HostIndex{h})) << "seed " << seed;
        }
        fitting += fits ? 1U : 0U;
        if (!fits) ++(hosts.contains(HostIndex{h}) ? wrongly_found : rightly_left_out);
      }
    }
  }
  EXPECT_GT(fitting, 10'000U);
  EXPECT_GT(rightly_left_out, 10'000U);
  EXPECT_LT(wrongly_found, rightly_left_out / 4);
}

TEST(ReachIndex, KnowsHostsThatAreAddedLater) {
  const testing::ForbidsHosts filter;
  Rng rng(1);
  const auto scheduler = NewQosScheduler({.classes = testing::RandomClasses(rng)}, filter);
  VictimIndex victims(scheduler->classes().size());
  ReachIndex reach(*scheduler, victims);
  const std::vector<Wide> least(scheduler->classes().size(), 0);
  for (std::size_t hosts = 1; hosts <= 40; ++hosts) {
    const HostIndex added = scheduler->AddHost(testing::Room(4, 4));
    victims.AddHost(added);
    reach.Touch(added);
    EXPECT_EQ(reach.Find(testing::Room(4, 4), least).size(), hosts);
    EXPECT_TRUE(reach.Find(testing::Room(5, 4), least).empty());
  }
}

}  // namespace
}  // namespace berth

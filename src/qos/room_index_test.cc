#include "qos/room_index.h"

#include <gtest/gtest.h>

#include "berth/rng.h"

namespace berth {
namespace {

Resources Room(std::int64_t cpu, std::int64_t memory, std::int64_t disk) {
  Resources room;
  room[Resource::kCpu] = cpu;
  room[Resource::kMemory] = memory;
  room[Resource::kDisk] = disk;
  return room;
}

TEST(ScoreShortfall, IsWhatTheMeanOfBothScoresLacks) {
  // Shares of 3/4 and 1/4: least requested 1/2, balanced 1/2; the mean lacks 1/2, four times 2.
  EXPECT_EQ(ScoreShortfall(FillOf(Room(6, 1, 0), Room(8, 4, 0))), 2 * kFullPoints);
  EXPECT_EQ(ScoreShortfall(FillOf(Room(0, 0, 0), Room(8, 4, 0))), 0);
}

struct TestHost {
  bool present = false;
  Resources capacity;
  Resources free;
};

// Every host, one after the other.
std::optional<HostIndex> BestOf(const std::vector<TestHost>& hosts, const Resources& demand,
                                std::uint32_t refused) {
  std::optional<HostIndex> best;
  std::int64_t least = 0;
  for (std::uint32_t i = 0; i < hosts.size(); ++i) {
    const TestHost& host = hosts[i];
    if (!host.present || i % 7 == refused || !demand.FitsIn(host.free)) continue;
    const std::int64_t shortfall =
        ScoreShortfall(FillOf(host.capacity - host.free + demand, host.capacity));
    if (!best || shortfall < least) best = HostIndex{i};
    if (best == HostIndex{i}) least = shortfall;
  }
  return best;
}

TEST(RoomIndex, FindsWhatLookingAtEveryHostFinds) {
  Rng rng(3);
  const auto amount = [&](std::int64_t most) {
    return static_cast<std::int64_t>(rng.Below(static_cast<std::uint64_t>(most + 1)));
  };
  std::size_t found = 0;
  std::size_t none = 0;
  for (int world = 0; world < 60; ++world) {
    RoomIndex index;
    std::vector<TestHost> hosts(1 + rng.Below(40));
    // Coarse amounts make ties, fine ones use the whole of an index.
    const std::int64_t unit = world % 2 == 0 ? 1 : 1'000'003;
    const std::int64_t most = 4 * unit;
    for (int step = 0; step < 200; ++step) {
      const auto i = static_cast<std::uint32_t>(rng.Below(hosts.size()));
      TestHost& host = hosts[i];
      if (host.present && rng.Below(6) == 0) {
        index.Remove(HostIndex{i});
        host.present = false;
      } else {
        const std::int64_t shape = amount(2) * unit;  // Of some there is no memory.
        host.capacity = Room(most + shape, 2 * shape, most);
        for (const Resource r : kAllResources) host.free[r] = amount(host.capacity[r]);
        host.present = true;
        index.Put(HostIndex{i}, host.capacity, host.free);
      }
      const Resources demand =
          Room(amount(most), rng.Below(3) == 0 ? 0 : amount(most), amount(unit));
      const auto refused = static_cast<std::uint32_t>(rng.Below(8));
      const std::optional<HostIndex> expected = BestOf(hosts, demand, refused);
      ASSERT_EQ(index.Best(demand, [&](HostIndex h) { return ToNumber(h) % 7 != refused; }),
                expected);
      ++(expected ? found : none);
    }
  }
  EXPECT_GT(found, 1000U);
  EXPECT_GT(none, 1000U);
}

}  // namespace
}  // namespace berth

#include "qos/unmet_wants.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "berth/rng.h"

namespace berth {
namespace {

struct Asked {
  Want want;
  std::vector<Wide> least;
};

bool MayFit(const Asked& asked, const HostRoom& room) {
  std::int64_t cpu = room.cpu;
  std::int64_t memory = room.memory;
  for (std::size_t klass = 0; klass < asked.least.size(); ++klass) {
    if (room.parts[klass].first < asked.least[klass]) continue;
    cpu += room.parts[klass].cpu;
    memory += room.parts[klass].memory;
  }
  return asked.want.demand[Resource::kCpu] <= cpu && asked.want.demand[Resource::kMemory] <= memory;
}

// Apart enough that keys that differ stay so when they are shortened.
Wide RandomKey(Rng& rng) { return (Wide(rng.Below(100)) - 50) << 40; }

TEST(UnmetWants, FindsWhoeverMayFitWhicheverAreSetAndCleared) {
  constexpr std::size_t kClasses = 3;
  Rng rng(3);
  UnmetWants unmet(kClasses);
  std::map<std::uint32_t, Asked> reference;
  std::size_t found = 0;
  for (int i = 0; i < 5000; ++i) {
    const auto kind = static_cast<std::uint32_t>(rng.Below(60));
    if (rng.Below(3) == 0) {
      unmet.Clear(kind);
      reference.erase(kind);
    } else {
      Asked asked;
      asked.want.demand[Resource::kCpu] = static_cast<std::int64_t>(rng.Below(100));
      asked.want.demand[Resource::kMemory] = static_cast<std::int64_t>(rng.Below(100));
      for (std::size_t k = 0; k < kClasses; ++k) asked.least.push_back(RandomKey(rng));
      unmet.Set(kind, asked.want, asked.least);
      reference[kind] = asked;
    }
    const auto amount = [&] { return static_cast<std::int64_t>(rng.Below(40)); };
    HostRoom room{.cpu = amount() - 5, .memory = amount(), .parts = {}};
    for (std::size_t k = 0; k < kClasses; ++k)
      room.parts.push_back({RandomKey(rng), amount(), amount()});
    std::set<std::uint32_t> expected;
    for (const auto& [other, asked] : reference) {
      if (MayFit(asked, room)) expected.insert(other);
    }
    const auto kinds = unmet.Find(room);
    ASSERT_EQ(std::set<std::uint32_t>(kinds.begin(), kinds.end()), expected) << i;
    ASSERT_EQ(kinds.size(), expected.size()) << i;
    found += kinds.size();
  }
  EXPECT_GT(found, 5000U);
}

TEST(UnmetWants, LeavesNobodyOutHoweverLargeAKeyIs) {
  UnmetWants unmet(1);
  Want want;
  want.demand[Resource::kCpu] = 1;
  const Wide large = (Wide{1} << 125) + 7;
  unmet.Set(0, want, std::vector<Wide>{large});
  unmet.Set(1, want, std::vector<Wide>{-large});
  EXPECT_EQ(unmet.Find({.cpu = 0, .memory = 0, .parts = {{large, 1, 0}}}).size(), 2U);
  EXPECT_EQ(unmet.Find({.cpu = 0, .memory = 0, .parts = {{0, 1, 0}}}).size(), 1U);
}

}  // namespace
}  // namespace berth

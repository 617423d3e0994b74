#include "oversub/observed_usage.h"

#include <gtest/gtest.h>

#include "oversub/tenant_amounts.h"

namespace berth {
namespace {

constexpr Time kCreated = TimeFromMicros(1'000);

Time At(std::int64_t seconds) { return kCreated + std::chrono::seconds(seconds); }
Resources Used(std::int64_t cpu, std::int64_t memory_mib, std::int64_t disk_mib) {
  Resources used;
  used[Resource::kCpu] = cpu;
  used[Resource::kMemory] = memory_mib < 0 ? -1 : memory_mib * kMebibyte;
  used[Resource::kDisk] = disk_mib < 0 ? -1 : disk_mib * kMebibyte;
  return used;
}

TEST(ObservedUsage, KeepsTheLastAndTheMost) {
  ObservedUsage observed;
  EXPECT_EQ(observed.Find(7, kCreated), nullptr);
  observed.Note(7, kCreated, Used(500, 10, 20), At(1));
  observed.Note(7, kCreated, Used(300, 30, 20), At(2));
  observed.Note(7, kCreated, Used(900, 5, 20), At(0));  // Late: no longer the last.
  const ObservedUsage::Seen* seen = observed.Find(7, kCreated);
  ASSERT_NE(seen, nullptr);
  EXPECT_EQ(seen->last, Demand(300, 30, 20));
  EXPECT_EQ(seen->peak, Demand(900, 30, 20));
  EXPECT_EQ(seen->at, PerResource<Time>(At(2), At(2), At(2)));
}

TEST(ObservedUsage, OfWhatWasNotSampledNothingIsSeen) {
  ObservedUsage observed;
  observed.Note(7, kCreated, Used(500, -1, -1), At(1));
  EXPECT_EQ(observed.Find(7, kCreated)->of, PerResource<bool>(true, false, false));
  observed.Note(7, kCreated, Used(-1, 30, -1), At(0));
  EXPECT_EQ(observed.Find(7, kCreated)->of, PerResource<bool>(true, true, false));
  EXPECT_EQ(observed.Find(7, kCreated)->last, Demand(500, 30, 0)) << "of memory it is the last";
}

// Meters of one resource may be behind those of another.
TEST(ObservedUsage, TheLastIsOfEachResourceByItself) {
  ObservedUsage observed;
  observed.Note(7, kCreated, Used(500, -1, -1), At(9));
  observed.Note(7, kCreated, Used(-1, 30, -1), At(1));
  observed.Note(7, kCreated, Used(700, 20, -1), At(2));
  EXPECT_EQ(observed.Find(7, kCreated)->last, Demand(500, 20, 0));
  EXPECT_EQ(observed.Find(7, kCreated)->peak, Demand(700, 30, 0));
}

TEST(ObservedUsage, WhatIsRecalledIsNoPeakOfNow) {
  ObservedUsage observed;
  observed.Note(7, kCreated, Used(500, 10, 20), Used(5'000, 40, 20), At(1));
  EXPECT_EQ(observed.Find(7, kCreated)->last, Demand(500, 10, 20));
  EXPECT_EQ(observed.Find(7, kCreated)->peak, Demand(5'000, 40, 20));
}

TEST(ObservedUsage, IsOfOneInstanceAndNotOfTheNextOfThatName) {
  ObservedUsage observed;
  observed.Note(7, kCreated, Used(5'000, 10, 20), At(1));
  EXPECT_EQ(observed.Find(7, At(5)), nullptr);
  observed.Note(7, At(5), Used(100, -1, -1), At(6));
  EXPECT_EQ(observed.Find(7, At(5))->peak, Demand(100, 0, 0));
  EXPECT_EQ(observed.Find(7, kCreated), nullptr);
}

}  // namespace
}  // namespace berth

#include "base/virtual_executor.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace berth {
namespace {

Time At(std::int64_t micros) { return TimeFromMicros(micros); }

TEST(VirtualExecutor, RunsByTimeThenInPostingOrder) {
  VirtualExecutor executor;
  std::string ran;
  executor.PostAt(At(20), [&] { ran += "d"; });
  executor.PostAt(At(10), [&] { ran += "b"; });
  executor.Post([&] { ran += "a"; });
  executor.PostAt(At(10), [&] { ran += "c"; });
  EXPECT_EQ(executor.RunUntilIdle(), 4U);
  EXPECT_EQ(ran, "abcd");
  EXPECT_EQ(executor.now(), At(20));
}

TEST(VirtualExecutor, ATaskSeesItsOwnTime) {
  VirtualExecutor executor(At(5));
  EXPECT_EQ(executor.now(), At(5));
  std::vector<std::int64_t> times;
  const auto note = [&] { times.push_back(ToMicros(executor.now())); };
  executor.PostAt(At(30), note);
  executor.PostAt(At(10), [&] {
    note();
    executor.Post(note);
    executor.PostAt(At(20), note);
  });
  executor.RunUntilIdle();
  EXPECT_EQ(times, (std::vector<std::int64_t>{10, 10, 20, 30}));
}

TEST(VirtualExecutor, PostRunsAfterWhatAlreadyWaitsForThisTime) {
  VirtualExecutor executor;
  std::string ran;
  executor.PostAt(At(10), [&] {
    ran += "a";
    executor.Post([&] { ran += "c"; });
  });
  executor.PostAt(At(10), [&] { ran += "b"; });
  executor.RunUntilIdle();
  EXPECT_EQ(ran, "abc");
}

TEST(VirtualExecutor, ATimeThatHasPassedMeansNow) {
  VirtualExecutor executor(At(100));
  executor.PostAt(At(1), [&] { EXPECT_EQ(executor.now(), At(100)); });
  EXPECT_EQ(executor.RunUntilIdle(), 1U);
  EXPECT_EQ(executor.now(), At(100));
}

TEST(VirtualExecutor, RunUntilIncludesItsTimeAndSetsTheClockThere) {
  VirtualExecutor executor;
  int ran = 0;
  for (const std::int64_t at : {10, 20, 21}) executor.PostAt(At(at), [&] { ++ran; });
  EXPECT_EQ(executor.RunUntil(At(20)), 2U);
  EXPECT_EQ(ran, 2);
  EXPECT_EQ(executor.now(), At(20));
  EXPECT_EQ(executor.waiting(), 1U);
  EXPECT_EQ(executor.RunUntil(At(5)), 0U);
  EXPECT_EQ(executor.now(), At(20));
  EXPECT_EQ(executor.RunUntil(At(50)), 1U);
  EXPECT_EQ(executor.now(), At(50));
}

TEST(VirtualExecutor, TheBoundStopsAnEndlessLoop) {
  VirtualExecutor executor;
  std::function<void()> again = [&] { executor.Post(again); };
  executor.Post(again);
  EXPECT_EQ(executor.RunUntilIdle(1000), 1000U);
  EXPECT_EQ(executor.RunUntil(At(50), 1000), 1000U);
  EXPECT_EQ(executor.now(), At(0));  // More is due at this time.
  EXPECT_EQ(executor.waiting(), 1U);
}

TEST(VirtualExecutor, ReachingTheBoundWithTheLastTaskStillSetsTheClock) {
  VirtualExecutor executor;
  executor.PostAt(At(10), [] {});
  EXPECT_EQ(executor.RunUntil(At(50), 1), 1U);
  EXPECT_EQ(executor.now(), At(50));
}

}  // namespace
}  // namespace berth

#include "base/task_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "berth/rng.h"

namespace berth {
namespace {

TEST(TaskQueue, PopsByTimeThenPosting) {
  Rng rng(61);
  TaskQueue queue;
  std::vector<std::pair<std::int64_t, int>> expected;
  std::vector<int> ran;
  int posted = 0;
  const auto post = [&](std::int64_t at) {
    expected.emplace_back(at, posted);
    queue.Push(TimeFromMicros(at), [&ran, number = posted] { ran.push_back(number); });
    ++posted;
  };
  for (int round = 0; round < 2000; ++round) {
    for (std::uint64_t i = rng.Below(4); i > 0; --i) post(static_cast<std::int64_t>(rng.Below(50)));
    if (queue.empty() || rng.Below(3) == 0) continue;
    const auto next = std::min_element(expected.begin(), expected.end());
    ASSERT_EQ(ToMicros(queue.next_at()), next->first);
    queue.Pop()();
    ASSERT_EQ(ran.back(), next->second);
    expected.erase(next);
    ASSERT_EQ(queue.size(), expected.size());
  }
}

TEST(TaskQueue, LetsGoOfATaskThatWasTakenOut) {
  TaskQueue queue;
  auto held = std::make_shared<int>(1);
  queue.Push(TimeFromMicros(0), [held] {});
  EXPECT_EQ(held.use_count(), 2);
  (void)queue.Pop();
  EXPECT_EQ(held.use_count(), 1);
  EXPECT_TRUE(queue.empty());
}

TEST(TaskQueueDeathTest, PoppingAnEmptyQueueIsOurBug) {
  TaskQueue queue;
  EXPECT_DEATH((void)queue.Pop(), "!heap_.empty");
}

}  // namespace
}  // namespace berth

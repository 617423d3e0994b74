#include "berth/executors.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>

namespace berth {
namespace {

TEST(NewVirtualExecutor, RunsWhatIsPostedAndMovesItsClock) {
  const std::unique_ptr<RunnableExecutor> executor = NewVirtualExecutor();
  const Time later = executor->now() + std::chrono::hours(1);
  int ran = 0;
  executor->PostAt(later, [&] { ++ran; });
  executor->Post([&] { EXPECT_EQ(ran++, 0); });
  EXPECT_EQ(executor->RunUntilIdle(), 2U);
  EXPECT_EQ(ran, 2);
  EXPECT_EQ(executor->now(), later);
}

TEST(NewExecutorThreads, RunWhatIsPosted) {
  const std::unique_ptr<Executor> executor = NewThreadExecutor();
  std::promise<Time> ran;
  executor->Post([&] { ran.set_value(executor->now()); });
  EXPECT_GT(ran.get_future().get(), Time());
}

}  // namespace
}  // namespace berth

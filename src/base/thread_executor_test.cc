#include "base/thread_executor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <vector>

namespace berth {
namespace {

using std::chrono::milliseconds;

// Waits until everything posted before has run.
void Drain(ThreadExecutor& executor) {
  std::promise<void> done;
  executor.Post([&done] { done.set_value(); });
  done.get_future().wait();
}

TEST(ExecutorThreads, RunsPostsInOrderOnOneOtherThread) {
  ThreadExecutor executor;
  std::vector<int> ran;
  std::vector<std::thread::id> threads;
  for (int i = 0; i < 1000; ++i) {
    executor.Post([&, i] {
      ran.push_back(i);
      threads.push_back(std::this_thread::get_id());
    });
  }
  Drain(executor);
  ASSERT_EQ(ran.size(), 1000U);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(ran[static_cast<std::size_t>(i)], i);
  for (const std::thread::id id : threads) EXPECT_EQ(id, threads[0]);
  EXPECT_NE(threads[0], std::this_thread::get_id());
}

TEST(ExecutorThreads, TakesPostsFromManyThreads) {
  ThreadExecutor executor;
  constexpr int kThreads = 4;
  constexpr int kPosts = 500;
  int ran = 0;  // Only its thread touches it.
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < kPosts; ++k) {
        executor.Post([&ran] { ++ran; });
        executor.PostAt(executor.now(), [&ran] { ++ran; });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::promise<void> done;
  executor.PostAt(executor.now() + milliseconds(1), [&done] { done.set_value(); });
  done.get_future().wait();
  EXPECT_EQ(ran, 2 * kThreads * kPosts);
}

TEST(ExecutorThreads, RunsATaskWhenItsTimeHasCome) {
  ThreadExecutor executor;
  const Time due = executor.now() + milliseconds(20);
  std::promise<Time> ran_at;
  executor.PostAt(due, [&] { ran_at.set_value(executor.now()); });
  EXPECT_GE(ran_at.get_future().get(), due);
}

TEST(ExecutorThreads, AnEarlierTaskOvertakesALaterOne) {
  ThreadExecutor executor;
  const Time start = executor.now();
  std::string ran;
  std::promise<void> done;
  executor.PostAt(Time::max(), [&ran] { ran += "never"; });
  executor.PostAt(start + milliseconds(40), [&] {
    ran += "c";
    done.set_value();
  });
  executor.PostAt(start + milliseconds(20), [&ran] { ran += "a"; });
  executor.PostAt(start + milliseconds(20), [&ran] { ran += "b"; });
  done.get_future().wait();
  EXPECT_EQ(ran, "abc");
}

TEST(ExecutorThreads, TasksMayPost) {
  ThreadExecutor executor;
  std::promise<void> done;
  executor.Post(
      [&] { executor.Post([&] { executor.PostAt(executor.now(), [&] { done.set_value(); }); }); });
  done.get_future().wait();
}

TEST(ExecutorThreads, DropsWhatWaitsWhenItGoes) {
  auto held = std::make_shared<int>(0);
  std::atomic<int> ran = 0;
  {
    ThreadExecutor executor;
    executor.PostAt(executor.now() + std::chrono::hours(1), [&ran, held] { ++ran; });
    executor.PostAt(Time::max(), [&ran, held] { ++ran; });
    Drain(executor);
  }
  EXPECT_EQ(ran, 0);
  EXPECT_EQ(held.use_count(), 1);
}

TEST(ExecutorThreads, StopWaitsForTheRunningTaskAndDropsLaterPosts) {
  ThreadExecutor executor;
  std::promise<void> started;
  bool finished = false;
  executor.Post([&] {
    started.set_value();
    std::this_thread::sleep_for(milliseconds(20));
    finished = true;
  });
  started.get_future().wait();
  executor.Stop();
  EXPECT_TRUE(finished);
  bool ran = false;
  executor.Post([&ran] { ran = true; });
  executor.PostAt(Time(), [&ran] { ran = true; });
  executor.Stop();
  EXPECT_FALSE(ran);
}

TEST(ExecutorThreads, ATaskThatPostsWhenItIsDestroyedDoesNotDeadlock) {
  ThreadExecutor executor;
  std::promise<void> done;
  struct PostsAtItsEnd {
    ThreadExecutor& executor;
    std::promise<void>& done;
    ~PostsAtItsEnd() {
      executor.Post([&promise = done] { promise.set_value(); });
    }
  };
  auto last_words = std::shared_ptr<PostsAtItsEnd>(new PostsAtItsEnd{executor, done});
  executor.Post([last_words = std::move(last_words)] {});
  done.get_future().wait();
}

}  // namespace
}  // namespace berth

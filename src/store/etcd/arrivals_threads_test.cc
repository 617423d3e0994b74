// What the watch's thread hands to the committer's: for the thread sanitizer.
#include "store/etcd/arrivals.h"

#include <gtest/gtest.h>

#include <thread>

#include "store/inbox.h"

namespace berth {
namespace {

constexpr std::int64_t kEvents = 20'000;

TEST(ArrivalsThreads, EverythingComesOnceAndInOrder) {
  Arrivals arrivals(std::size_t{1} << 20);
  Inbox inbox({.waiting_max = 1, .batch_max = 1});
  std::thread watch([&] {
    for (std::int64_t i = 1; i <= kEvents; ++i) {
      std::vector<Written> written;
      written.push_back({.key = "k", .value = "", .at = i});
      if (arrivals.Push(std::move(written))) inbox.Push(WakeNotice{});
    }
    inbox.Close();
  });
  std::int64_t last = 0;
  for (auto woken = inbox.Take(); !woken.empty(); woken = inbox.Take()) {
    for (const Written& written : arrivals.Take().written) EXPECT_EQ(written.at, ++last);
  }
  watch.join();
  EXPECT_EQ(last, kEvents);
}

TEST(ArrivalsThreads, AGapIsToldWhenTooMuchWaits) {
  Arrivals arrivals(/*bytes_max=*/10);
  const auto push = [&](std::size_t bytes) {
    return arrivals.Push({{.key = "", .value = std::string(bytes, 'x'), .at = 1}});
  };
  EXPECT_TRUE(push(6));
  EXPECT_FALSE(push(6));
  EXPECT_FALSE(push(6));
  const Arrivals::Taken taken = arrivals.Take();
  EXPECT_TRUE(taken.gap);
  EXPECT_EQ(taken.written.size(), 1U);
  EXPECT_TRUE(arrivals.PushGap());
  EXPECT_FALSE(push(1));
  EXPECT_TRUE(arrivals.Take().gap);
  EXPECT_FALSE(arrivals.Take().gap);
}

}  // namespace
}  // namespace berth

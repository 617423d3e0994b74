#include "sim/qos/generate.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace berth {
namespace {

constexpr Duration kDay = std::chrono::hours(24);

std::vector<Time> Arrivals(const QosWorkloadShape& shape) {
  std::vector<Time> arrivals;
  const std::unique_ptr<QosWorkload> workload = GenerateQosWorkload(shape);
  for (;;) {
    const Result<std::optional<QosRequest>> request = workload->Next();
    EXPECT_TRUE(request.ok());
    if (!request.ok() || !request.value()) return arrivals;
    arrivals.push_back(request.value()->at);
  }
}

TEST(GenerateQosWorkload, GivesAllRequestsInOrderWithinTheLength) {
  const QosWorkloadShape shape{.requests = 50'000, .length = 5 * kDay};
  const std::vector<Time> arrivals = Arrivals(shape);
  EXPECT_EQ(arrivals.size(), shape.requests);
  EXPECT_TRUE(std::ranges::is_sorted(arrivals));
  EXPECT_LE(arrivals.back(), Time(shape.length));
}

// What is left over at the end would be a peak that says nothing of the workload.
TEST(GenerateQosWorkload, SpreadsThemOverTheDays) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const std::vector<Time> arrivals =
        Arrivals({.requests = 50'000, .length = 5 * kDay, .seed = seed});
    for (int day = 0; day < 5; ++day) {
      const auto begin = std::ranges::lower_bound(arrivals, Time(day * kDay));
      const auto end = std::ranges::lower_bound(arrivals, Time((day + 1) * kDay));
      EXPECT_NEAR(static_cast<double>(end - begin), 10'000, 2'000) << "seed " << seed;
    }
    const auto last_minutes =
        std::ranges::lower_bound(arrivals, Time(5 * kDay - std::chrono::minutes(10)));
    EXPECT_LE(arrivals.end() - last_minutes, 500) << "seed " << seed;
  }
}

TEST(GenerateQosWorkload, BurstsAreAsLargeAsAskedFor) {
  const auto most_in_a_minute = [](double share) {
    const std::vector<Time> arrivals =
        Arrivals({.requests = 50'000, .length = 5 * kDay, .burst_share_most = share});
    std::ptrdiff_t most = 0;
    for (auto at = arrivals.begin(); at != arrivals.end(); ++at) {
      const auto end = std::upper_bound(at, arrivals.end(), *at + std::chrono::minutes(1));
      most = std::max(most, end - at);
    }
    return most;
  };
  EXPECT_LT(most_in_a_minute(0.0004), 300);
  EXPECT_GT(most_in_a_minute(0.02), 700);
}

}  // namespace
}  // namespace berth

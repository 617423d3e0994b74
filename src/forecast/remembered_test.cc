#include "forecast/remembered.h"

#include <gtest/gtest.h>

#include <cstddef>

namespace berth {
namespace {

TEST(Remembered, AlwaysTheLatestAndNeverManyMore) {
  for (const std::size_t fitted_to : {0U, 5U, 3'000U}) {
    const std::size_t kept = std::max<std::size_t>(fitted_to, kRememberedMin);
    std::vector<double> all(fitted_to);
    for (std::size_t i = 0; i < fitted_to; ++i) all[i] = static_cast<double>(i);
    RememberedValues remembered(all);
    for (int i = 0; i < 20'000; ++i) {
      all.push_back(1e6 + i);
      remembered.Add(all.back());
      const std::vector<double>& values = remembered.values();
      ASSERT_GE(values.size(), std::min(all.size(), kept));
      ASSERT_LT(values.size(), 2 * kept);
      ASSERT_EQ(values.back(), all.back());
      ASSERT_EQ(values.front(), all[all.size() - values.size()]);
    }
  }
}

}  // namespace
}  // namespace berth

#include "base/parallel.h"

#include <gtest/gtest.h>

#include <vector>

namespace berth {
namespace {

TEST(ForEachInParallelThreads, DoEachPieceOnce) {
  for (const std::size_t workers : {0U, 1U, 2U, 5U}) {
    for (const std::size_t count : {0U, 1U, 3U, 200U}) {
      std::vector<int> done(count);
      ForEachInParallel(count, workers, [&](std::size_t i) { ++done[i]; });
      EXPECT_EQ(done, std::vector<int>(count, 1)) << workers;
    }
  }
  EXPECT_GE(CoreCount(), 1U);
}

}  // namespace
}  // namespace berth

#include "sim/rightsizing/frontier.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "berth/rng.h"

namespace berth {
namespace {

TEST(Frontier, ALineByHand) {
  const std::vector<FrontierPoint> hull = LowerHull({{.slack = 30, .above = 1},
                                                     {.slack = 10, .above = 5},
                                                     {.slack = 20, .above = 4},
                                                     {.slack = 40, .above = 2}});
  EXPECT_EQ(hull, (std::vector<FrontierPoint>{{10, 5}, {30, 1}}));
  EXPECT_EQ(HullAt(hull, 20), 3);
  EXPECT_EQ(HullAt(hull, 35), 1);
  EXPECT_EQ(HullAt(hull, 9), std::nullopt);
  EXPECT_EQ(HullAt({}, 9), std::nullopt);
}

// The slow way: the least that lots between any two give.
TEST(Frontier, IsTheLeastThatLotsGive) {
  Rng rng(2);
  for (int run = 0; run < 200; ++run) {
    std::vector<FrontierPoint> points;
    for (std::uint64_t n = 1 + rng.Below(6); n > 0; --n) {
      points.push_back({static_cast<double>(rng.Below(20)), static_cast<double>(rng.Below(20))});
    }
    const std::vector<FrontierPoint> hull = LowerHull(points);
    for (int half = 0; half < 44; ++half) {
      const double slack = half / 2.0;
      std::optional<double> least;
      for (const FrontierPoint& a : points) {
        if (a.slack > slack) continue;
        for (const FrontierPoint& b : points) {
          double above = a.above;
          if (b.slack > slack) {
            above += (slack - a.slack) / (b.slack - a.slack) * (b.above - a.above);
          }
          least = std::min(least.value_or(above), above);
        }
      }
      ASSERT_EQ(HullAt(hull, slack).has_value(), least.has_value());
      if (least) {
        EXPECT_NEAR(*HullAt(hull, slack), *least, 1e-9) << slack;
      }
    }
  }
}

}  // namespace
}  // namespace berth

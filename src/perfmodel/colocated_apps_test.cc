#include "perfmodel/colocated_apps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "base/quantiles.h"
#include "perfmodel/generate_performance.h"

namespace berth {
namespace {

double MedianResponse(const ColocatedApps& apps, std::vector<double> loads,
                      std::vector<double> limits, std::size_t of) {
  Rng rng(5);
  std::vector<double> seen;
  for (int i = 0; i < 201; ++i) seen.push_back(apps.Measure(loads, limits, rng)[of].response_ms);
  return Quantile(seen, 0.5);
}

TEST(ColocatedApps, MoreCpuAndQuietNeighboursAreFaster) {
  const ColocatedApps apps = ThreeColocatedApps(LimitKind::kHard);
  const double usual = MedianResponse(apps, {60, 60, 60}, {500, 500, 500}, 0);
  EXPECT_GT(MedianResponse(apps, {60, 60, 60}, {100, 500, 500}, 0), 1.5 * usual);
  EXPECT_GT(MedianResponse(apps, {90, 60, 60}, {500, 500, 500}, 0), 1.01 * usual);
  EXPECT_LT(MedianResponse(apps, {60, 10, 10}, {500, 500, 500}, 0), 0.97 * usual);
}

TEST(ColocatedApps, ASoftLimitLetsTheIdleBeUsed) {
  const auto at = [](LimitKind kind) {
    return MedianResponse(ThreeColocatedApps(kind), {60, 20, 20}, {100, 300, 300}, 0);
  };
  EXPECT_LT(at(LimitKind::kSoft), 0.7 * at(LimitKind::kHard));
}

TEST(ColocatedApps, AsManyPausesAsWereSeen) {
  const DataTable table =
      MeasurePerformance(ThreeColocatedApps(LimitKind::kHard), kPerformanceRows, 1);
  const std::size_t liberty = table.FindColumn("liberty.response_ms").value();
  const std::size_t nginx = table.FindColumn("nginx.response_ms").value();
  double slow = 0, slow_nginx = 0;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    slow += table.Row(i)[liberty] > 1'500 ? 1 : 0;
    slow_nginx += table.Row(i)[nginx] > 1'500 ? 1 : 0;
  }
  EXPECT_NEAR(slow / static_cast<double>(table.rows()), 0.09, 0.02);
  EXPECT_LT(slow_nginx, 0.02 * static_cast<double>(table.rows()));
}

TEST(GeneratePerformance, SameSeedSameRowsAndReadBack) {
  const ColocatedApps apps = ThreeColocatedApps(LimitKind::kSoft);
  std::ostringstream once, again, other;
  WriteDataTable(MeasurePerformance(apps, 20, 7), once);
  WriteDataTable(MeasurePerformance(apps, 20, 7), again);
  WriteDataTable(MeasurePerformance(apps, 20, 8), other);
  EXPECT_EQ(once.str(), again.str());
  EXPECT_NE(once.str(), other.str());
  const DataTable read = ReadDataTable(LineReader::FromText(once.str(), "data.csv")).value();
  const DataTable made = MeasurePerformance(apps, 20, 7);
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_TRUE(std::ranges::equal(read.Row(i), made.Row(i)));
  }
}

TEST(GeneratePerformance, AppsOfAnyNumber) {
  const DataTable table = MeasurePerformance(ManyColocatedApps(50, LimitKind::kHard), 3, 1);
  EXPECT_EQ(table.columns(), 200U);
}

}  // namespace
}  // namespace berth

#include "report/balance_report.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(BalanceReport, DrawsEveryMoveAndEveryMachine) {
  BalancePlan plan;
  plan.before.expected_violations = 1.75;
  plan.moves.resize(2);
  plan.moves[0].expected_violations = 1;
  plan.moves[1].expected_violations = 0.25;
  plan.outlooks = {{.machine = MachineId("a"), .probability_now = 0.5, .probability_after = 0.25},
                   {.machine = MachineId("b"), .probability_now = 0, .probability_after = 0},
                   {.machine = MachineId("c"), .probability_now = 1, .probability_after = 0}};
  const Report report = BalanceReport(plan, "berth balance", 1);
  EXPECT_TRUE(Validate(report).ok()) << Validate(report).message();
  ASSERT_EQ(report.plots.size(), 2U);
  ASSERT_EQ(report.plots[0].series.size(), 1U);
  EXPECT_EQ(report.plots[0].series[0].x, (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(report.plots[0].series[0].y, (std::vector<double>{1.75, 1, 0.25}));
  ASSERT_EQ(report.plots[1].series.size(), 2U);
  EXPECT_EQ(report.plots[1].series[0].x, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(report.plots[1].series[0].y, (std::vector<double>{100, 50, 0}));
  EXPECT_EQ(report.plots[1].series[1].y, (std::vector<double>{0, 25, 0}));
}

TEST(BalanceReport, OfAFleetThatNothingHelpsHasTheOnePointThatThereIs) {
  const Report report = BalanceReport({}, "berth balance", 1);
  EXPECT_TRUE(Validate(report).ok()) << Validate(report).message();
  ASSERT_EQ(report.plots.size(), 1U);
  EXPECT_EQ(report.plots[0].series[0].y, (std::vector<double>{0}));
}

}  // namespace
}  // namespace berth

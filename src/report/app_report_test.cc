#include "report/app_report.h"

#include <gtest/gtest.h>

#include "appsim/app_testing.h"

namespace berth {
namespace {

TEST(AppReport, HoldsWhatTheRunsSay) {
  AppModel model = testing::TreeApp(3, 2, 1);
  model.duration = std::chrono::minutes(2);
  testing::AddLoad(model, {120}, model.duration);  // More than one instance can do.
  const AppStudy study{
      .policies = {{.name = "none"},
                   {.name = "ratio",
                    .make = []() -> Result<std::unique_ptr<Autoscaler>> {
                      return std::unique_ptr<Autoscaler>(
                          std::make_unique<testing::RatioScaler>(3, 0.5, std::chrono::seconds(10)));
                    }}},
      .repetitions = 2};
  const std::vector<AppPolicyRuns> runs = RunAppStudy(model, study).value();
  const Report report = AppReport(model, runs, study, "berth simulate app x");
  ASSERT_TRUE(Validate(report).ok()) << Validate(report).message();
  ASSERT_EQ(report.tables.size(), 6U);
  const Table& policies = report.tables[0];
  ASSERT_EQ(policies.rows.size(), 2U);
  const AppTotals none = TotalsOf(runs[0]);
  EXPECT_EQ(std::get<double>(policies.rows[0][1]), static_cast<double>(none.all.sent));
  EXPECT_NE(std::get<std::string>(policies.rows[0][2]).find(" +- "), std::string::npos);
  // Where time goes adds up, and so do the lost and the answered.
  const Table& requests = report.tables[1];
  for (const auto& row : requests.rows) {
    EXPECT_NEAR(std::get<double>(row[6]) + std::get<double>(row[7]) + std::get<double>(row[8]), 100,
                1e-9);
  }
  const Table& lost = report.tables[2];
  double all = 0;
  for (std::size_t i = 1; i < lost.columns.size(); ++i) all += std::get<double>(lost.rows[0][i]);
  EXPECT_NEAR(all, 100 - std::get<double>(requests.rows[0][3]), 1e-9);
  // The curve of whoever answers most ends near all; the other's below it.
  const Plot& curves = report.plots[0];
  ASSERT_EQ(curves.series.size(), 2U);
  EXPECT_GT(curves.series[1].y.back(), 99);
  EXPECT_LT(curves.series[0].y.back(), curves.series[1].y.back());
}

TEST(AppReport, NothingSentIsNoReasonToFail) {
  AppModel model = testing::TreeApp(1, 1, 1);
  model.duration = std::chrono::seconds(5);
  const AppStudy study{.policies = {{.name = "none"}}};
  const auto runs = RunAppStudy(model, study).value();
  const Report report = AppReport(model, runs, study, "berth simulate app x");
  EXPECT_TRUE(Validate(report).ok()) << Validate(report).message();
}

}  // namespace
}  // namespace berth

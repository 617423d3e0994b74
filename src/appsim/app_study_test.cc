#include "appsim/app_study.h"

#include <gtest/gtest.h>

#include "appsim/app_testing.h"

namespace berth {
namespace {

TEST(MeanOfRuns, IsStudentsInterval) {
  // Deviation 1, over the root of 3, times t of two degrees of freedom.
  const std::vector<double> values = {1, 2, 3};
  EXPECT_DOUBLE_EQ(MeanOf(values).mean, 2);
  EXPECT_NEAR(MeanOf(values).half_width, 4.303 / std::sqrt(3), 1e-12);
  EXPECT_EQ(MeanOf(std::vector<double>{7}).half_width, 0);
  EXPECT_EQ(MeanOf(std::vector<double>(100, 7)).half_width, 0);
}

AppModel TwoRegions() {
  AppModel model = testing::TreeApp(3, 2, 2);
  model.duration = std::chrono::minutes(2);
  testing::AddLoad(model, {60}, model.duration);
  model.regions.push_back(model.regions[0]);
  model.regions[1].name = "us";
  return model;
}

std::vector<AppPolicy> TwoPolicies() {
  return {{.name = "none"},
          {.name = "ratio", .make = []() -> Result<std::unique_ptr<Autoscaler>> {
             return std::unique_ptr<Autoscaler>(
                 std::make_unique<testing::RatioScaler>(3, 0.5, std::chrono::seconds(10)));
           }}};
}

TEST(AppStudyThreads, NothingDependsOnTheNumberOfWorkers) {
  const AppModel model = TwoRegions();
  AppStudy study{.policies = TwoPolicies(), .repetitions = 3, .seed = 9};
  const std::vector<AppPolicyRuns> one = RunAppStudy(model, study).value();
  study.workers = 4;
  const std::vector<AppPolicyRuns> four = RunAppStudy(model, study).value();
  ASSERT_EQ(one.size(), 2U);
  for (std::size_t p = 0; p < one.size(); ++p) {
    ASSERT_EQ(one[p].runs.size(), 3U);
    for (std::size_t r = 0; r < 3; ++r) {
      for (std::size_t region = 0; region < 2; ++region) {
        const AppOutcome& a = one[p].runs[r][region];
        const AppOutcome& b = four[p].runs[r][region];
        EXPECT_EQ(a.types[0].sent, b.types[0].sent);
        EXPECT_EQ(a.types[0].response_us, b.types[0].response_us);
        EXPECT_EQ(a.node_types[0].cost_micros, b.node_types[0].cost_micros);
        EXPECT_EQ(a.series.steps, r == 0 ? 120U : 0U);
      }
    }
  }
  // Policies see the same requests; repetitions and regions others.
  EXPECT_EQ(one[0].runs[1][0].types[0].sent, one[1].runs[1][0].types[0].sent);
  EXPECT_NE(one[0].runs[0][0].types[0].sent, one[0].runs[1][0].types[0].sent);
  EXPECT_NE(one[0].runs[0][0].types[0].sent, one[0].runs[0][1].types[0].sent);
}

TEST(AppStudy, TotalsAreSumsOverRegionsAndRepetitions) {
  const AppModel model = TwoRegions();
  const AppStudy study{.policies = TwoPolicies(), .repetitions = 2};
  const AppPolicyRuns runs = std::move(RunAppStudy(model, study).value()[1]);
  const AppTotals totals = TotalsOf(runs);
  std::uint64_t sent = 0;
  double cost = 0, nodes = 0, cpu = 0;
  for (const auto& regions : runs.runs) {
    for (const AppOutcome& outcome : regions) {
      sent += outcome.types[0].sent;
      cost += outcome.node_types[0].cost_micros;
      nodes += outcome.means.nodes / 2;
      cpu += outcome.means.services[1][0] / 4;
    }
  }
  EXPECT_EQ(totals.all.sent, sent);
  EXPECT_DOUBLE_EQ(totals.cost_micros, cost);
  EXPECT_DOUBLE_EQ(totals.nodes_mean, nodes);
  EXPECT_DOUBLE_EQ(totals.services[1][0], cpu);
  EXPECT_EQ(totals.all.response.count(), totals.all.answered);
  EXPECT_EQ(totals.all.sent, totals.all.answered + totals.all.Lost() + totals.unfinished);
}

TEST(AppStudy, APolicyThatCannotBeMadeIsTold) {
  AppStudy study{.policies = {{.name = "bad", .make = [] {
                                 return Result<std::unique_ptr<Autoscaler>>(
                                     Status(Code::kInvalidArgument, "no such metric"));
                               }}}};
  EXPECT_EQ(RunAppStudy(TwoRegions(), study).status().message(), "no such metric");
}

}  // namespace
}  // namespace berth

#include "scale/live_scaler.h"

#include <gtest/gtest.h>

#include "base/virtual_executor.h"
#include "scale/replica_advisor.h"
#include "support/paths.h"

namespace berth {
namespace {

using std::chrono::minutes;

class LiveScalerTest : public ::testing::Test {
 protected:
  LiveScalerTest() {
    auto asks = std::make_unique<VirtualExecutor>();
    asks_ = asks.get();
    Result<std::shared_ptr<ExternalProgram>> opened =
        ExternalProgram::Open({(testing::SourceDir() / "testdata/external/median.py").string()},
                              std::chrono::seconds(20));
    EXPECT_TRUE(opened.ok()) << opened.status().message();
    programs_.Add("median", std::make_unique<LiveProgram>(std::move(opened).value(),
                                                          std::move(asks), LiveProgram::Say()));
  }
  std::unique_ptr<Scaler> Make() {
    return NewLiveScaler(desk_, "external:median", {.reference_milli = 500}, "web");
  }
  void Answer() {
    while (asks_->RunUntilIdle() + home_.RunUntilIdle() > 0) {
    }
  }

  VirtualExecutor home_;
  VirtualExecutor* asks_ = nullptr;
  LivePrograms programs_;
  ProgramDesk desk_{.programs = &programs_, .home = &home_};
  // 2000m at 60% of 500m are 6.7 replicas: seven, and one more.
  const ReplicaLoad load_{.at = Time(minutes(1)), .replicas = 4, .cpu_milli = 2000};
};

TEST_F(LiveScalerTest, CountsWhenTheAnswerHasArrived) {
  const auto scaler = Make();
  EXPECT_TRUE(scaler->AnswersLater());
  EXPECT_TRUE(scaler->WantsMetric("queue"));
  scaler->Observe(load_);
  EXPECT_EQ(scaler->Recommend(), std::nullopt);
  Answer();
  EXPECT_EQ(scaler->Recommend(), 8U);
  EXPECT_EQ(scaler->Why(), "8: what it takes, and one more");
  const auto restored = Make();
  ASSERT_TRUE(restored->Restore(scaler->Save()).ok());
  EXPECT_EQ(restored->Why(), scaler->Why());
  EXPECT_FALSE(restored->Restore("!").ok());
  EXPECT_EQ(restored->Recommend(), 8U);
}

// Each load is smoothed and bounded once: when what is made of it is known.
TEST_F(LiveScalerTest, WhatItSaysIsBoundedWhenItIsKnown) {
  ReplicaAdvisor advisor =
      ReplicaAdvisor::Around(Make(), {.max = 6, .smoothing = {.ignore_below = 0.9}});
  advisor.Observe(load_);
  Answer();
  EXPECT_FALSE(advisor.advice());
  advisor.Advise(load_);
  EXPECT_EQ(advisor.advice()->count, 6U);
  EXPECT_EQ(advisor.advice()->why.substr(0, 31), "8: what it takes, and one more;");
}

}  // namespace
}  // namespace berth

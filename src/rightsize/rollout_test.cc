#include "rightsize/rollout.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace berth {
namespace {

Result<SizingRollout> ParseRollout(std::string_view text) {
  const Result<Document> document = ParseDocument(text, "p.yaml");
  if (!document.ok()) return document.status();
  return ParseSizingRollout(document.value().root());
}

TEST(SizingRollout, AShareOfTheServicesGrowsWithIt) {
  SizingRollout rollout = ParseRollout("{name: x, recommender: vpa, percent: 20}").value();
  int small = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::string service = fmt::format("s{}", i);
    rollout.percent = 20;
    const bool among = rollout.Includes(service, ClusterId("c"), Time());
    small += among ? 1 : 0;
    rollout.percent = 50;
    EXPECT_TRUE(!among || rollout.Includes(service, ClusterId("c"), Time()));
  }
  EXPECT_NEAR(small, 400, 80);
}

TEST(SizingRollout, ClustersTakeTheirTurns) {
  const SizingRollout rollout =
      ParseRollout("{name: x, recommender: vpa, clusters: [b, a], begins: 1970-01-03, gap: 2d}")
          .value();
  const auto day = [](int days) { return Time(std::chrono::hours(24 * days)); };
  EXPECT_FALSE(rollout.Includes("s", ClusterId("b"), day(2) - Duration(1)));
  EXPECT_TRUE(rollout.Includes("s", ClusterId("b"), day(2)));
  EXPECT_FALSE(rollout.Includes("s", ClusterId("a"), day(4) - Duration(1)));
  EXPECT_TRUE(rollout.Includes("s", ClusterId("a"), day(4)));
  EXPECT_FALSE(rollout.Includes("s", ClusterId("c"), day(100)));
}

TEST(SizingRollout, BadInputIsNamed) {
  const auto error = [](std::string_view text) { return ParseRollout(text).status().message(); };
  EXPECT_EQ(error("{name: x, recommender: vpa}"),
            "p.yaml:1:1: top level: is for a share or for clusters; give one of percent and "
            "clusters");
  EXPECT_NE(error("{name: x, recommender: vpa, percent: 1, clusters: [a]}"), "");
  EXPECT_EQ(error("{name: control, recommender: vpa, percent: 1}"),
            "p.yaml:1:1: top level: the name 'control' stands for the other services; choose "
            "another");
  EXPECT_EQ(error("{name: x, recommender: vps, percent: 1}").substr(0, 29),
            "p.yaml:1:24: recommender: rec");
  EXPECT_EQ(error("{name: x, recommender: vpa, percent: 1, begins: 2026-02-30}"),
            "p.yaml:1:49: begins: '2026-02-30' is no day; write it like 2026-11-20");
}

// So many times as often and at least so many: by hand, on both sides of each bound.
TEST(RolloutState, RollsBackWhenThingsHappenMoreOften) {
  const SizingRollout rollout{.name = "x", .recommender = "vpa", .factor = 2, .count = 5};
  const auto judged = [&](const ArmTally& candidate, const ArmTally& control) {
    RolloutState state{.name = "x", .candidate = candidate, .control = control, .rolled_back = {}};
    state.Judge(rollout);
    return state.rolled_back;
  };
  EXPECT_EQ(judged({100, 4, 0}, {1000, 0, 0}), "") << "too few";
  EXPECT_NE(judged({100, 5, 0}, {1000, 0, 0}), "");
  EXPECT_EQ(judged({100, 10, 0}, {1000, 50, 0}), "") << "just twice as often";
  EXPECT_NE(judged({100, 11, 0}, {1000, 50, 0}), "");
  EXPECT_EQ(judged({100, 0, 11}, {1000, 0, 50}),
            "its instances exceeded their limits in 11 of 100 windows, the others in 50 of 1,000: "
            "more than 2 times as often");
  EXPECT_EQ(judged({0, 0, 0}, {0, 0, 0}), "");
}

TEST(RolloutState, SurvivesBeingSaved) {
  const RolloutState state{
      .name = "x", .candidate = {10, 2, 3}, .control = {40, 5, 6}, .rolled_back = "because"};
  RolloutState again;
  ASSERT_TRUE(again.Restore(state.Save()).ok());
  EXPECT_EQ(again, state);
  EXPECT_FALSE(again.Restore("\x0a").ok());
  EXPECT_EQ(again, state);
}

}  // namespace
}  // namespace berth

#include "scale/space/scaling_plan.h"

#include <gtest/gtest.h>

#include "scale/space/space_testing.h"

namespace berth {
namespace {

class ScalingPlanTest : public ::testing::Test {
 protected:
  ScaledApplication application_ = {
      .services = {ServiceOf("web", 1, 1), ServiceOf("search", 1, 4)},
      .types = {TypeOf("small", 2, 8, 0.1), TypeOf("large", 8, 32, 0.3)}};
  ScalingPlan plan_ = {
      .made = AtMinute(3),
      .states = {{.at = AtMinute(3),
                  .instances = {4, 2},
                  .low = {3, 2},
                  .high = {6, 2},
                  .nodes = {{.type = 0, .count = 2, .instances = {2, 1}}},
                  .why = "web 2 to 4 (load 80, 20 an instance)"},
                 {.at = AtMinute(9), .instances = {4, 3}, .nodes = {}, .why = "a \"quoted\" why"}},
      .notes = {"warming up"}};
};

TEST_F(ScalingPlanTest, IsRestoredAsItWasStored) {
  const std::string text = PlanToJson(plan_, application_);
  const ScalingPlan read = PlanFromJson(text, "plan.json", application_).value();
  EXPECT_EQ(PlanToJson(read, application_), text);
  EXPECT_EQ(read.made, plan_.made);
  EXPECT_EQ(read.notes, plan_.notes);
  ASSERT_EQ(read.states.size(), 2U);
  EXPECT_EQ(read.states[0].nodes, plan_.states[0].nodes);
  EXPECT_EQ(read.states[0].high, (InstanceCounts{6, 2}));
  EXPECT_EQ(read.states[1].why, plan_.states[1].why);
  EXPECT_TRUE(read.states[1].low.empty());
}

TEST_F(ScalingPlanTest, WhatIsInForceIsTheLastThatIsDue) {
  EXPECT_EQ(StateDueBy(plan_, AtMinute(2)), nullptr);
  EXPECT_EQ(StateDueBy(plan_, AtMinute(3)), &plan_.states[0]);
  EXPECT_EQ(StateDueBy(plan_, AtMinute(8)), &plan_.states[0]);
  EXPECT_EQ(StateDueBy(plan_, AtMinute(100)), &plan_.states[1]);
}

TEST_F(ScalingPlanTest, OfAnotherApplicationItIsRefused) {
  const std::string text = PlanToJson(plan_, application_);
  application_.services[1].name = "find";
  EXPECT_EQ(PlanFromJson(text, "plan.json", application_).status().message(),
            "plan.json:8:5: states[0].instances: 'search' is no service of the application; plan "
            "again");
  application_.services[1].name = "search";
  application_.types[0].name = "tiny";
  EXPECT_EQ(PlanFromJson(text, "plan.json", application_).status().message(),
            "plan.json:19:5: states[0].nodes[0]: is of 'p/small', which is no node type of the "
            "application; plan again");
}

TEST_F(ScalingPlanTest, WhatIsNoPlanIsRefused) {
  EXPECT_FALSE(PlanFromJson("{}", "x", application_).ok());
  EXPECT_FALSE(PlanFromJson("[]", "x", application_).ok());
  const std::string unsorted =
      R"({"made_us": 1, "states": [{"at_us": 5, "instances": {"web": 1, "search": 1}},
                                   {"at_us": 4, "instances": {"web": 1, "search": 1}}]})";
  EXPECT_EQ(PlanFromJson(unsorted, "x", application_).status().message(),
            "x:2:36: states[1]: is before the state before it; sort them by at_us");
  const std::string missing =
      R"({"made_us": 1, "states": [{"at_us": 5, "instances": {"web": 1}}]})";
  EXPECT_EQ(PlanFromJson(missing, "x", application_).status().message(),
            "x:1:53: states[0].instances: does not have all services of the application; plan "
            "again");
}

TEST_F(ScalingPlanTest, NodesAreCountedByType) {
  EXPECT_EQ(NodesInWords(plan_.states[0].nodes, application_), "2 p/small");
  EXPECT_EQ(NodesInWords({}, application_), "");
}

}  // namespace
}  // namespace berth

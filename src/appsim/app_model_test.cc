#include "appsim/app_model.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "appsim/app_testing.h"
#include "appsim/call_tree.h"

namespace berth {
namespace {

AppModel GoodModel() {
  AppModel model = testing::TreeApp(3, 2, 1);
  model.duration = std::chrono::minutes(1);
  testing::AddLoad(model, {1}, std::chrono::minutes(1));
  return model;
}

TEST(AppModel, SaysWhatCannotBeSimulated) {
  ASSERT_TRUE(CheckAppModel(GoodModel()).ok());
  struct Case {
    std::function<void(AppModel&)> spoil;
    std::string_view says;
  };
  const std::vector<Case> cases = {
      {[](AppModel& m) { m.services.clear(); }, "services are 0"},
      {[](AppModel& m) { m.duration = {}; }, "duration must be above zero"},
      {[](AppModel& m) { m.metric_step = Duration(1); }, "metric step is too short"},
      {[](AppModel& m) { m.services[2].next = {0}; }, "'s0': next leads back"},
      {[](AppModel& m) { m.services[1].next = {1}; }, "'s1': next leads back"},
      {[](AppModel& m) { m.services[1].next = {9}; }, "'s1': next names a service"},
      {[](AppModel& m) { m.services[1].work_milli = 0; }, "work must be above 0"},
      {[](AppModel& m) { m.request_types[0].entry = 3; }, "entry names a service"},
      {[](AppModel& m) { m.request_types[0].timeout = {}; }, "timeout must be above zero"},
      {[](AppModel& m) { m.request_types[0].times.pop_back(); }, "times must be given by service"},
      {[](AppModel& m) {
         m.request_types[0].times[0].upstream.mean = std::numeric_limits<double>::quiet_NaN();
       },
       "upstream time must be a number"},
      {[](AppModel& m) { m.regions[0].deployment[0].type = 1; }, "names a node type"},
      {[](AppModel& m) { m.regions[0].deployment[0].count = 60'000; }, "has more than 100,000"},
      {[](AppModel& m) { m.node_types[0].vm.capacity[Resource::kNetwork] = 1 << 25; },
       "network must be at most"},
      {[](AppModel& m) { m.node_types[0].burst.baseline_milli = 2'001; },
       "baseline must be at most the cpu"},
      {[](AppModel& m) { m.node_types[0].burst.most = INT64_MAX; },
       "credits must be 0 to 100,000,000"},
      {[](AppModel& m) { m.node_types[0].burst = {.most = 1, .start = 2}; },
       "credits at the start must not be more"},
      {[](AppModel& m) { m.request_types[0].need[1].mean = 1e14; }, "need must be a number from 0"},
      {[](AppModel& m) { m.regions[0].loads[0].rates = {-1}; }, "load rate must be"},
      {[](AppModel& m) { m.regions[0].loads[0].request_type = 1; }, "names a request type"},
  };
  for (const Case& spoiled : cases) {
    AppModel model = GoodModel();
    spoiled.spoil(model);
    const Status status = CheckAppModel(model);
    EXPECT_NE(status.message().find(spoiled.says), std::string::npos)
        << spoiled.says << ": " << status.message();
  }
}

TEST(AppModel, CallsAreUnfoldedByDepth) {
  AppModel model = GoodModel();
  model.services[1].next = {2};  // Both s0 and s1 call s2.
  const std::vector<AppCall> calls = UnfoldCalls(model, model.request_types[0]).value();
  ASSERT_EQ(calls.size(), 4U);
  EXPECT_EQ(calls[0].children, 2U);
  EXPECT_EQ(calls[1].service, 1U);
  EXPECT_EQ(calls[2].service, 2U);
  EXPECT_EQ(calls[3].service, 2U);
  EXPECT_EQ(calls[3].parent, 1U);
  EXPECT_EQ(calls[1].first_child, 3U);
  model.request_types[0].visits = {true, true, false};
  EXPECT_EQ(UnfoldCalls(model, model.request_types[0]).value().size(), 2U);
}

TEST(AppModel, TooManyCallsAreRefused) {
  AppModel model = testing::TreeApp(20, 1, 1);
  for (std::size_t i = 0; i + 1 < model.services.size(); ++i) {
    model.services[i].next = {i + 1, i + 1};  // Two to the nineteenth.
  }
  model.duration = std::chrono::minutes(1);
  EXPECT_NE(CheckAppModel(model).message().find("more than 2,000 calls"), std::string::npos);
}

}  // namespace
}  // namespace berth

#include "appsim/app_write.h"

#include <gtest/gtest.h>

#include "appsim/app_file.h"
#include "appsim/app_testing.h"

namespace berth {
namespace {

// What is written reads back as what was written.
std::string WrittenAgain(const AppModel& model) {
  const Result<AppModel> read = ParseAppFile(WriteAppFile(model), "app.yaml");
  return read.ok() ? WriteAppFile(read.value()) : read.status().message();
}

AppModel Tree() {
  AppModel model = testing::TreeApp(7, 2, 1);
  model.duration = std::chrono::minutes(90);
  model.regions[0].loads = {{.request_type = 0,
                             .step = std::chrono::minutes(30),
                             .rates = {1.5, 0, 1e-7},
                             .deviation = 0.25,
                             .arrivals = AppLoad::Arrivals::kEven}};
  return model;
}

TEST(AppWrite, ReadsBackAsTheSame) {
  const AppModel model = Tree();
  EXPECT_EQ(WrittenAgain(model), WriteAppFile(model));
  const AppModel again = ParseAppFile(WriteAppFile(model), "app.yaml").value();
  ASSERT_EQ(again.services.size(), 7U);
  for (std::size_t s = 0; s < 7; ++s) {
    EXPECT_EQ(again.services[s].next, model.services[s].next);
    EXPECT_EQ(again.services[s].need, model.services[s].need);
    EXPECT_EQ(again.services[s].idle, model.services[s].idle);
    EXPECT_EQ(again.services[s].boot, model.services[s].boot);
    EXPECT_EQ(again.request_types[0].times[s].upstream, model.request_types[0].times[s].upstream);
  }
  EXPECT_EQ(again.request_types[0].need, model.request_types[0].need);
  EXPECT_EQ(again.regions[0].deployment, model.regions[0].deployment);
  EXPECT_EQ(again.regions[0].loads[0].rates, model.regions[0].loads[0].rates);
  EXPECT_EQ(again.regions[0].loads[0].deviation, 0.25);
  EXPECT_EQ(again.node_types[0].vm.hour_micros, model.node_types[0].vm.hour_micros);
}

TEST(AppWrite, BuffersBurstsVisitsAndPrioritiesAreKept) {
  AppModel model = Tree();
  model.services[1].upstream = {.order = BufferOrder::kPriority, .capacity = {40}};
  model.services[2].downstream = {.order = BufferOrder::kLifo};
  model.request_types[0].visits = {true, true, false, true, false, false, false};
  model.request_types[0].priority = -3;
  model.request_types[0].target = std::chrono::milliseconds(1'500);
  model.request_types[0].request_bytes = {.kind = Spread::Kind::kExponential, .mean = 999};
  model.deployed_before = false;
  model.node_types[0].burst = {
      .baseline_milli = 333, .most = 144 * kCpuCredit, .start = 7 * kCpuCredit};
  model.regions[0].user_network_mbit = 250;
  const std::string text = WriteAppFile(model);
  EXPECT_EQ(WrittenAgain(model), text);
  EXPECT_EQ(ParseAppFile(text, "app.yaml").value().node_types[0].burst, model.node_types[0].burst);
  EXPECT_NE(text.find("burst: {baseline: 0.1665, most: 144, start: 7}"), std::string::npos);
  EXPECT_NE(text.find("upstream: {order: priority, capacity: {get: 40}}"), std::string::npos);
  EXPECT_NE(text.find("downstream: {order: lifo}"), std::string::npos);
  EXPECT_NE(text.find("visits: [s0, s1, s3]"), std::string::npos);
  EXPECT_NE(text.find("target: 1500ms"), std::string::npos);
  EXPECT_NE(text.find("request_size: {exponential: 999}"), std::string::npos);
}

}  // namespace
}  // namespace berth

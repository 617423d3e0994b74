#include "scale/capacity/learned_response.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "berth/rng.h"
#include "support/temp_folder.h"

namespace berth {
namespace {

PerformanceModelSet FittedTo(const DataTable& table, std::string_view target, std::size_t degree) {
  const std::vector<std::string_view> targets = {target};
  const ModelGroup group = GroupOfTargets(table.names(), targets).value();
  return FitModels(table, {group}, *FindPerformanceModel("lasso").value(),
                   {.degree = degree, .penalty = 1e-6})
      .value();
}

// 10 ms and 100 ms at full utilisation more, measured from 20% to 90%.
PerformanceModelSet Line() {
  DataTable table({"web.utilisation", "web.response_ms"});
  for (const double u : {0.2, 0.3, 0.5, 0.6, 0.8, 0.9}) {
    table.AddRow(std::vector<double>{u, 10 + 100 * u});
  }
  return FittedTo(table, "web.response_ms", 1);
}

TEST(LearnedResponse, IsWhatTheModelPredicts) {
  const auto response = NewLearnedResponse(Line(), "web").value();
  EXPECT_NEAR(response->ResponseSeconds({.utilisation = 0.4}), 0.05, 1e-6);
  EXPECT_NEAR(response->ResponseSeconds({.utilisation = 0.9}), 0.1, 1e-6);
}

TEST(LearnedResponse, StaysWithinWhatWasMeasured) {
  const auto response = NewLearnedResponse(Line(), "web").value();
  EXPECT_NEAR(response->ResponseSeconds({.utilisation = 0.05}), 0.03, 1e-6);
  EXPECT_EQ(response->ResponseSeconds({.utilisation = 0.95}),
            std::numeric_limits<double>::infinity());
}

// At most 50 ms is a utilisation of 40%: 16 requests/s an instance.
TEST(LearnedResponse, TellsHowManyInstances) {
  ServiceModel service{.name = "web", .requests_per_s = 40, .slo_s = 0.050001};
  service.response = NewLearnedResponse(Line(), "web").value();
  EXPECT_EQ(InstancesFor(service, 16).value(), 1U);
  EXPECT_EQ(InstancesFor(service, 17).value(), 2U);
  EXPECT_EQ(InstancesFor(service, 160).value(), 10U);
}

// Measured with 2 to 12 instances and 20 to 200 requests/s; each serves 20 alone.
DataTable Queue() {
  DataTable table({"web.load_rps", "web.instances", "web.utilisation", "web.response_ms"});
  for (int n = 2; n <= 12; ++n) {
    for (int load = 20; load <= 200; load += 15) {
      const double u = load / (20.0 * n);
      if (u > 0.9) continue;
      table.AddRow(std::vector<double>{double(load), double(n), u, 50 / (1 - std::pow(u, n))});
    }
  }
  return table;
}

TEST(LearnedResponse, OfAllFeaturesTheFewestInstancesThatDoAreFound) {
  const DataTable table = Queue();
  const PerformanceModelSet models = FittedTo(table, "web.response_ms", 3);
  ServiceModel service{.name = "web", .requests_per_s = 20, .instances_max = 40};
  service.response = NewLearnedResponse(FittedTo(table, "web.response_ms", 3), "web").value();
  Rng rng(4);
  std::size_t refused = 0;
  for (int round = 0; round < 300; ++round) {
    const double load = 220 * rng.Unit();
    service.slo_s = 0.05 + 0.05 * rng.Unit();
    std::uint32_t fewest = 0;
    for (std::uint32_t n = 2; n <= 40 && fewest == 0 && load <= 200; ++n) {
      const double u = load / (20 * n);
      if (u > models.ranges[2].most) continue;
      std::vector<double> row = {std::max(load, 20.0), std::min<double>(n, 12),
                                 std::max(u, models.ranges[2].least), 0};
      models.PredictInto(row);
      const double ms = std::min(std::max(row[3], models.ranges[3].least), models.ranges[3].most);
      if (ms <= 1e3 * *service.slo_s) fewest = n;
    }
    const Result<std::uint32_t> found = InstancesFor(service, load);
    EXPECT_EQ(found.ok() ? found.value() : 0, fewest) << load;
    if (!found.ok()) ++refused;
  }
  EXPECT_GT(refused, 10U);
  EXPECT_LT(refused, 200U);
}

TEST(LearnedResponse, KnowsNoMoreLoadThanWasMeasured) {
  ServiceModel service{.name = "web", .requests_per_s = 20, .slo_s = 1};
  service.response = NewLearnedResponse(FittedTo(Queue(), "web.response_ms", 3), "web").value();
  EXPECT_TRUE(InstancesFor(service, 200).ok());
  EXPECT_EQ(InstancesFor(service, 201).status().message(),
            "web: its response model was measured up to 200 requests/s and is asked about 201; "
            "measure more, or plan for a lower quantile");
}

TEST(LearnedResponse, OthersAreRefused) {
  EXPECT_EQ(NewLearnedResponse(Line(), "db").status().message(),
            "has no model of db.response_ms; make one with berth model fit --target "
            "db.response_ms");
  DataTable table({"web.cpu_milli", "web.response_ms"});
  for (const double x : {1, 2, 3, 5}) table.AddRow(std::vector<double>{x, 2 * x});
  EXPECT_EQ(NewLearnedResponse(FittedTo(table, "web.response_ms", 1), "web").status().message(),
            "predicts from 'web.cpu_milli', which no plan knows; fit it to web.load_rps, "
            "web.instances, web.utilisation only");
}

class ModelFileWithResponses : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(WriteModels(Line(), folder_.File("line.models")).ok()); }

  std::string ErrorOf(const std::string& more) {
    const auto read = ReadModelFile(folder_.Write(
        "m.yaml", "services:\n  - {name: web, requests_per_second: 40, cpu: 1, " + more + "}\n"));
    if (read.ok()) return "no error";
    const std::string& message = read.status().message();
    return message.substr(message.find("m.yaml"));
  }

  testing::TempFolder folder_;
};

TEST_F(ModelFileWithResponses, TheFileIsBesideIt) {
  EXPECT_EQ(ErrorOf("slo: 60ms, response_model: line.models"), "no error");
  const auto services = ReadModelFile(folder_.File("m.yaml")).value();
  EXPECT_NEAR(services[0].response->ResponseSeconds({.utilisation = 0.5}), 0.06, 1e-6);
}

TEST_F(ModelFileWithResponses, WhatIsWrongIsSaid) {
  EXPECT_EQ(ErrorOf("response_model: line.models"),
            "m.yaml:2:66: services[0].response_model: goes with an slo above zero and without "
            "service_time");
  EXPECT_EQ(ErrorOf("slo: 60ms, service_time: 1ms, response_model: line.models"),
            "m.yaml:2:96: services[0].response_model: goes with an slo above zero and without "
            "service_time");
  EXPECT_NE(ErrorOf("slo: 60ms, response_model: none.models").find("No such file"),
            std::string::npos);
  EXPECT_NE(ErrorOf("slo: 60ms, response_model: m.yaml").find("is no file of performance models"),
            std::string::npos);
}

// What a server is sent never has it open a file.
TEST_F(ModelFileWithResponses, ATextNamesNoFiles) {
  const auto read = ParseModelFile(
      "services:\n  - {name: web, requests_per_second: 1, cpu: 1, slo: 1s, response_model: " +
          folder_.File("line.models") + "}\n",
      "model");
  EXPECT_NE(read.status().message().find("is a file, and only a model that is one itself may name "
                                         "others"),
            std::string::npos);
}

}  // namespace
}  // namespace berth

#include "scale/capacity/service_model.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

ServiceModel ModelOf(double requests_per_s) {
  ServiceModel model{.name = "web", .requests_per_s = requests_per_s};
  model.need[Resource::kCpu] = 1'000;
  return model;
}

TEST(ServiceModel, InstancesShareTheLoad) {
  const ServiceModel model = ModelOf(40);
  EXPECT_EQ(InstancesFor(model, 0).value(), 1U);
  EXPECT_EQ(InstancesFor(model, 40).value(), 1U);
  EXPECT_EQ(InstancesFor(model, 41).value(), 2U);
  EXPECT_EQ(InstancesFor(model, 400).value(), 10U);
}

TEST(ServiceModel, UtilisationIsKept) {
  ServiceModel model = ModelOf(40);
  model.utilisation_max = 0.7;  // 28 requests/s an instance.
  EXPECT_EQ(InstancesFor(model, 28).value(), 1U);
  EXPECT_EQ(InstancesFor(model, 28.1).value(), 2U);
  EXPECT_EQ(InstancesFor(model, 280).value(), 10U);
}

// 20 ms / (1 - u) <= 100 ms: u <= 0.8, so 32 requests/s an instance.
TEST(ServiceModel, TheResponseTimeIsKept) {
  ServiceModel model = ModelOf(40);
  model.slo_s = 0.1;
  model.response = NewSharedTimeModel(0.02);
  EXPECT_EQ(InstancesFor(model, 32).value(), 1U);
  EXPECT_EQ(InstancesFor(model, 33).value(), 2U);
  EXPECT_EQ(InstancesFor(model, 320).value(), 10U);
  model.utilisation_max = 0.5;  // Now utilisation decides: 20.
  EXPECT_EQ(InstancesFor(model, 21).value(), 2U);
}

TEST(ServiceModel, CallsMultiplyTheLoad) {
  ServiceModel model = ModelOf(40);
  model.calls = 3;
  EXPECT_EQ(InstancesFor(model, 40).value(), 3U);
}

TEST(ServiceModel, BoundsHold) {
  ServiceModel model = ModelOf(40);
  model.instances_min = 2;
  model.instances_max = 3;
  EXPECT_EQ(InstancesFor(model, 1).value(), 2U);
  EXPECT_EQ(InstancesFor(model, 120).value(), 3U);
  EXPECT_EQ(InstancesFor(model, 121).status().message(),
            "web: no number of instances up to 3 serves 121 requests/s; raise max_instances");
  EXPECT_FALSE(InstancesFor(model, 1e300).ok());
}

// A model that is worse with more instances, and good with exactly four.
class Peculiar final : public ResponseModel {
 public:
  double ResponseSeconds(const ServicePoint& point) const override {
    return point.instances == 4 ? 0.05 : 1;
  }
};

TEST(ServiceModel, AnyModelMayBeAsked) {
  ServiceModel model = ModelOf(40);
  model.slo_s = 0.1;
  model.response = std::make_shared<Peculiar>();
  EXPECT_EQ(InstancesFor(model, 40).value(), 4U);
  model.instances_max = 1'000;
  EXPECT_FALSE(InstancesFor(model, 200).ok());
}

TEST(ModelFile, SaysWhatAServiceIs) {
  const auto services = ParseModelFile(R"(services:
  - {name: web, requests_per_second: 40, utilisation: 70%, service_time: 20ms, slo: 100ms,
     cpu: 500m, memory: 512Mi, boot: 20s, min_instances: 2}
  - {name: db, requests_per_second: 100, calls: 2.5, cpu: 2}
)",
                                       "m.yaml")
                            .value();
  ASSERT_EQ(services.size(), 2U);
  EXPECT_EQ(services[0].utilisation_max, 0.7);
  EXPECT_EQ(services[0].slo_s, 0.1);
  EXPECT_EQ(services[0].boot, std::chrono::seconds(20));
  EXPECT_EQ(services[0].instances_min, 2U);
  EXPECT_EQ(services[1].calls, 2.5);
  EXPECT_EQ(services[1].need[Resource::kCpu], 2'000);
}

std::string ModelError(const std::string& service) {
  const auto read = ParseModelFile("services:\n  - {" + service + "}\n", "m.yaml");
  return read.ok() ? "no error" : read.status().message();
}

TEST(ModelFile, SaysWhatIsWrong) {
  EXPECT_EQ(ModelError("name: a, requests_per_second: 1"),
            "m.yaml:2:5: services[0]: needs nothing; write cpu and memory");
  EXPECT_EQ(ModelError("name: a, requests_per_second: 1, cpu: 1, slo: 1s"),
            "m.yaml:2:5: services[0]: has one of service_time and slo; write both above zero, or "
            "none");
  EXPECT_EQ(ModelError("name: a, requests_per_second: 1, cpu: 1, slo: 1s, service_time: 2s"),
            "m.yaml:2:5: services[0]: has an slo that an idle instance misses; write one above "
            "service_time");
  EXPECT_EQ(
      ModelError("name: a, requests_per_second: 1, cpu: 1, min_instances: 3, max_instances: 2"),
      "m.yaml:2:5: services[0]: has max_instances below min_instances; raise it");
  EXPECT_EQ(ParseModelFile("services: []", "m.yaml").status().message(),
            "m.yaml:1:1: top level: has no services; write at least one");
}

}  // namespace
}  // namespace berth

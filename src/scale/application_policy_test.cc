#include "scale/application_policy.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "scale/scaling_policy.h"

namespace berth {
namespace {

constexpr std::string_view kShop = R"(
applications:
  - name: shop
    mode: auto
    services:
      - {name: web, boot: 30s, calls: [search, basket]}
      - {name: search, role: leaf}
      - {name: basket, calls: [search]}
    scaling:
      autoscaler: space
      sync: 5m
      services:
        default:
          min: 1
          max: 9
          groups:
            - name: load
              calculator: {name: per_instance, metric: load, target: 10}
              metrics: [{name: load}]
)";

TEST(ApplicationPolicy, IsWhatTheSectionSays) {
  const Result<Document> document = ParseDocument(kShop, "p.yaml");
  ASSERT_TRUE(document.ok());
  const auto parsed = ParseApplications(document.value().root());
  ASSERT_TRUE(parsed.ok()) << parsed.status().message();
  ASSERT_EQ(parsed.value().size(), 1U);
  const PlannedApplication& shop = parsed.value().front();
  EXPECT_EQ(shop.mode, ScalingMode::kAuto);
  EXPECT_EQ(shop.services[0].boot, std::chrono::seconds(30));
  EXPECT_EQ(shop.services[1].role, "leaf");
  const std::vector<Resources> needs(3);
  const ScaledApplication scaled = shop.Scaled(needs);
  EXPECT_EQ(scaled.services[0].next, (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(scaled.services[1].previous, (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(scaled.services[2].previous, std::vector<std::size_t>{0});
  const auto autoscaler = shop.NewAutoscaler(needs);
  ASSERT_TRUE(autoscaler.ok());
  EXPECT_EQ(autoscaler.value()->sync_period(), std::chrono::minutes(5));
}

TEST(ApplicationPolicy, ItsServicesAreCountedByItsPlan) {
  const Result<Document> document = ParseDocument(kShop, "p.yaml");
  ASSERT_TRUE(document.ok());
  const Result<ScalingPolicy> scaling = ParseScalingPolicy(document.value().root());
  ASSERT_TRUE(scaling.ok()) << scaling.status().message();
  EXPECT_EQ(scaling.value().Of("search").application, "shop");
  EXPECT_EQ(scaling.value().Of("search").role, "leaf");
  EXPECT_EQ(scaling.value().Of("search").mode, ScalingMode::kAuto);
  EXPECT_EQ(scaling.value().Of("search").scaling.scaler, "plan");
  EXPECT_EQ(scaling.value().Of("other").application, "");
}

std::string ErrorInPolicy(std::string_view text) {
  const Result<Document> document = ParseDocument(text, "p.yaml");
  return document.ok() ? ParseScalingPolicy(document.value().root()).status().message()
                       : document.status().message();
}

std::string Application(std::string_view services, std::string_view scaling) {
  return fmt::format("applications: [{{name: shop, services: {}, scaling: {}}}]", services,
                     scaling);
}

TEST(ApplicationPolicy, WhatIsWrongIsNamedWithItsPlace) {
  const auto has = [](std::string_view text, std::string_view part) {
    const std::string error = ErrorInPolicy(text);
    EXPECT_NE(error.find(part), std::string::npos) << error;
    EXPECT_TRUE(error.starts_with("p.yaml:")) << error;
  };
  constexpr std::string_view kHpa = "{autoscaler: hpa}";
  constexpr std::string_view kOthers =
      "{autoscaler: space, services: {db: {min: 1, max: 2, groups: [{name: load, calculator: "
      "{name: "
      "ratio, metric: cpu, target: 1}, metrics: [{name: cpu}]}]}}}";
  has("applications: 7", "applications");
  has(Application("[]", kHpa), "has 0; name 1 to 200 services");
  has(Application("[{name: web}, {name: web}]", kHpa),
      "'web' is a service of the application 'shop' already; name it once");
  has(Application("[{name: web, calls: [db]}]", kHpa), "web calls 'db', which is none of its");
  has(Application("[{name: web}]", "{autoscaler: guess}"), "there is no autoscaler 'guess'");
  has(Application("[{name: web}]", "{autoscaler: hpa, targt: 1}"), "targt");
  has(Application("[{name: web}]", "{autoscaler: space, services: {}}"), "has no services");
  has(Application("[{name: web}]", kOthers),
      "the policy scales 'db', which the application does not have");
  has("applications: [{name: shop, services: [{name: web}]}]", "scaling");
  has(Application("[{name: web}]", kHpa) + "\nscaling: {services: [{name: web}]}",
      "'web' is counted by the plan of shop; leave it out of scaling.services");
  has(fmt::format("applications:\n  - {{name: a, services: [{{name: w}}], scaling: {0}}}\n"
                  "  - {{name: a, services: [{{name: v}}], scaling: {0}}}\n",
                  kHpa),
      "'a' is there twice");
}

}  // namespace
}  // namespace berth

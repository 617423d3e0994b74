#include "scale/space/space_policy.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "base/document.h"
#include "scale/capacity/price_file.h"
#include "scale/capacity/service_model.h"
#include "scale/space/autoscaler_file.h"
#include "scale/space/scaling_plan.h"
#include "scale/space/space_testing.h"
#include "support/paths.h"

namespace berth {
namespace {

std::vector<std::string> ShippedPolicies() {
  std::vector<std::string> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(testing::SourceDir() / "testdata/plan/policies")) {
    paths.push_back(entry.path().string());
  }
  std::ranges::sort(paths);
  return paths;
}

std::string Shipped(std::string_view file) {
  return (testing::SourceDir() / "testdata" / file).string();
}

// The shop of testdata, `web` before `search`.
ScaledApplication ShopOfTestdata() {
  ScaledApplication shop{.types = ReadPriceFile(Shipped("capacity/prices.yaml")).value().types};
  const std::vector<ServiceModel> services = ReadModelFile(Shipped("capacity/model.yaml")).value();
  for (const ServiceModel& service : services) {
    shop.services.push_back({.name = service.name, .need = service.need, .boot = service.boot});
  }
  shop.services[0].next = {1};
  shop.services[1].previous = {0};
  return shop;
}

using UsedParts = std::map<std::string_view, std::set<std::string_view>>;

void NoteGroup(const MetricGroup& group, UsedParts& used) {
  used["calculator"].insert(group.calculator->name);
  if (group.stabiliser) used["stabiliser"].insert(group.stabiliser->stabiliser->name);
  for (const GroupMetric& metric : group.metrics) {
    if (metric.filter) used["filter"].insert(metric.filter->filter->name);
    if (metric.related) used["correlator"].insert(metric.related->correlator->name);
    if (metric.aggregation) used["aggregator"].insert(metric.aggregation->aggregator->name);
    used["forecaster"].insert(metric.forecast.method->name);
  }
}

void NotePolicy(const SpacePolicy& policy, UsedParts& used) {
  used["placing"].insert(policy.nodes.strategy->name);
  used["scorer"].insert(policy.nodes.scorer->name);
  used["chooser"].insert(policy.nodes.chooser->name);
  for (const ServicePolicy& service : policy.services) {
    used["rule"].insert(service.rule->name);
    for (const MetricGroup& group : service.groups) NoteGroup(group, used);
    for (const MetricGroup& group : service.reactive) NoteGroup(group, used);
  }
}

TEST(ShippedPolicies, UseEveryPart) {
  UsedParts used;
  for (const std::string& path : ShippedPolicies()) {
    const Document document = ReadDocument(path).value();
    const std::string autoscaler(document.root().Find("autoscaler")->Text().value());
    const auto entry = std::ranges::find(Autoscalers(), autoscaler, &AutoscalerEntry::name);
    ASSERT_NE(entry, Autoscalers().end()) << path;
    used["autoscaler"].insert(entry->name);
    if (autoscaler != "space") continue;
    const auto read = ReadSpacePolicy(document.root());
    ASSERT_TRUE(read.ok()) << read.status().message();
    NotePolicy(read.value(), used);
  }
  const auto check = [&](std::string_view kind, const auto& entries) {
    for (const auto& entry : entries) {
      EXPECT_TRUE(used[kind].contains(entry.name)) << kind << " " << entry.name;
    }
  };
  check("autoscaler", Autoscalers());
  check("placing", PlacingStrategies());
  check("scorer", PlacingScorers());
  check("chooser", PlacingChoosers());
  check("rule", GroupRules());
  check("calculator", CountCalculators());
  check("stabiliser", Stabilisers());
  check("filter", BuiltinFilters());
  check("correlator", BuiltinCorrelators());
  check("aggregator", BuiltinAggregators());
  check("forecaster", BuiltinForecasters());
}

TEST(ShippedPolicies, EachPlansTheShop) {
  const ScaledApplication shop = ShopOfTestdata();
  const MetricTable table =
      ReadMetricTable(ReadText(Shipped("plan/shop.csv")).value(), "shop.csv", shop).value();
  for (const std::string& path : ShippedPolicies()) {
    const auto autoscaler = AutoscalerSource::Read(path).value().Make(shop);
    ASSERT_TRUE(autoscaler.ok()) << autoscaler.status().message();
    // As many as no policy wants, so that each has something to say.
    const ScalingPlan plan = autoscaler.value()->Decide(
        table.end(), Running({1, 1}, {{.type = 1, .count = 1, .instances = {1, 1}}}), table);
    ASSERT_FALSE(plan.states.empty()) << path;
    for (const PlannedState& state : plan.states) {
      EXPECT_GE(state.at, table.end());
      EXPECT_GE(state.instances[0], 1U);
      EXPECT_FALSE(state.why.empty());
    }
    const std::string json = PlanToJson(plan, shop);
    EXPECT_EQ(PlanToJson(PlanFromJson(json, "plan", shop).value(), shop), json);
  }
}

constexpr std::string_view kSound = R"(step: 1m
horizon: 5m
services:
  default:
    groups:
      - name: g
        calculator: {name: ratio, metric: cpu, target: 0.5}
        metrics: [{name: cpu}]
)";

std::string Refused(std::string_view from, std::string_view to) {
  std::string text(kSound);
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  const auto read = ParseSpacePolicy(text, "p");
  EXPECT_FALSE(read.ok()) << to;
  return read.status().message();
}

TEST(SpacePolicy, TheSeasonOfAFilterIsPointsOrNone) {
  const auto season = [](std::string_view written) {
    std::string text(kSound);
    const std::string_view metric = "{name: cpu}";
    text.replace(text.find(metric), metric.size(),
                 fmt::format("{{name: cpu, filter: {{name: outlier_remover{}}}}}", written));
    const SpacePolicy policy = ParseSpacePolicy(text, "p").value();
    return policy.services[0].groups[0].metrics[0].filter->settings.season;
  };
  EXPECT_EQ(season(", season: 12"), 12);
  EXPECT_EQ(season(", season: none"), std::nullopt);
  EXPECT_EQ(season(""), 24);
  EXPECT_NE(Refused("{name: cpu}", "{name: cpu, filter: {name: holt, season: 1}}").find("season"),
            std::string::npos);
}

TEST(SpacePolicy, SaysWhereAndWhatIsWrong) {
  EXPECT_TRUE(ParseSpacePolicy(kSound, "p").ok());
  EXPECT_EQ(Refused("name: ratio", "name: rato"),
            "p:7:21: services.default.groups[0].calculator: there is no calculator 'rato'; the "
            "calculators are ratio, per_instance, learning");
  EXPECT_EQ(Refused("metric: cpu", "metric: gpu"),
            "p:7:21: services.default.groups[0].calculator: there is no metric 'gpu' in the "
            "group; it has cpu");
  EXPECT_EQ(Refused("target: 0.5", "target: 0"),
            "p:7:56: services.default.groups[0].calculator.target: '0' is out of range; write a "
            "number from 1e-09 to 1000000000000");
  EXPECT_EQ(Refused("{name: cpu}", "{name: cpu, filter: {name: soft}}"),
            "p:8:39: services.default.groups[0].metrics[0].filter: there is no filter 'soft'; the "
            "filters are default_na, outlier_remover, simple_exponential, holt, holt_winters, "
            "butterworth, christiano_fitzgerald, hodrick_prescott");
  EXPECT_EQ(Refused("    groups:", "    rule: both\n    groups:"),
            "p:5:11: services.default.rule: there is no rule 'both'; the rules are parallel_max, "
            "parallel_min, sequential");
  EXPECT_EQ(Refused("horizon: 5m", "horizon: 30s"),
            "p:1:1: top level: has a horizon of 30s and steps of 1m; a horizon has 1 to 1,000 "
            "steps");
  EXPECT_EQ(Refused("    groups:", "    above_max: raise\n    groups:"),
            "p:5:16: services.default.above_max: 'raise' is none of enforce, forecast and buffer");
}

TEST(SpacePolicy, RefusesWhatMakesNoSense) {
  const std::string reactive =
      "    reactive:\n      - name: r\n        calculator: {name: ratio, metric: cpu, target: 1}\n"
      "        metrics: [{name: cpu, forecaster: {name: average}}]\n    groups:";
  EXPECT_NE(Refused("    groups:", reactive).find("reacts to what is measured"), std::string::npos);
  const std::string two =
      "    rule: sequential\n    groups:\n      - name: first\n        priority: 9\n        "
      "calculator: {name: ratio, metric: cpu, target: 1}\n        metrics: [{name: cpu}]";
  EXPECT_NE(Refused("    groups:", two).find("leaves the groups after it no choice"),
            std::string::npos);
  EXPECT_NE(Refused("step: 1m", "stp: 1m").find("stp"), std::string::npos);
  EXPECT_NE(Refused("[{name: cpu}]", "[{name: cpu}, {name: cpu}]").find("cpu"), std::string::npos);
  EXPECT_NE(Refused("[{name: cpu}]", "[]").find("has no metrics"), std::string::npos);
  EXPECT_NE(Refused("    groups:", "    min: 9\n    max: 3\n    groups:").find("max below its min"),
            std::string::npos);
}

TEST(Autoscalers, AFileNamesOne) {
  const auto wrong =
      ReadAutoscaler(ParseDocument("autoscaler: vpa", "f").value().root(), ShopOfTestdata());
  EXPECT_EQ(wrong.status().message(),
            "f:1:13: autoscaler: there is no autoscaler 'vpa'; the autoscalers are space, hpa");
  const auto none = ReadAutoscaler(ParseDocument("sync: 1m", "f").value().root(), ShopOfTestdata());
  EXPECT_EQ(none.status().message(),
            "f:1:1: top level: names no autoscaler; write autoscaler: space, or hpa");
}

}  // namespace
}  // namespace berth

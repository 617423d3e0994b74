#include "rightsize/policy.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace berth {
namespace {

Result<RightsizingPolicy> ParseSection(std::string_view text, const ProgramNames& programs = {}) {
  const Result<Document> document = ParseDocument(text, "p.yaml");
  if (!document.ok()) return document.status();
  return ParseRightsizingPolicy(document.value().root(), programs);
}

TEST(RightsizingPolicy, WithoutTheSectionEverybodyIsWatched) {
  const RightsizingPolicy policy = ParseSection("name: x").value();
  EXPECT_EQ(policy.ModeOf("web", {}), SizingMode::kDryRun);
  EXPECT_EQ(policy.settings.Of("web").recommender, "window");
}

TEST(RightsizingPolicy, ItsOwnModeThenSmallThenNewThenTheRest) {
  const RightsizingPolicy policy = ParseSection(R"(
rightsizing:
  mode: off
  small: {machines: 10, mode: auto}
  new: {since: 1970-01-11, mode: initial}
  services:
    - {name: web, mode: dry_run}
    - {name: db, memory: {grow_only: true}}
)")
                                       .value();
  const Time before(std::chrono::hours(239));
  const Time after(std::chrono::hours(240));
  EXPECT_EQ(policy.ModeOf("web", {.machines = 1, .created = after}), SizingMode::kDryRun);
  EXPECT_EQ(policy.ModeOf("db", {.machines = 9.9, .created = before}), SizingMode::kAuto);
  EXPECT_EQ(policy.ModeOf("db", {.machines = 10, .created = after}), SizingMode::kInitial);
  EXPECT_EQ(policy.ModeOf("x", {.machines = 10, .created = before}), SizingMode::kOff);
}

TEST(RightsizingPolicy, ServicesAreAsAllButForWhatTheySay) {
  const RightsizingPolicy policy = ParseSection(R"(
rightsizing:
  recommender: vpa
  headroom: 0.2
  memory: {max: 8Gi}
  services:
    - {name: web, recommender: ensemble, headroom: 0, cpu: {kind: batch, min: 100m}}
)")
                                       .value();
  const ServiceSizing& web = policy.settings.Of("web");
  EXPECT_EQ(web.recommender, "ensemble");
  EXPECT_EQ(web.cpu.headroom, 0);
  EXPECT_EQ(web.cpu_kind, CpuKind::kBatch);
  EXPECT_EQ(web.memory.max, std::int64_t{8} << 30);
  EXPECT_EQ(policy.settings.Of("db").recommender, "vpa");
  EXPECT_EQ(policy.settings.Of("db").memory.headroom, 0.2);
}

TEST(RightsizingPolicy, BadInputIsNamed) {
  const auto error = [](std::string_view section) {
    return ParseSection("rightsizing: " + std::string(section)).status().message();
  };
  EXPECT_EQ(error("{mode: on}"),
            "p.yaml:1:21: rightsizing.mode: 'on' is no mode; there are off, dry_run, initial, "
            "auto");
  EXPECT_EQ(error("{recommender: magic}").substr(0, 50),
            "p.yaml:1:28: rightsizing.recommender: recommender ");
  EXPECT_EQ(error("{beside: [vpa, vpa]}"),
            "p.yaml:1:29: rightsizing.beside[1]: 'vpa' is there twice");
  EXPECT_EQ(error("{small: {}}").substr(0, 34), "p.yaml:1:22: rightsizing.small: fi");
  EXPECT_EQ(error("{new: {}}").substr(0, 30), "p.yaml:1:20: rightsizing.new: ");
  EXPECT_EQ(error("{services: [{name: a}, {name: a}]}"),
            "p.yaml:1:37: rightsizing.services[1]: 'a' is there twice");
  EXPECT_EQ(error("{memory: {max: 1Gi}, services: [{name: a, memory: {min: 2Gi}}]}"),
            "p.yaml:1:70: rightsizing.services[0].memory.min: is more than max");
  EXPECT_EQ(error("{memory: {min: 2Gi}, services: [{name: a, memory: {max: 1Gi}}]}"),
            "p.yaml:1:70: rightsizing.services[0].memory.max: is less than min");
  EXPECT_NE(error("{modes: auto}"), "");
}

TEST(RightsizingPolicy, AProgramIsOneThatTheServerHas) {
  const ProgramNames programs({"median"});
  EXPECT_TRUE(
      ParseSection("rightsizing: {recommender: 'weekly:external:median', beside: "
                   "['external:median'], rollout: {name: try, recommender: 'external:median', "
                   "percent: 5}}",
                   programs)
          .ok());
  const auto error = [&](std::string_view section) {
    return ParseSection(fmt::format("rightsizing: {}", section), programs).status().message();
  };
  const std::string unknown =
      "there is no program 'mean' here; start the server with --program mean=PATH";
  EXPECT_EQ(error("{recommender: 'external:mean'}"),
            "p.yaml:1:28: rightsizing.recommender: " + unknown);
  EXPECT_EQ(error("{beside: ['weekly:external:mean']}"),
            "p.yaml:1:24: rightsizing.beside[0]: " + unknown);
  EXPECT_EQ(error("{services: [{name: web, recommender: 'external:mean'}]}"),
            "p.yaml:1:51: rightsizing.services[0].recommender: " + unknown);
  EXPECT_EQ(error("{rollout: {name: try, recommender: 'external:mean', percent: 5}}"),
            "p.yaml:1:49: rightsizing.rollout.recommender: " + unknown);
  EXPECT_NE(error("{recommender: 'external:/bin/sh'}").find("is no name of a program"),
            std::string::npos);
}

}  // namespace
}  // namespace berth

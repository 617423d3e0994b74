#include "rightsize/advise.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "support/temp_folder.h"

namespace berth {
namespace {

using std::chrono::hours;

// Two days of 100 millicores and 1 GiB, its memory asked for four times over.
ServiceUsage Steady(std::string name) {
  ServiceUsage usage;
  usage.service = std::move(name);
  usage.asked[Resource::kMemory] = std::int64_t{4} << 30;
  for (int i = 0; i < 2 * 288; ++i) {
    usage.windows.push_back({.begin = Time(hours(24 * 365) + kWindowLength * i),
                             .cpu = {100, 100},
                             .memory = {0x1p30F, 0x1p30F}});
  }
  return usage;
}

Result<SizingSettings> SettingsOf(std::string_view text) {
  const testing::TempFolder folder;
  return ReadSizingSettings(folder.Write("settings.yaml", text),
                            {.recommender = "window", .cpu = {}, .memory = {}});
}

TEST(RecommendSize, SaysWhyAndWhatBoundsChanged) {
  RecommenderChoice choice;
  const auto settings = SettingsOf(
      "machine: {cpu: 16, memory: 64Gi}\n"
      "services:\n"
      "  - {name: web, headroom: 1, memory: {grow_only: true}}\n"
      "  - {name: db, cpu: {kind: batch, min: 500m}, memory: {max: 1Gi}}\n");
  ASSERT_TRUE(settings.ok()) << settings.status().message();
  const auto cpu =
      RecommendSize(Steady("web"), Resource::kCpu, settings.value().Of("web"), choice).value();
  ASSERT_TRUE(cpu);
  // The bucket of 100 ends at 101 to 104; with 15%, doubled.
  EXPECT_GE(cpu->advice.target, 230);
  EXPECT_LE(cpu->advice.target, 242);
  EXPECT_TRUE(cpu->why.ends_with("; 100% added for fail-over")) << cpu->why;

  const auto grows =
      RecommendSize(Steady("web"), Resource::kMemory, settings.value().Of("web"), choice).value();
  EXPECT_EQ(grows->advice.target, std::int64_t{4} << 30);
  EXPECT_TRUE(grows->why.ends_with("to 4Gi, what it has: it may only grow")) << grows->why;

  const ServiceSizing& db = settings.value().Of("db");
  EXPECT_EQ(RecommendSize(Steady("db"), Resource::kCpu, db, choice).value()->advice.target, 500);
  const auto capped = RecommendSize(Steady("db"), Resource::kMemory, db, choice).value();
  EXPECT_EQ(capped->advice.target, std::int64_t{1} << 30);
  EXPECT_NE(capped->why.find("may be killed"), std::string::npos) << capped->why;

  const ServiceSizing& other = settings.value().Of("somebody");
  EXPECT_EQ(other.recommender, "window");
  EXPECT_EQ(other.cpu.machine, 16'000);
}

TEST(RecommendSize, OfWhatWasNeverTakenThereIsNone) {
  RecommenderChoice choice;
  ServiceUsage usage = Steady("web");
  for (ServiceWindow& window : usage.windows) window.memory = {0, 0};
  const ServiceSizing sizing{.recommender = "vpa", .cpu = {}, .memory = {}};
  EXPECT_TRUE(RecommendSize(usage, Resource::kCpu, sizing, choice).value());
  EXPECT_FALSE(RecommendSize(usage, Resource::kMemory, sizing, choice).value());
}

TEST(SizingSettings, WhatIsWrongIsTold) {
  const auto error = [](std::string_view text) { return SettingsOf(text).status().message(); };
  EXPECT_NE(error("services: [{name: a, cpu: {kind: slow}}]").find("batch, serving"),
            std::string::npos);
  EXPECT_NE(error("services: [{name: a, recommender: oracle}]").find("oracle"), std::string::npos);
  EXPECT_NE(error("services: [{name: a}, {name: a}]").find("twice"), std::string::npos);
  EXPECT_NE(error("services: [{name: a, cpu: {min: 2, max: 1}}]").find("more than max"),
            std::string::npos);
  EXPECT_NE(error("services: [{name: a, headroom: -1}]").find("headroom"), std::string::npos);
}

}  // namespace
}  // namespace berth

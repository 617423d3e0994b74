#include "fleet/settings.h"

#include <gtest/gtest.h>

#include <string>

namespace berth {
namespace {

FleetSettings ParsedSettings(std::string_view text) {
  Result<FleetSettings> settings = ParseFleetSettings(text);
  EXPECT_TRUE(settings.ok()) << settings.status().message();
  return settings.ok() ? std::move(settings).value() : FleetSettings();
}

std::string ErrorInSettings(std::string_view text) {
  const Result<FleetSettings> settings = ParseFleetSettings(text);
  return settings.ok() ? "accepted" : settings.status().message();
}

std::uint32_t Percent(const FleetSettings& settings, Resource r) {
  return settings.oversubscription_percent[static_cast<std::size_t>(r)];
}

TEST(FleetSettings, WhatIsLeftOutIsTheDefault) {
  EXPECT_EQ(ParsedSettings(""), DefaultFleetSettings());
  EXPECT_EQ(ParsedSettings("# nothing\n"), DefaultFleetSettings());
  EXPECT_EQ(ParsedSettings("rules: {}\nagents: [1, 2]\n"), DefaultFleetSettings());
  const FleetSettings settings = ParsedSettings("oversubscription: {cpu: 150%}\n");
  EXPECT_EQ(settings.classes, DefaultFleetSettings().classes);
  EXPECT_EQ(Percent(settings, Resource::kCpu), 150U);
  EXPECT_EQ(Percent(settings, Resource::kMemory), 100U);
}

TEST(FleetSettings, TheDefaultClassesAreThePapers) {
  const FleetSettings settings = DefaultFleetSettings();
  ASSERT_EQ(settings.classes.size(), 3U);
  const ServiceClass& gold = *settings.FindClass(ClassId("gold"));
  const ServiceClass& silver = *settings.FindClass(ClassId("silver"));
  const ServiceClass& bronze = *settings.FindClass(ClassId("bronze"));
  EXPECT_EQ(gold.availability_ppm, 1'000'000U);
  EXPECT_EQ(silver.availability_ppm, 900'000U);
  EXPECT_EQ(bronze.availability_ppm, 500'000U);
  EXPECT_FALSE(gold.may_wait);
  EXPECT_TRUE(silver.may_wait && bronze.may_wait);
  EXPECT_GT(gold.importance, silver.importance);
  EXPECT_GT(silver.importance, bronze.importance);
  EXPECT_EQ(gold.penalties,
            (std::vector<PenaltyTier>{{999'900, 10}, {990'000, 30}, {950'000, 100}}));
  EXPECT_EQ(silver.penalties,
            (std::vector<PenaltyTier>{{900'000, 10}, {891'100, 30}, {855'600, 100}}));
  EXPECT_EQ(bronze.penalties,
            (std::vector<PenaltyTier>{{500'000, 10}, {495'000, 30}, {475'000, 100}}));
}

TEST(FleetSettings, ARatioIsAPercentageOrANumber) {
  const FleetSettings settings =
      ParsedSettings("oversubscription: {cpu: 1.5, memory: 120%, disk: 100}\n");
  EXPECT_EQ(Percent(settings, Resource::kCpu), 150U);
  EXPECT_EQ(Percent(settings, Resource::kMemory), 120U);
  EXPECT_EQ(Percent(settings, Resource::kDisk), 10'000U);
}

TEST(FleetSettings, ReadsAClassInFull) {
  const FleetSettings settings = ParsedSettings(R"(
classes:
  - name: batch
    availability: 62.5%
    importance: 7
    margin: 1m
    overhead_cap: 5%
    may_wait: false
    penalties:
      - {below: 0.6, credit: 5%}
      - {below: 50%, credit: 100%}
  - {name: rest, availability: 0.9, importance: 0}
)");
  ASSERT_EQ(settings.classes.size(), 2U);
  const ServiceClass batch{.name = ClassId("batch"),
                           .availability_ppm = 625'000,
                           .importance = 7,
                           .margin = std::chrono::minutes(1),
                           .overhead_cap_ppm = 50'000,
                           .may_wait = false,
                           .penalties = {{600'000, 5}, {500'000, 100}}};
  EXPECT_EQ(settings.classes[0], batch);
  const ServiceClass& rest = settings.classes[1];
  EXPECT_EQ(rest.margin, std::chrono::seconds(10));
  EXPECT_EQ(rest.overhead_cap_ppm, 100'000U);  // What its availability leaves.
  EXPECT_TRUE(rest.may_wait);
  EXPECT_EQ(settings.FindClass(ClassId("gold")), nullptr);
}

TEST(FleetSettings, UsableRoundsDownAndCannotOverflow) {
  FleetSettings settings = ParsedSettings("oversubscription: {cpu: 133%, memory: 10000%}\n");
  Resources capacity;
  capacity[Resource::kCpu] = 101;
  capacity[Resource::kMemory] = kAmountMax;
  capacity[Resource::kDisk] = 7;
  const Resources usable = settings.Usable(capacity);
  EXPECT_EQ(usable[Resource::kCpu], 134);  // 134.33
  EXPECT_EQ(usable[Resource::kMemory], kAmountMax * 100);
  EXPECT_EQ(usable[Resource::kDisk], 7);
}

struct Case {
  const char* text;
  const char* error;
};

TEST(FleetSettings, ErrorsSayWhereWhatAndWhatToDo) {
  const Case cases[] = {
      {"[1]", "policy:1:1: top level: is not a policy; write a map of sections"},
      {"oversubscription: 2\n",
       "policy:1:19: oversubscription: is a single value; write a map of fields"},
      {"oversubscription: {cpu: 99%}\n",
       "policy:1:25: oversubscription.cpu: '99%' is out of range; write a share from 100% to "
       "10000%, like 150% or 1.5"},
      {"oversubscription: {cpu: 150}\n",
       "policy:1:25: oversubscription.cpu: '150' is out of range; write a share from 100% to "
       "10000%, like 150% or 1.5"},
      {"oversubscription: {cpu: 150.5%}\n",
       "policy:1:25: oversubscription.cpu: '150.5%' is finer than 1% can tell; write a share from "
       "100% to 10000%, like 150% or 1.5"},
      {"oversubscription: {cpu: lots}\n",
       "policy:1:25: oversubscription.cpu: 'lots' is not a share; write a share from 100% to "
       "10000%, like 150% or 1.5"},
      {"oversubscription: {cpu: -1}\n",
       "policy:1:25: oversubscription.cpu: '-1' is not a share; write a share from 100% to 10000%, "
       "like 150% or 1.5"},
      {"oversubscription: {cpus: 150%}\n",
       "policy:1:20: oversubscription: unknown field 'cpus'; did you mean 'cpu'?"},
      {"classes: []\n",
       "policy:1:10: classes: has 0 classes; write 1 to 64, or leave it out for gold, silver and "
       "bronze"},
      {"classes:\n  - {name: a, importance: 1}\n",
       "policy:2:5: classes[0]: field 'availability' is missing; add it"},
      {"classes:\n  - {name: a, availability: 101%, importance: 1}\n",
       "policy:2:29: classes[0].availability: '101%' is out of range; write a share from 0.0001% "
       "to 100%, like 90% or 0.9"},
      {"classes:\n  - {name: a, availability: 0%, importance: 1}\n",
       "policy:2:29: classes[0].availability: '0%' is out of range; write a share from 0.0001% "
       "to 100%, like 90% or 0.9"},
      {"classes:\n  - {name: a, availability: 1, importance: 1}\n"
       "  - {name: a, availability: 1, importance: 1}\n",
       "policy:3:5: classes[1]: there is a class a already, on line 2; give each a name of its "
       "own"},
      {"classes:\n  - {name: a, availability: 1, importance: -1}\n",
       "policy:2:44: classes[0].importance: '-1' is out of range; write a whole number from 0 to "
       "1000000"},
      {"classes:\n  - {name: a, availability: 90%, importance: 1, penalties: [{below: 95%, "
       "credit: 1%}]}\n",
       "policy:2:69: classes[0].penalties[0].below: '95%' is out of range; write a share from 0% "
       "to 90%, like 90% or 0.9"},
      {"classes:\n  - name: a\n    availability: 90%\n    importance: 1\n    penalties:\n"
       "      - {below: 80%, credit: 10%}\n      - {below: 70%, credit: 10%}\n",
       "policy:7:9: classes[0].penalties[1]: is not harder than the tier before it; order them so "
       "that 'below' falls and 'credit' rises"},
  };
  for (const Case& c : cases) EXPECT_EQ(ErrorInSettings(c.text), c.error) << c.text;
}

}  // namespace
}  // namespace berth

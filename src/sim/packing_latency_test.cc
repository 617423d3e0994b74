// Cases worked out by hand: when agents think, wait and conflict in virtual time.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "berth/rng.h"
#include "sim/packing_testing.h"

namespace berth {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::At;
using testing::Rehearse;
using Counts = std::map<std::uint64_t, std::uint64_t>;

// One machine that holds eight small ones or one large and two small.
constexpr std::string_view kOneMachine = R"(
zone: z
skus: [{name: s, cpu: 8, memory: 32Gi}]
types:
  - {name: small, cpu: 1, memory: 1Gi}
  - {name: large, cpu: 6, memory: 1Gi}
tenants: [{name: t}]
clusters: [{name: c, datacenter: d, sku: s, machines: 1, racks: 1}]
)";

PackingOptions Thinking(std::uint32_t agents, Duration hit, Duration miss, Duration commit = {}) {
  PackingOptions options;
  options.agents = agents;
  options.latency = {.hit = hit, .miss = miss, .commit = commit, .hits_per_million = {}};
  options.sample_every = seconds(10);
  return options;
}

TEST(PackingLatency, TwoAgentsThatWantTheLastRoomConflictOnce) {
  const PackingResult result =
      Rehearse(kOneMachine, {At(1, "a", "large", {}), At(1, "b", "large", {})},
               Thinking(2, milliseconds(10), milliseconds(10)));
  EXPECT_EQ(result.contention.conflicts, 1U);
  EXPECT_EQ(result.requests.accepted, 1U);
  EXPECT_EQ(result.requests.refusals, (std::map<std::string, std::uint64_t>{{"fits", 1}}));
  // The loser thinks again, and then knows that there is no room.
  EXPECT_EQ(result.times->micros.counts(), (Counts{{10'000, 1}, {20'000, 1}}));
  EXPECT_EQ(result.contention.retries.counts(), (Counts{{0, 1}, {1, 1}}));
}

TEST(PackingLatency, OneAgentNeverConflictsWithItself) {
  const PackingResult result =
      Rehearse(kOneMachine, {At(1, "a", "large", {}), At(1, "b", "large", {})},
               Thinking(1, milliseconds(10), milliseconds(10), milliseconds(3)));
  EXPECT_EQ(result.contention.conflicts, 0U);
  EXPECT_EQ(result.requests.accepted, 1U);
}

TEST(PackingLatency, RequestsQueueAtTheirAgentWhileCommitsAreUnderWay) {
  // Thought through at 10, 20 and 30 ms; there and back takes another 4 ms, during which the agent
  // thinks about the next.
  const PackingResult result = Rehearse(
      kOneMachine, {At(1, "a", "small", {}), At(1, "b", "small", {}), At(1, "c", "small", {})},
      Thinking(1, milliseconds(10), milliseconds(10), milliseconds(2)));
  EXPECT_EQ(result.requests.accepted, 3U);
  EXPECT_EQ(result.times->micros.counts(), (Counts{{14'000, 1}, {24'000, 1}, {34'000, 1}}));
}

TEST(PackingLatency, ThinksLongerWhenNothingSuitableIsKept) {
  const PackingResult result = Rehearse(
      kOneMachine, {At(1, "a", "small", {}), At(2, "b", "small", {}), At(3, "c", "large", {})},
      Thinking(1, milliseconds(14), milliseconds(88)));
  EXPECT_EQ(result.times->micros.counts(), (Counts{{14'000, 1}, {88'000, 2}}));
  EXPECT_EQ(result.cache.hits, 1U);
  EXPECT_EQ(result.cache.misses, 2U);
  EXPECT_EQ(result.cache.machines_on_misses, 2U);
  EXPECT_EQ(result.cache.machines_on_hits, 1U);  // The first one's machine has changed.
}

TEST(PackingLatency, MergesAStaleViewThatStillHoldsUnlessToldNotTo) {
  const std::vector<Arrival> arrivals = {At(1, "a", "small", {}), At(1, "b", "small", {})};
  PackingOptions options = Thinking(2, milliseconds(10), milliseconds(10));
  const PackingResult merged = Rehearse(kOneMachine, arrivals, options);
  EXPECT_EQ(merged.contention.conflicts, 0U);
  EXPECT_EQ(merged.contention.merged, 1U);
  EXPECT_EQ(merged.times->micros.counts(), (Counts{{10'000, 2}}));

  options.merge = false;
  const PackingResult strict = Rehearse(kOneMachine, arrivals, options);
  EXPECT_EQ(strict.contention.conflicts, 1U);
  EXPECT_EQ(strict.contention.merged, 0U);
  EXPECT_EQ(strict.requests.accepted, 2U);
  EXPECT_EQ(strict.times->micros.counts(), (Counts{{10'000, 1}, {20'000, 1}}));
}

TEST(PackingLatency, WhatIsThereAtTimeZeroTakesNoTimeAndMeetsNobody) {
  const PackingResult result = Rehearse(
      kOneMachine, {At(0, "a", "large", {}), At(0, "b", "large", {}), At(1, "c", "small", {})},
      Thinking(2, milliseconds(10), milliseconds(10)));
  EXPECT_EQ(result.requests.asked, 3U);
  EXPECT_EQ(result.requests.accepted, 2U);
  EXPECT_EQ(result.contention.conflicts, 0U);
  EXPECT_EQ(result.contention.retries.total(), 1U);
  EXPECT_EQ(result.times->micros.counts(), (Counts{{10'000, 1}}));
}

TEST(PackingLatency, CountsCoresAskedForAndGiven) {
  const PackingResult result = Rehearse(
      kOneMachine, {At(1, "a", "large", {}), At(2, "b", "large", {}), At(3, "c", "small", {})},
      Thinking(1, {}, {}));
  EXPECT_EQ(result.requests.asked_millicores, 13'000);
  EXPECT_EQ(result.requests.accepted_millicores, 7'000);
  EXPECT_FALSE(result.times.has_value());
}

constexpr std::string_view kZone = R"(
zone: z
skus: [{name: s, cpu: 8, memory: 32Gi}]
types:
  - {name: small, cpu: 1, memory: 4Gi}
  - {name: large, cpu: 6, memory: 8Gi}
clusters: [{name: c, datacenter: d, sku: s, machines: 40, racks: 4}]
)";

// Requests for either type, from second 1 on, some of them leaving again.
std::vector<Arrival> Day(int requests, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<Arrival> arrivals;
  arrivals.reserve(static_cast<std::size_t>(requests));
  for (int i = 0; i < requests; ++i) {
    const std::string_view type = rng.Below(4) == 0 ? "large" : "small";
    const auto stays_s = static_cast<std::int64_t>(rng.Below(60) + 1);
    arrivals.push_back(At(1 + i / 4, fmt::format("s{}", i), type, stays_s));
  }
  return arrivals;
}

TEST(PackingLight, DrawsAboutAsManyHitsAsAsked) {
  PackingOptions options = Thinking(4, milliseconds(14), milliseconds(88), milliseconds(1));
  options.latency.hits_per_million = 900'000;
  const PackingResult result = Rehearse(kZone, Day(4000, 3), options);
  const auto thoughts = static_cast<double>(result.times->hits + result.times->misses);
  EXPECT_GE(thoughts, 4000);
  EXPECT_NEAR(static_cast<double>(result.times->hits) / thoughts, 0.9, 0.015);
  EXPECT_GT(result.contention.merged, 0U);
}

TEST(PackingLight, SameSeedSameDecisionsOtherSeedOthers) {
  PackingOptions options = Thinking(4, milliseconds(140), milliseconds(880), milliseconds(10));
  options.latency.hits_per_million = 500'000;
  options.refresh_when_idle = true;
  options.seed = 8;
  const std::vector<Arrival> day = Day(800, 5);
  const PackingResult once = Rehearse(kZone, day, options);
  const PackingResult again = Rehearse(kZone, day, options);
  EXPECT_EQ(once.unseed, again.unseed);
  EXPECT_EQ(once.times->micros.counts(), again.times->micros.counts());
  EXPECT_EQ(once.contention.conflicts, again.contention.conflicts);
  EXPECT_GT(once.contention.conflicts, 0U);
  options.seed = 9;
  EXPECT_NE(Rehearse(kZone, day, options).unseed, once.unseed);
}

TEST(PackingSpeedUp, KeepsAsManyRunningAndRaisesTheRate) {
  PackingOptions options;
  options.sample_every = seconds(10);
  const std::vector<Arrival> day = Day(800, 7);
  const PackingResult plain = Rehearse(kZone, day, options);
  options.speed_up = 20;
  const PackingResult fast = Rehearse(kZone, day, options);
  ASSERT_EQ(plain.samples.size(), fast.samples.size());
  for (std::size_t i = 0; i < plain.samples.size(); ++i) {
    EXPECT_EQ(plain.samples[i].instances, fast.samples[i].instances);
    EXPECT_EQ((plain.samples[i].at - Time()) / 20, fast.samples[i].at - Time());
  }
  EXPECT_EQ(plain.departures, fast.departures);
  EXPECT_EQ(plain.contention.answers_by_second.Most(), 4U);
  EXPECT_EQ(fast.contention.answers_by_second.Most(), 80U);
}

TEST(PackingWarmUp, LeavesOutWhatCameBefore) {
  PackingOptions options;
  options.sample_every = seconds(10);
  options.warm_up = seconds(100);
  const std::vector<Arrival> day = Day(800, 7);
  const PackingResult result = Rehearse(kZone, day, options);
  EXPECT_EQ(result.requests.asked,
            static_cast<std::uint64_t>(std::ranges::count_if(
                day, [](const Arrival& arrival) { return arrival.at >= Time(seconds(100)); })));
  EXPECT_EQ(result.contention.retries.total(), result.requests.asked);
  // What is refused while others are on their way is decided twice.
  EXPECT_GE(result.cache.hits + result.cache.misses, result.requests.asked);
  EXPECT_LT(result.cache.hits + result.cache.misses, day.size());
}

TEST(PackingRefresh, IdleAgentsLookAtWhatChangedSoThatRequestsNeedNot) {
  PackingOptions options = Thinking(1, milliseconds(14), milliseconds(88), milliseconds(1));
  const std::vector<Arrival> day = Day(400, 11);
  const PackingResult busy = Rehearse(kZone, day, options);
  options.refresh_when_idle = true;
  const PackingResult idle = Rehearse(kZone, day, options);
  EXPECT_EQ(busy.cache.kept.evaluations.in_background, 0U);
  EXPECT_GT(idle.cache.kept.evaluations.in_background, 0U);
  EXPECT_LT(idle.cache.machines_on_hits, busy.cache.machines_on_hits);
  EXPECT_EQ(idle.unseed, busy.unseed);
}

TEST(PackingRules, TellsWhatEachRuleLeftAndRefused) {
  const PackingResult result = Rehearse(
      kOneMachine, {At(1, "a", "large", {}), At(2, "b", "large", {}), At(3, "c", "small", {})}, {});
  const auto fits = std::ranges::find(result.rules, "fits", &RuleEffect::rule);
  ASSERT_NE(fits, result.rules.end());
  EXPECT_TRUE(fits->validator);
  EXPECT_EQ(fits->asked, 3U);
  EXPECT_DOUBLE_EQ(fits->kept, 2.0 / 3);
  EXPECT_DOUBLE_EQ(fits->left, 2.0 / 3);
  EXPECT_EQ(fits->refusals, 1U);
  const auto best_fit = std::ranges::find(result.rules, "best_fit", &RuleEffect::rule);
  ASSERT_NE(best_fit, result.rules.end());
  EXPECT_EQ(best_fit->asked, 2U);
  EXPECT_DOUBLE_EQ(best_fit->kept, 1);
}

}  // namespace
}  // namespace berth

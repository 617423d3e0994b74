#include "usage/gathered_usage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "berth/rng.h"

namespace berth {
namespace {

struct Told {
  std::uint32_t instance = 0;
  Time at;
  double value = 0;
};

// Samples of a few instances over half an hour, in the order in which they come: each instance's in
// order, those of different ones not.
std::vector<Told> SomeSamples(Rng& rng, int count) {
  std::vector<Told> told;
  std::map<std::uint32_t, std::int64_t> clock;
  for (int i = 0; i < count; ++i) {
    const auto instance = static_cast<std::uint32_t>(rng.Below(5));
    clock[instance] += 1 + static_cast<std::int64_t>(rng.Below(60'000'000));
    told.push_back(
        {instance, TimeFromMicros(clock[instance]), 1e6 * static_cast<double>(rng.Below(5000))});
  }
  return told;
}

// By going through all samples anew.
std::vector<float> SamplesOf(Resource resource, const std::vector<Told>& all, Time begin) {
  std::vector<float> samples;
  std::map<std::uint32_t, float> peaks;
  for (const Told& told : all) {
    if (told.at < begin || told.at >= begin + kWindowLength) continue;
    const auto value = static_cast<float>(told.value);
    samples.push_back(value);
    float& peak = peaks[told.instance];
    peak = std::max(peak, value);
  }
  if (resource == Resource::kCpu) return samples;
  samples.clear();
  for (const auto& [instance, peak] : peaks) samples.push_back(peak);
  return samples;
}

void ExpectWindow(Resource resource, const GatheredUsage::Closed& window,
                  const std::vector<Told>& all) {
  std::vector<float> wanted = SamplesOf(resource, all, window.end - kWindowLength);
  WindowHistogram histogram;
  for (const float sample : wanted) histogram.Add(Buckets::Of(resource).Find(sample));
  EXPECT_TRUE(std::ranges::equal(window.histogram.counts(), histogram.counts()));
  std::vector<float> found = window.samples;
  std::ranges::sort(found);
  std::ranges::sort(wanted);
  EXPECT_EQ(found, wanted);
}

TEST(GatheredUsage, GathersWhatGoingThroughAllSamplesWould) {
  for (const Resource resource : {Resource::kCpu, Resource::kMemory}) {
    Rng rng(7);
    const std::vector<Told> all = SomeSamples(rng, 200);
    GatheredUsage gathered(resource);
    for (const Told& told : all) EXPECT_TRUE(gathered.Add(told.instance, told.at, told.value));
    std::size_t windows = 0;
    for (const GatheredUsage::Closed& window : gathered.Close(Time::max())) {
      ExpectWindow(resource, window, all);
      ++windows;
    }
    EXPECT_GT(windows, 3U);
    EXPECT_TRUE(gathered.empty());
  }
}

TEST(GatheredUsage, ClosesOnlyWhatBeginsBefore) {
  GatheredUsage gathered(Resource::kCpu);
  for (const int minute : {1, 6, 7, 11}) {
    gathered.Add(0, Time(std::chrono::minutes(minute)), minute);
  }
  const std::vector<GatheredUsage::Closed> closed = gathered.Close(Time(std::chrono::minutes(10)));
  ASSERT_EQ(closed.size(), 2U);
  EXPECT_EQ(closed[0].end, Time(std::chrono::minutes(5)));
  EXPECT_EQ(closed[1].samples, (std::vector<float>{6, 7}));
  EXPECT_FALSE(gathered.empty());
}

TEST(GatheredUsage, WhatWasToldBeforeIsLeftOut) {
  GatheredUsage gathered(Resource::kMemory);
  EXPECT_TRUE(gathered.Add(0, TimeFromMicros(5), 10));
  EXPECT_FALSE(gathered.Add(0, TimeFromMicros(5), 20));
  EXPECT_FALSE(gathered.Add(0, TimeFromMicros(4), 20));
  EXPECT_TRUE(gathered.Add(1, TimeFromMicros(4), 20));
  gathered.ForgetInstances([](std::uint32_t instance) { return instance == 0; });
  EXPECT_TRUE(gathered.Add(0, TimeFromMicros(1), 7));
  EXPECT_FALSE(gathered.Add(1, TimeFromMicros(4), 20));
}

TEST(GatheredUsage, KeepsTheHighestOfVeryManySamples) {
  GatheredUsage gathered(Resource::kCpu);
  constexpr int kMany = 4 * static_cast<int>(GatheredUsage::kSamplesKept);
  for (int i = 0; i < kMany; ++i) gathered.Add(0, TimeFromMicros(i), i == 700 ? 9000 : i);
  const GatheredUsage::Closed window = gathered.Close(Time::max()).at(0);
  EXPECT_EQ(window.samples.size(), GatheredUsage::kSamplesKept);
  EXPECT_EQ(std::ranges::max(window.samples), 9000);
  EXPECT_EQ(window.histogram.samples(), static_cast<std::uint64_t>(kMany));
}

TEST(GatheredUsage, SavedAnywhereAndRestoredItGoesOnAlike) {
  for (const Resource resource : {Resource::kCpu, Resource::kMemory}) {
    Rng rng(11);
    const std::vector<Told> all = SomeSamples(rng, 120);
    GatheredUsage gathered(resource);
    for (const Told& told : all) {
      GatheredUsage again(resource);
      ASSERT_TRUE(again.Restore(gathered.Save()).ok());
      EXPECT_EQ(again.Save(), gathered.Save());
      gathered = std::move(again);
      gathered.Add(told.instance, told.at, told.value);
    }
    for (const GatheredUsage::Closed& window : gathered.Close(Time::max())) {
      ExpectWindow(resource, window, all);
    }
  }
}

TEST(GatheredUsage, WhatIsNoStateIsRefused) {
  Rng rng(5);
  GatheredUsage gathered(Resource::kMemory);
  for (const Told& told : SomeSamples(rng, 40)) gathered.Add(told.instance, told.at, told.value);
  const std::string good = gathered.Save();
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ static_cast<char>(1 + rng.Below(255)));
    GatheredUsage other(Resource::kMemory);
    const bool refused = !other.Restore(bad).ok();  // Or it is a state, of other usage.
    EXPECT_TRUE(!refused || other.empty());
    other.Close(Time::max());
  }
}

}  // namespace
}  // namespace berth

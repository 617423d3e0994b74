#include "usage/samples.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.h"
#include "berth/rng.h"
#include "support/temp_folder.h"

namespace berth {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

const Time kNow = Time(hours(24 * 365 * 50));
const SeriesName kLoad = {"web", "requests_per_second"};

class SamplesIn : public ::testing::TestWithParam<bool> {
 protected:
  // Without giving the old one a chance to say more.
  void Restart() {
    samples_.reset();
    if (GetParam()) {
      observations_.reset();
      observations_ = OpenRocksDbObservations(folder_.File("observations")).value();
    } else if (observations_ == nullptr) {
      observations_ = NewMemoryObservations();
    }
    samples_.emplace(*observations_);
  }
  void SetUp() override { Restart(); }

  void Take(const SeriesName& name, Time at, double value) {
    const Result<Samples::Taken> taken = samples_->Take(name, {{at, value}}, kNow);
    ASSERT_TRUE(taken.ok()) << taken.status().message();
  }
  std::vector<Window> All(const SeriesName& name) const {
    return samples_->Read(name, Time(), Time::max(), SIZE_MAX).value();
  }

  testing::TempFolder folder_;
  std::unique_ptr<Observations> observations_;
  std::optional<Samples> samples_;
};

TEST_P(SamplesIn, AreReadBeforeAndAfterTheyAreSaved) {
  Take(kLoad, kNow, 10);
  Take(kLoad, kNow + seconds(1), 20);
  ASSERT_EQ(All(kLoad).size(), 1U);
  EXPECT_EQ(All(kLoad)[0].mean(), 15);
  ASSERT_TRUE(samples_->Save(kNow).ok());
  EXPECT_EQ(All(kLoad)[0].mean(), 15);
}

TEST_P(SamplesIn, OfARangeAreTheSameBeforeAndAfterTheyAreSaved) {
  Take(kLoad, kNow, 10);
  Take(kLoad, kNow + minutes(5), 20);
  const std::vector<std::pair<Duration, std::size_t>> ends = {{minutes(5), 1},
                                                              {minutes(5) + Duration(1), 2},
                                                              {minutes(5) + seconds(59), 2},
                                                              {minutes(10), 2},
                                                              {seconds(1), 1},
                                                              {seconds(0), 0}};
  for (const bool saved : {false, true}) {
    if (saved) {
      ASSERT_TRUE(samples_->Save(kNow + hours(1)).ok());
    }
    for (const auto& [after, windows] : ends) {
      EXPECT_EQ(samples_->Read(kLoad, kNow, kNow + after, 10).value().size(), windows)
          << FormatDuration(after) << (saved ? ", saved" : "");
    }
  }
}

TEST_P(SamplesIn, AreThereAfterARestartIfTheyWereSaved) {
  Take(kLoad, kNow, 10);
  ASSERT_TRUE(samples_->Save(kNow).ok());
  Take({"web", "later"}, kNow, 1);
  Restart();
  EXPECT_EQ(All(kLoad).size(), 1U);
  EXPECT_TRUE(All({"web", "later"}).empty());
}

TEST_P(SamplesIn, AddToAWindowThatWasSavedAndForgotten) {
  const Time old = kNow - hours(3);
  Take(kLoad, old, 10);
  ASSERT_TRUE(samples_->Save(kNow).ok());
  EXPECT_EQ(samples_->in_memory(), 0U);
  Take(kLoad, old + seconds(1), 30);
  EXPECT_EQ(All(kLoad)[0].count, 2U);
  EXPECT_EQ(All(kLoad)[0].mean(), 20);
}

TEST_P(SamplesIn, ToldTwiceAreTakenOnce) {
  const std::vector<UsagePoint> points = {{kNow, 1}, {kNow + seconds(10), 2}};
  EXPECT_EQ(samples_->Take(kLoad, points, kNow).value().taken, 2U);
  ASSERT_TRUE(samples_->Save(kNow).ok());
  Restart();
  const Samples::Taken again = samples_->Take(kLoad, points, kNow).value();
  EXPECT_EQ(again.taken, 0U);
  EXPECT_EQ(again.left_out, 2U);
  EXPECT_EQ(All(kLoad)[0].count, 2U);
}

TEST_P(SamplesIn, AreRefusedWholeWhenOneIsBad) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  for (const UsagePoint bad :
       {UsagePoint{kNow, nan}, UsagePoint{kNow, infinite}, UsagePoint{kNow + minutes(6), 1},
        UsagePoint{kNow - hours(24 * 36), 1}}) {
    EXPECT_FALSE(samples_->Take(kLoad, {{kNow, 1}, bad}, kNow).ok());
  }
  EXPECT_TRUE(All(kLoad).empty());
}

TEST_P(SamplesIn, OfOneSeriesDoNotShowInAnother) {
  Take({"web", "a"}, kNow, 1);
  Take({"web", "ab"}, kNow, 2);
  Take({"webs", "a"}, kNow, 3);
  ASSERT_TRUE(samples_->Save(kNow + hours(1)).ok());
  EXPECT_EQ(All({"web", "a"})[0].max, 1);
  EXPECT_EQ(All({"web", "ab"})[0].max, 2);
  EXPECT_EQ(All({"webs", "a"})[0].max, 3);
}

TEST_P(SamplesIn, AreListedByName) {
  const std::vector<SeriesName> names = {
      {"a", "x"}, {"web", "cpu"}, {"web", "load"}, {"web/0", "cpu"}, {"web/10", "cpu"}};
  for (const SeriesName& name : names) {
    for (int i = 0; i < 3; ++i) Take(name, kNow - minutes(20 * (3 - i)), 1);
    if (name.metric == "load") {  // Some are stored, some not.
      ASSERT_TRUE(samples_->Save(kNow).ok());
    }
  }
  EXPECT_EQ(samples_->Names({}, "", 100).value(), names);
  EXPECT_EQ(samples_->Names({}, "web", 100).value(),
            (std::vector<SeriesName>{{"web", "cpu"}, {"web", "load"}}));
  std::vector<SeriesName> paged;
  SeriesName after;
  while (true) {
    const std::vector<SeriesName> page = samples_->Names(after, "", 2).value();
    if (page.empty()) break;
    paged.insert(paged.end(), page.begin(), page.end());
    after = page.back();
  }
  EXPECT_EQ(paged, names);
}

// The plain way: every sample kept, windows made when asked.
TEST_P(SamplesIn, EqualTheirSumsMadeTheSlowWay) {
  Rng rng(7);
  std::map<SeriesName, std::map<Time, double>> all;
  for (int step = 0; step < 3000; ++step) {
    const SeriesName name = {fmt::format("s{}", rng.Below(5)), rng.Below(2) == 0 ? "a" : "b"};
    const Time at = kNow - seconds(rng.Below(7200));
    auto& series = all[name];
    // What is not later than the last of its window is left out.
    const auto next = series.lower_bound(WindowOf(at) + kWindowLength);
    const bool later = next == series.begin() || std::prev(next)->first < at;
    const double value = rng.Unit();
    if (later) series[at] = value;
    const Samples::Taken taken = samples_->Take(name, {{at, value}}, kNow).value();
    EXPECT_EQ(taken.taken, later ? 1U : 0U);
    if (rng.Below(100) == 0) {
      ASSERT_TRUE(samples_->Save(kNow - seconds(rng.Below(3600))).ok());
    }
    if (rng.Below(300) == 0) {
      ASSERT_TRUE(samples_->Save(kNow).ok());
      Restart();
    }
  }
  for (const auto& [name, series] : all) {
    std::map<Time, Window> windows;
    for (const auto& [at, value] : series) {
      Window& window = windows[WindowOf(at)];
      window.begin = WindowOf(at);
      window.Add(at, value);
    }
    for (int round = 0; round < 20; ++round) {
      const Time from = kNow - seconds(rng.Below(7200));
      const Time to = kNow - seconds(rng.Below(7200));
      std::vector<Window> wanted;
      for (const auto& [begin, window] : windows) {
        if (begin >= from && begin < to) wanted.push_back(window);
      }
      EXPECT_EQ(samples_->Read(name, from, to, 1000).value(), wanted);
      wanted.resize(std::min<std::size_t>(wanted.size(), 3));
      EXPECT_EQ(samples_->Read(name, from, to, 3).value(), wanted);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Both, SamplesIn, ::testing::Values(false, true),
                         [](const auto& tested) { return tested.param ? "RocksDb" : "Memory"; });

TEST(Samples, InMemoryAreForgottenOldestFirst) {
  const auto observations = NewMemoryObservations(2);
  Samples samples(*observations);
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(samples.Take({"web", "load"}, {{kNow + i * minutes(5), 1}}, kNow + hours(1)).ok());
    ASSERT_TRUE(samples.Save(kNow + hours(1)).ok());
  }
  const auto kept = samples.Read({"web", "load"}, Time(), Time::max(), 10).value();
  ASSERT_EQ(kept.size(), 2U);
  EXPECT_EQ(kept.front().begin, WindowOf(kNow + minutes(5)));
}

TEST(Samples, AreRefusedWhenTooManySeriesAreHeld) {
  const auto observations = NewMemoryObservations();
  Samples samples(*observations, {.windows = 2});
  EXPECT_TRUE(samples.Take({"a", "x"}, {{kNow, 1}}, kNow).ok());
  EXPECT_TRUE(samples.Take({"b", "x"}, {{kNow, 1}}, kNow).ok());
  const auto third = samples.Take({"c", "x"}, {{kNow, 1}}, kNow);
  EXPECT_EQ(third.status().code(), Code::kResourceExhausted);
  ASSERT_TRUE(samples.Save(kNow + minutes(10)).ok());  // Their windows have ended.
  EXPECT_TRUE(samples.Take({"c", "x"}, {{kNow, 1}}, kNow).ok());
}

TEST(Samples, HaveMetricsWithPlainNames) {
  EXPECT_TRUE(Samples::CheckMetric("requests_per_second").ok());
  for (const std::string bad : {"", "a b", "a/b", "\n"}) {
    EXPECT_FALSE(Samples::CheckMetric(bad).ok()) << bad;
  }
  EXPECT_FALSE(Samples::CheckMetric(std::string(65, 'x')).ok());
}

}  // namespace
}  // namespace berth

#include "rightsize/weekly.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "berth/rng.h"
#include "rightsize/choose_recommender.h"
#include "rightsize/size_text.h"

namespace berth {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

constexpr Time kMonday{hours(24 * 4)};  // The fifth of January 1970.

std::unique_ptr<Recommender> MakeNamed(std::string_view name, Resource resource) {
  return RecommenderChoice().Find(name).value().make(
      {.resource = resource, .cpu = CpuKind::kBatch, .request = 1000});
}

void Tell(Recommender& recommender, Resource resource, float used, Time end) {
  WindowHistogram histogram;
  histogram.Add(Buckets::Of(resource).Find(used));
  recommender.Observe({.end = end, .samples = std::span(&used, 1), .histogram = histogram});
}

// Busy from Monday to Friday, quiet at weekends.
float UsedAt(Time at) {
  const auto day = (at - kMonday) / hours(24) % 7;
  return day < 5 ? 1000 : 50;
}

TEST(Weekly, AQuietWeekendDoesNotDragMondayDown) {
  const auto plain = MakeNamed("window", Resource::kCpu);
  const auto weekly = MakeNamed("weekly:window", Resource::kCpu);
  std::int64_t friday = 0;
  for (Time at = kMonday; at < kMonday + hours(24 * 28); at += minutes(5)) {
    // What each says for the window that comes.
    const auto since = at - kMonday;
    const bool is_monday_midnight = since % hours(24 * 7) == hours(0);
    if (is_monday_midnight && since >= hours(24 * 7)) {
      EXPECT_LT(plain->Recommend()->target, friday / 2);
      EXPECT_GE(weekly->Recommend()->target, friday * 9 / 10);
      EXPECT_NE(weekly->Why().find("what it was a week ago for the two days to come; now "),
                std::string::npos)
          << weekly->Why();
    }
    for (Recommender* each : {plain.get(), weekly.get()}) {
      Tell(*each, Resource::kCpu, UsedAt(at), at + minutes(5));
    }
    if (since % hours(24 * 7) == hours(24 * 4 + 23)) friday = plain->Recommend()->target;
  }
}

// The slow way: every target that the inner one said, by its hour.
TEST(Weekly, IsTheMostOfNowAndOfTwoDaysAWeekAgo) {
  Rng rng(6);
  for (const RecommenderEntry& entry : Recommenders()) {
    const auto inner = MakeNamed(entry.name, Resource::kMemory);
    const auto weekly =
        MakeNamed(std::string(kWeeklyPrefix) + std::string(entry.name), Resource::kMemory);
    std::map<std::int64_t, std::int64_t> said;
    Time end = kMonday;
    for (int i = 0; i < 1500; ++i) {
      end += minutes(5) * static_cast<std::int64_t>(1 + rng.Below(rng.Below(50) == 0 ? 900 : 20));
      const auto used = static_cast<float>(0x1p30 * std::exp(rng.Normal()));
      Tell(*inner, Resource::kMemory, used, end);
      Tell(*weekly, Resource::kMemory, used, end);
      const std::int64_t hour = (end - Duration(1)).time_since_epoch() / hours(1);
      said[hour] = std::max(said[hour], inner->Recommend()->target);
      std::int64_t most = inner->Recommend()->target;
      for (std::int64_t h = hour - 168; h <= hour - 120; ++h) {
        if (said.contains(h)) most = std::max(most, said[h]);
      }
      ASSERT_EQ(weekly->Recommend()->target, most) << entry.name << " " << i;
      ASSERT_TRUE(weekly->Why().starts_with(FormatSize(Resource::kMemory, most) + ": "));
      ASSERT_LE(weekly->Recommend()->lower, most);
      ASSERT_GE(weekly->Recommend()->upper, most);
    }
  }
}

TEST(Weekly, GoesOnWhereItWasSaved) {
  Rng rng(7);
  const auto kept = MakeNamed("weekly:vpa", Resource::kCpu);
  auto restarted = MakeNamed("weekly:vpa", Resource::kCpu);
  Time end = kMonday;
  for (int i = 0; i < 2000; ++i) {
    end += minutes(30);
    const auto used = static_cast<float>(100 + rng.Below(1000));
    Tell(*kept, Resource::kCpu, used, end);
    Tell(*restarted, Resource::kCpu, used, end);
    if (i % 50 == 0) {
      restarted = MakeNamed("weekly:vpa", Resource::kCpu);
      ASSERT_TRUE(restarted->Restore(kept->Save()).ok());
    }
    ASSERT_EQ(kept->Recommend(), restarted->Recommend());
    ASSERT_EQ(kept->Why(), restarted->Why());
  }
  EXPECT_EQ(kept->Save(), restarted->Save());
  const std::string good = kept->Save();
  for (int i = 0; i < 300; ++i) {
    std::string bad = good;
    bad[rng.Below(bad.size())] = static_cast<char>(rng.Below(256));
    const auto before = kept->Recommend();
    if (kept->Restore(bad).ok()) {
      ASSERT_TRUE(kept->Restore(good).ok());
    } else {
      EXPECT_EQ(kept->Recommend(), before);
    }
  }
}

// Ten minutes a night, for a month: all that is known are two windows a day, and the limit stays
// near what the job takes, all day and through nights that were left out.
TEST(PeriodicJobs, KeepASaneLimit) {
  for (const RecommenderEntry& entry : Recommenders()) {
    if (entry.name == "fixed") continue;
    for (const Resource resource : {Resource::kCpu, Resource::kMemory}) {
      const float takes = resource == Resource::kCpu ? 800 : 0x1p30F;
      const auto recommender = MakeNamed(entry.name, resource);
      for (int night = 0; night < 30; ++night) {
        if (night > 20 && night < 24) continue;
        for (const int window : {1, 2}) {
          Tell(*recommender, resource, takes,
               kMonday + hours(24 * night + 2) + minutes(5 * window));
        }
        if (night < 3) continue;
        const auto target = static_cast<float>(recommender->Recommend()->target);
        EXPECT_GE(target, takes) << entry.name << " night " << night;
        EXPECT_LE(target, 2 * takes) << entry.name << " night " << night;
      }
    }
  }
}

}  // namespace
}  // namespace berth

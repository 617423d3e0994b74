// What every recommender keeps to, over all of recommenders.def.
#include <gtest/gtest.h>

#include <cmath>

#include "berth/rng.h"
#include "rightsize/recommender.h"
#include "rightsize/size_text.h"

namespace berth {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

class Feed {
 public:
  Feed(const RecommenderEntry& entry, Resource resource)
      : resource_(resource), recommender_(entry.make({.resource = resource, .request = 1000})) {}

  void Add(std::vector<float> samples) {
    WindowHistogram histogram;
    for (const float sample : samples) histogram.Add(Buckets::Of(resource_).Find(sample));
    now_ += minutes(5);
    recommender_->Observe({.end = now_, .samples = samples, .histogram = histogram});
  }
  void Restart(const RecommenderEntry& entry) {
    recommender_ = entry.make({.resource = resource_, .request = 1000});
  }
  Recommender& operator*() { return *recommender_; }
  Recommender* operator->() { return recommender_.get(); }
  Time now() const { return now_; }

 private:
  Resource resource_;
  std::unique_ptr<Recommender> recommender_;
  Time now_{hours(1000)};
};

TEST(Recommenders, SayNothingBeforeTheyKnowSomething) {
  for (const RecommenderEntry& entry : Recommenders()) {
    Feed feed(entry, Resource::kMemory);
    EXPECT_EQ(feed->Recommend(), std::nullopt) << entry.name;
    EXPECT_EQ(feed->Why(), "") << entry.name;
  }
}

TEST(Recommenders, SayWhatTheTargetIsAndWhy) {
  for (const RecommenderEntry& entry : Recommenders()) {
    for (const Resource resource : {Resource::kCpu, Resource::kMemory}) {
      Feed feed(entry, resource);
      feed.Add({700, 800});
      const std::optional<SizeAdvice> advice = feed->Recommend();
      ASSERT_TRUE(advice) << entry.name;
      EXPECT_TRUE(feed->Why().starts_with(FormatSize(resource, advice->target) + ": "))
          << entry.name << ": " << feed->Why();
    }
  }
}

TEST(Recommenders, KeepLowerTargetAndUpperInOrderWhateverComes) {
  Rng rng(9);
  for (const RecommenderEntry& entry : Recommenders()) {
    for (int run = 0; run < 5; ++run) {
      Feed feed(entry, run % 2 == 0 ? Resource::kCpu : Resource::kMemory);
      for (int i = 0; i < 300; ++i) {
        std::vector<float> samples;
        for (std::uint64_t n = rng.Below(4); n > 0; --n) {
          const bool nothing = rng.Below(5) == 0;
          samples.push_back(nothing ? 0 : static_cast<float>(std::exp(25 * rng.Unit())));
        }
        feed.Add(samples);
        if (rng.Below(50) == 0) feed->ObserveOom(1 << 28, feed.now());
        const std::optional<SizeAdvice> advice = feed->Recommend();
        if (!advice) continue;
        ASSERT_LE(0, advice->lower) << entry.name;
        ASSERT_LE(advice->lower, advice->target) << entry.name;
        ASSERT_LE(advice->target, advice->upper) << entry.name;
      }
    }
  }
}

TEST(Recommenders, SayTheSameOfTheSame) {
  for (const RecommenderEntry& entry : Recommenders()) {
    Feed one(entry, Resource::kCpu);
    Feed other(entry, Resource::kCpu);
    Rng rng(2);
    for (int i = 0; i < 100; ++i) {
      const std::vector<float> samples(3, static_cast<float>(1000 * rng.Unit()));
      one.Add(samples);
      other.Add(samples);
      ASSERT_EQ(one->Recommend(), other->Recommend()) << entry.name;
    }
  }
}

// A restart of whoever asks them changes no limit.
TEST(Recommenders, GoOnWhereTheyWereSaved) {
  for (const RecommenderEntry& entry : Recommenders()) {
    for (const Resource resource : {Resource::kCpu, Resource::kMemory}) {
      Rng rng(4);
      Feed kept(entry, resource);
      Feed restarted(entry, resource);
      ASSERT_TRUE(restarted->Restore(kept->Save()).ok()) << entry.name;
      EXPECT_EQ(restarted->Recommend(), std::nullopt) << entry.name;
      for (int i = 0; i < 600; ++i) {
        const auto used = static_cast<float>((resource == Resource::kCpu ? 500 : 0x1p30) *
                                             std::exp(0.3 * rng.Normal()));
        kept.Add({used, used});
        restarted.Add({used, used});
        if (i % 97 == 0) {
          kept->ObserveOom(1 << 29, kept.now());
          restarted->ObserveOom(1 << 29, kept.now());
        }
        if (i % 50 == 0) {
          restarted.Restart(entry);
          const Status status = restarted->Restore(kept->Save());
          ASSERT_TRUE(status.ok()) << entry.name << ": " << status.message();
        }
        ASSERT_EQ(kept->Recommend(), restarted->Recommend()) << entry.name;
        ASSERT_EQ(kept->Why(), restarted->Why()) << entry.name;
      }
      EXPECT_EQ(kept->Save(), restarted->Save()) << entry.name;
      EXPECT_LT(kept->Save().size(), 8192U) << entry.name;
    }
  }
}

TEST(Recommenders, SurviveBytesThatTheyDidNotSave) {
  Rng rng(12);
  for (const RecommenderEntry& entry : Recommenders()) {
    Feed feed(entry, Resource::kCpu);
    for (int i = 0; i < 20; ++i) feed.Add({static_cast<float>(100 + rng.Below(100))});
    const std::string good = feed->Save();
    for (int i = 0; i < 200; ++i) {
      std::string bad = good.substr(0, rng.Below(good.size() + 1));
      if (!bad.empty()) bad[rng.Below(bad.size())] = static_cast<char>(rng.Below(256));
      const auto before = feed->Recommend();
      if (feed->Restore(bad).ok()) {
        ASSERT_TRUE(feed->Restore(good).ok());
      } else {
        EXPECT_EQ(feed->Recommend(), before) << entry.name;
      }
    }
  }
}

// A service that is killed at its start never has a window: what it was killed at must do.
TEST(Recommenders, WhoIsKilledAtStartGetsMoreThanItHad) {
  constexpr std::int64_t kHad = std::int64_t{1} << 30;
  for (const RecommenderEntry& entry : Recommenders()) {
    if (entry.name == "fixed") continue;
    Feed feed(entry, Resource::kMemory);
    feed->ObserveOom(kHad, feed.now());
    ASSERT_TRUE(feed->Recommend()) << entry.name;
    EXPECT_GT(feed->Recommend()->target, kHad) << entry.name;
  }
}

// A single kill raises the limit, but not for ever: forty days later it is as if it had not been.
TEST(Recommenders, OneKillIsForgottenInTime) {
  for (const RecommenderEntry& entry : Recommenders()) {
    Feed calm(entry, Resource::kMemory);
    Feed killed(entry, Resource::kMemory);
    calm.Add({0x1p30F});
    killed.Add({0x1p30F});
    killed->ObserveOom(std::int64_t{3} << 30, killed.now());
    for (int i = 0; i < 40 * 288; ++i) {
      calm.Add({0x1p30F});
      killed.Add({0x1p30F});
    }
    EXPECT_EQ(calm->Recommend()->target, killed->Recommend()->target) << entry.name;
  }
}

}  // namespace
}  // namespace berth

// What every recommender keeps to, over all of recommenders.def.
#include <gtest/gtest.h>

#include <cmath>

#include "berth/rng.h"
#include "rightsize/recommender.h"

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
      EXPECT_TRUE(feed->Why().starts_with(FormatAmount(resource, advice->target) + ": "))
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

}  // namespace
}  // namespace berth

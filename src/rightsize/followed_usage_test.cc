#include "rightsize/followed_usage.h"

#include <gtest/gtest.h>

#include "berth/rng.h"

namespace berth {
namespace {

const ProgramDesk kNoPrograms;

const std::vector<std::string> kAll = {"window", "ensemble", "weighed_ensemble",
                                       "vpa",    "krr",      "fixed"};

Sized SizedFor(Resource resource) { return {.resource = resource, .request = 1'000'000'000}; }

// An hour's samples of three instances, and a kill now and then.
void TellAnHour(FollowedUsage& followed, Rng& rng, int hour) {
  for (int minute = 0; minute < 60; ++minute) {
    const Time at(std::chrono::minutes(60 * hour + minute));
    for (std::uint32_t instance = 0; instance < 3; ++instance) {
      followed.Add(instance, at, 1e6 * static_cast<double>(1 + rng.Below(900)));
    }
    followed.Close(WindowOf(at));
    if (rng.Below(200) == 0) followed.ObserveOom(500'000'000, WindowOf(at));
  }
}

// What each of them says.
std::vector<std::string> Sayings(const FollowedUsage& followed) {
  std::vector<std::string> said;
  for (const FollowedUsage::Advisor& advisor : followed.advisors()) {
    said.push_back(advisor.name + " " + advisor.recommender->Why());
  }
  return said;
}

// The slow way: samples sorted into windows by hand, and each recommender told by itself.
TEST(FollowedUsage, SaysWhatRecommendersSayThatAreToldOfTheWindows) {
  for (const Resource resource : {Resource::kCpu, Resource::kMemory}) {
    FollowedUsage followed(resource);
    followed.Use(kAll, SizedFor(resource), kNoPrograms);
    std::vector<std::unique_ptr<Recommender>> direct;
    for (const std::string& name : kAll) {
      direct.push_back(FindRecommender(name).value().make(SizedFor(resource)));
    }
    Rng rng(3);
    for (int window = 0; window < 300; ++window) {
      const Time begin(window * kWindowLength);
      std::vector<float> samples;
      for (std::uint32_t instance = 0; instance < 4; ++instance) {
        float peak = 0;
        for (int i = 0; i < 5; ++i) {
          const double value = 1e6 * static_cast<double>(1 + rng.Below(2000));
          followed.Add(instance, begin + std::chrono::minutes(i), value);
          peak = std::max(peak, static_cast<float>(value));
          if (resource == Resource::kCpu) samples.push_back(static_cast<float>(value));
        }
        if (resource != Resource::kCpu) samples.push_back(peak);
      }
      WindowHistogram histogram;
      for (const float sample : samples) histogram.Add(Buckets::Of(resource).Find(sample));
      followed.Close(begin + kWindowLength);
      for (const auto& recommender : direct) {
        recommender->Observe(
            {.end = begin + kWindowLength, .samples = samples, .histogram = histogram});
      }
      if (window % 37 == 0) {
        followed.ObserveOom(700'000'000, begin + kWindowLength);
        for (const auto& recommender : direct) {
          recommender->ObserveOom(700'000'000, begin + kWindowLength);
        }
      }
      for (std::size_t i = 0; i < kAll.size(); ++i) {
        ASSERT_EQ(followed.advisors()[i].recommender->Recommend(), direct[i]->Recommend())
            << kAll[i] << " in window " << window;
      }
    }
  }
}

TEST(FollowedUsage, SavedAndRestoredItGoesOnAlike) {
  FollowedUsage whole(Resource::kMemory);
  whole.Use(kAll, SizedFor(Resource::kMemory), kNoPrograms);
  FollowedUsage parts(Resource::kMemory);
  parts.Use(kAll, SizedFor(Resource::kMemory), kNoPrograms);
  Rng rng(8);
  Rng same(8);
  for (int hour = 0; hour < 30; ++hour) {
    TellAnHour(whole, rng, hour);
    TellAnHour(parts, same, hour);
    FollowedUsage again(Resource::kMemory);
    again.Use(kAll, SizedFor(Resource::kMemory), kNoPrograms);
    ASSERT_TRUE(again.Restore(parts.Save()).ok());
    parts = std::move(again);
    ASSERT_EQ(Sayings(parts), Sayings(whole)) << "hour " << hour;
    ASSERT_EQ(parts.Save(), whole.Save());
  }
  EXPECT_EQ(parts.since(), whole.since());
  EXPECT_EQ(parts.used(), whole.used());
}

TEST(FollowedUsage, WhoStaysAmongThemKeepsWhatItKnows) {
  FollowedUsage followed(Resource::kMemory);
  followed.Use(std::vector<std::string>{"window"}, SizedFor(Resource::kMemory), kNoPrograms);
  EXPECT_EQ(followed.InForce(), nullptr);
  Rng rng(2);
  TellAnHour(followed, rng, 0);
  const std::string said = followed.InForce()->Why();
  followed.Use(std::vector<std::string>{"vpa", "window"}, SizedFor(Resource::kMemory), kNoPrograms);
  EXPECT_EQ(followed.InForce(), nullptr) << "it knows nothing yet";
  EXPECT_EQ(followed.advisors()[1].recommender->Why(), said);
  // What is asked for may change; of another kind it begins anew.
  Sized asks_more = SizedFor(Resource::kMemory);
  asks_more.request *= 2;
  followed.Use(std::vector<std::string>{"window"}, asks_more, kNoPrograms);
  EXPECT_EQ(followed.InForce()->Why(), said);
  asks_more.oom = OomTolerance::kMinimal;
  followed.Use(std::vector<std::string>{"window"}, asks_more, kNoPrograms);
  EXPECT_EQ(followed.InForce(), nullptr);
}

TEST(FollowedUsage, TakesOverNothingOfOnesThatAreNoLongerUsed) {
  FollowedUsage followed(Resource::kCpu);
  followed.Use(kAll, SizedFor(Resource::kCpu), kNoPrograms);
  Rng rng(2);
  TellAnHour(followed, rng, 0);
  FollowedUsage other(Resource::kCpu);
  other.Use(std::vector<std::string>{"krr", "window"}, SizedFor(Resource::kCpu), kNoPrograms);
  ASSERT_TRUE(other.Restore(followed.Save()).ok());
  ASSERT_EQ(other.advisors().size(), 2U);
  EXPECT_EQ(other.InForce()->Why(), followed.advisors()[4].recommender->Why());
  EXPECT_FALSE(other.Restore("nonsense").ok());
  EXPECT_NE(other.InForce(), nullptr);
}

TEST(FollowedUsage, TakesAFewKilobytes) {
  FollowedUsage followed(Resource::kMemory);
  followed.Use(std::vector<std::string>{"window"}, SizedFor(Resource::kMemory), kNoPrograms);
  Rng rng(2);
  for (int hour = 0; hour < 200; ++hour) TellAnHour(followed, rng, hour);
  EXPECT_LT(followed.Save().size(), 4000U);
}

}  // namespace
}  // namespace berth

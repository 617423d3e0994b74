#include <gtest/gtest.h>

#include "rightsize/recommender.h"

namespace berth {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

class KrrRecommender : public ::testing::Test {
 protected:
  void Use(Resource resource) {
    krr_ = FindRecommender("krr").value().make({.resource = resource});
  }
  void Add(Resource resource, const std::vector<float>& samples, Time end) {
    WindowHistogram histogram;
    for (const float sample : samples) histogram.Add(Buckets::Of(resource).Find(sample));
    krr_->Observe({.end = end, .samples = samples, .histogram = histogram});
  }

  std::unique_ptr<Recommender> krr_;
};

// 100 samples: 94 of 100m, one of 200m and five of 900m. 95 of them are at most 200m, so the 95th
// percentile is 200m, read off its bucket: its bound, at most 3.5% above.
TEST_F(KrrRecommender, OfCpuTakesTheP95) {
  Use(Resource::kCpu);
  std::vector<float> samples(94, 100);
  samples.push_back(200);
  samples.insert(samples.end(), 5, 900);
  Add(Resource::kCpu, samples, Time(hours(30)));
  const Buckets& buckets = Buckets::Of(Resource::kCpu);
  EXPECT_EQ(krr_->Recommend()->target, buckets.bound(buckets.Find(200)));
  EXPECT_LE(krr_->Recommend()->target, 207);
  // Five more of 900m: 95% of 105 samples are 99.75, which only 900m reaches.
  Add(Resource::kCpu, std::vector<float>(5, 900), Time(hours(31)));
  EXPECT_EQ(krr_->Recommend()->target, buckets.bound(buckets.Find(900)));
}

TEST_F(KrrRecommender, OfCpuNeverSaysLessThanTen) {
  Use(Resource::kCpu);
  Add(Resource::kCpu, {1}, Time(hours(30)));
  EXPECT_EQ(krr_->Recommend()->target, 10);
}

// The peak of 14 days, 1 GiB, and 15%: 1234803098 bytes, rounded up.
TEST_F(KrrRecommender, OfMemoryTakesThePeakAndFifteenPercent) {
  Use(Resource::kMemory);
  Add(Resource::kMemory, {0x1p29F, 0x1p30F}, Time(hours(30)));
  Add(Resource::kMemory, {0x1p29F}, Time(hours(31)));
  EXPECT_EQ(krr_->Recommend()->target, 1'234'803'098);
  EXPECT_EQ(krr_->Why(), "1178Mi: peak of the last 14 days is 1Gi, +15%");
  // On the 14th day after it the peak is still among the last 14, on the 15th it is not: then
  // 512 MiB and 15%.
  Add(Resource::kMemory, {0x1p29F}, Time(hours(30 + 24 * 13)));
  EXPECT_EQ(krr_->Recommend()->target, 1'234'803'098);
  Add(Resource::kMemory, {0x1p29F}, Time(hours(30 + 24 * 14)));
  EXPECT_EQ(krr_->Recommend()->target, 617'401'549);
}

TEST_F(KrrRecommender, OfMemoryNeverSaysLessThanAHundredMegabytes) {
  Use(Resource::kMemory);
  Add(Resource::kMemory, {5e6F}, Time(hours(30)));
  EXPECT_EQ(krr_->Recommend()->target, 100'000'000);
}

}  // namespace
}  // namespace berth

#include "rightsize/ensemble.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "berth/rng.h"
#include "rightsize/direct_ensemble_testing.h"

namespace berth {
namespace {

// Often round, so that costs are equal.
float RandomWeight(Rng& rng) {
  return rng.Below(2) == 0 ? static_cast<float>(rng.Below(5)) * 0.25F
                           : static_cast<float>(rng.Unit());
}

TEST(Ensemble, DecidesAsTheEquationsDoTiesIncluded) {
  Rng rng(1);
  for (int job = 0; job < 40; ++job) {
    EnsembleModels models;
    for (const float decay : {1.0F, 0.5F, 0.125F, 0.01F}) {
      if (rng.Below(3) > 0) models.decays.push_back(decay);
    }
    if (models.decays.empty()) models.decays.push_back(0.25F);
    for (UsageBucket margin = 0; margin < 3; ++margin) models.margins.push_back(margin * 2);
    const EnsembleWeights weights = {.model_decay = 0.1F + 0.9F * RandomWeight(rng),
                                     .overrun = RandomWeight(rng),
                                     .underrun = RandomWeight(rng),
                                     .limit_change = RandomWeight(rng),
                                     .model_change = RandomWeight(rng)};
    Ensemble fast(models, weights);
    DirectEnsemble direct(models, weights);
    const std::uint64_t center = rng.Below(Buckets::kCount);
    const std::uint64_t width = 1 + rng.Below(12);
    for (int t = 0; t < 15; ++t) {
      WindowHistogram window;
      for (std::uint64_t i = 1 + rng.Below(4); i > 0; --i) {
        const std::uint64_t bucket = std::min<std::uint64_t>(center + rng.Below(width), 399);
        window.Add(static_cast<UsageBucket>(bucket), static_cast<std::uint32_t>(1 + rng.Below(3)));
      }
      fast.Observe(window);
      direct.Observe(window);
      ASSERT_EQ(*fast.limit(), direct.limit) << "job " << job << " window " << t;
      ASSERT_EQ(*fast.model(), direct.model) << "job " << job << " window " << t;
    }
  }
}

// By hand: one model that forgets half, no margin. Window 1: 3 samples in bucket 10, 1 in
// bucket 20. L=10: o = .5*.25, u = 0 -> .125; L=20: o = 0, u = .5*.75 = .375, times .1 -> .0375: 20
// is chosen. Window 2: 4 in bucket 10. L=10: o = .0625, u = 0, change .1 -> .1625; L=20: u = .1875
// + .5 = .6875
// -> .06875: 20 is kept, for the change would cost more than it saves.
TEST(Ensemble, AModelStaysWhileAChangeCostsMoreThanItSaves) {
  const EnsembleModels models = {.decays = {0.5F}, .margins = {0}};
  EnsembleWeights weights = {
      .model_decay = 1, .overrun = 1, .underrun = 0.1F, .limit_change = 0.1F, .model_change = 0};
  const auto run = [&] {
    Ensemble ensemble(models, weights);
    WindowHistogram window;
    window.Add(10, 3);
    window.Add(20, 1);
    ensemble.Observe(window);
    EXPECT_EQ(ensemble.limit(), UsageBucket{20});
    window.Clear();
    window.Add(10, 4);
    ensemble.Observe(window);
    return ensemble.limit();
  };
  EXPECT_EQ(run(), UsageBucket{20});
  weights.limit_change = 0.001F;
  EXPECT_EQ(run(), UsageBucket{10});  // .0625 + .001 < .06875.
}

TEST(Ensemble, HasNoOpinionBeforeTheFirstSample) {
  const EnsembleModels models = EnsembleModels::Usual();
  EXPECT_EQ(models.size(), 100U);
  const EnsembleWeights weights;
  Ensemble ensemble(models, weights);
  ensemble.Observe({});
  EXPECT_EQ(ensemble.limit(), std::nullopt);
}

}  // namespace
}  // namespace berth

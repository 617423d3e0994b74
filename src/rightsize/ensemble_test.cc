#include "rightsize/ensemble.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>

#include "berth/rng.h"

namespace berth {
namespace {

// Eqs. 4-9 as they stand: every model, every limit, every bucket.
class Direct {
 public:
  Direct(const EnsembleModels& models, const EnsembleWeights& weights) : weights_(weights) {
    for (const float decay : models.decays) {
      for (const UsageBucket margin : models.margins) models_.push_back({decay, margin});
    }
  }

  void Observe(const WindowHistogram& window) {
    std::array<std::uint64_t, Buckets::kCount> samples{};
    for (const WindowHistogram::Count& count : window.counts())
      samples[count.bucket] = count.samples;
    std::array<float, Buckets::kCount> above{};
    std::array<float, Buckets::kCount> below{};
    for (std::size_t l = 0; l < Buckets::kCount; ++l) {
      std::uint64_t more = 0;
      std::uint64_t less = 0;
      for (std::size_t j = 0; j < Buckets::kCount; ++j) {
        if (j > l) more += samples[j];
        if (j < l) less += samples[j];
      }
      const auto all = static_cast<double>(window.samples());
      above[l] = static_cast<float>(static_cast<double>(more) / all);
      below[l] = static_cast<float>(static_cast<double>(less) / all);
    }
    for (Model& m : models_) {
      float least = std::numeric_limits<float>::infinity();
      std::size_t best = 0;
      for (std::size_t l = 0; l < Buckets::kCount; ++l) {
        m.over[l] = (1 - m.decay) * m.over[l] + m.decay * above[l];
        m.under[l] = (1 - m.decay) * m.under[l] + m.decay * below[l];
        const float change = begun_ && l != m.chosen ? weights_.limit_change : 0;
        const float cost = weights_.overrun * m.over[l] + weights_.underrun * m.under[l] + change;
        if (cost < least) {
          least = cost;
          best = l;
        }
      }
      m.chosen = best;
      const std::size_t raised = std::min(best + m.margin, Buckets::kCount - 1);
      const float change = begun_ && raised != m.limit ? weights_.limit_change : 0;
      const float cost =
          weights_.overrun * above[raised] + weights_.underrun * below[raised] + change;
      m.history = weights_.model_decay * cost + (1 - weights_.model_decay) * m.history;
      m.limit = raised;
    }
    float least = std::numeric_limits<float>::infinity();
    std::size_t best = 0;
    for (std::size_t i = 0; i < models_.size(); ++i) {
      float cost = models_[i].history;
      if (begun_ && i != model) cost += weights_.model_change;
      if (begun_ && models_[i].limit != limit) cost += weights_.limit_change;
      if (cost < least) {
        least = cost;
        best = i;
      }
    }
    model = best;
    limit = models_[best].limit;
    begun_ = true;
  }

  std::size_t model = 0;
  std::size_t limit = 0;

 private:
  struct Model {
    float decay;
    UsageBucket margin;
    std::array<float, Buckets::kCount> over{};
    std::array<float, Buckets::kCount> under{};
    std::size_t chosen = 0;
    std::size_t limit = 0;
    float history = 0;
  };
  const EnsembleWeights weights_;
  std::vector<Model> models_;
  bool begun_ = false;
};

// Often round, so that costs are equal.
float RandomWeight(Rng& rng) {
  return rng.Below(2) == 0 ? static_cast<float>(rng.Below(5)) * 0.25F
                           : static_cast<float>(rng.Unit());
}

TEST(Ensemble, DecidesAsTheEquationsDoTiesIncluded) {
  Rng rng(1);
  for (int job = 0; job < 60; ++job) {
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
    Direct direct(models, weights);
    const std::uint64_t center = rng.Below(Buckets::kCount);
    const std::uint64_t width = 1 + rng.Below(12);
    for (int t = 0; t < 30; ++t) {
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

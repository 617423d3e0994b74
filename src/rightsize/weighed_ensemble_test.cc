#include "rightsize/weighed_ensemble.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "berth/rng.h"

namespace berth {
namespace {

// Every model smooths a histogram of its own, and asks of every limit what every bucket costs.
class DirectWeighed {
 public:
  DirectWeighed(const Buckets& buckets, const EnsembleModels& models,
                const EnsembleWeights& weights, OverrunCost overrun_cost)
      : buckets_(buckets), weights_(weights), overrun_cost_(overrun_cost) {
    for (const float decay : models.decays) {
      for (const UsageBucket margin : models.margins) models_.push_back({decay, margin});
    }
  }

  void Observe(const WindowHistogram& window) {
    for (Candidate& each : models_) {
      for (float& share : each.shares) {
        share *= 1 - each.decay;
        if (share < 1e-30F) share = 0;
      }
      std::vector<double> now(Buckets::kCount);
      for (const auto& count : window.counts()) {
        each.shares[count.bucket] +=
            each.decay * (static_cast<float>(count.samples) / static_cast<float>(window.samples()));
        now[count.bucket] =
            static_cast<double>(count.samples) / static_cast<double>(window.samples());
      }
      const std::vector<double> past(each.shares.begin(), each.shares.end());
      double least = std::numeric_limits<double>::infinity();
      std::size_t best = 0;
      for (std::size_t l = 0; l < Buckets::kCount; ++l) {
        const double cost =
            Cost(past, l) + (begun_ && l != each.chosen ? weights_.limit_change : 0);
        if (cost < least) {
          least = cost;
          best = l;
        }
      }
      each.chosen = best;
      const std::size_t raised = std::min<std::size_t>(best + each.margin, Buckets::kCount - 1);
      const double cost =
          Cost(now, raised) + (begun_ && raised != each.limit ? weights_.limit_change : 0);
      each.history = weights_.model_decay * cost + (1 - weights_.model_decay) * each.history;
      each.limit = raised;
    }
    double least = std::numeric_limits<double>::infinity();
    std::size_t best = 0;
    for (std::size_t i = 0; i < models_.size(); ++i) {
      double cost = models_[i].history;
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
  struct Candidate {
    float decay;
    UsageBucket margin;
    std::vector<float> shares = std::vector<float>(Buckets::kCount);
    std::size_t chosen = 0;
    std::size_t limit = 0;
    double history = 0;
  };

  double Cost(const std::vector<double>& shares, std::size_t l) const {
    const auto bound = [&](std::size_t bucket) {
      return static_cast<double>(buckets_.bound(static_cast<UsageBucket>(bucket)));
    };
    double above = 0;
    double load_above = 0;
    for (std::size_t j = Buckets::kCount - 1; j > l; --j) {
      above += shares[j];
      load_above += shares[j] * bound(j);
    }
    double below = 0;
    double load_below = 0;
    for (std::size_t j = 0; j < l; ++j) {
      below += shares[j];
      load_below += shares[j] * bound(j);
    }
    const double over =
        overrun_cost_ == OverrunCost::kByCount ? above : load_above / bound(l) - above;
    return weights_.overrun * over + weights_.underrun * (below - load_below / bound(l));
  }

  const Buckets& buckets_;
  const EnsembleWeights weights_;
  const OverrunCost overrun_cost_;
  std::vector<Candidate> models_;
  bool begun_ = false;
};

WindowHistogram RandomWindow(Rng& rng, std::uint64_t center, std::uint64_t width) {
  WindowHistogram window;
  const std::uint64_t bucket = std::min<std::uint64_t>(center + rng.Below(width), 399);
  window.Add(static_cast<UsageBucket>(bucket), static_cast<std::uint32_t>(1 + rng.Below(3)));
  return window;
}

TEST(WeighedEnsemble, DecidesAsTheDirectEvaluation) {
  Rng rng(4);
  for (int job = 0; job < 8; ++job) {
    const EnsembleModels models = {.decays = {1.0F, 0.125F, 0.01F}, .margins = {0, 3}};
    const EnsembleWeights weights = {.model_decay = static_cast<float>(0.01 + 0.9 * rng.Unit()),
                                     .overrun = static_cast<float>(20 * rng.Unit()),
                                     .underrun = static_cast<float>(rng.Unit()),
                                     .limit_change = static_cast<float>(0.1 * rng.Unit()),
                                     .model_change = static_cast<float>(0.1 * rng.Unit())};
    const OverrunCost cost = job % 2 == 0 ? OverrunCost::kBySize : OverrunCost::kByCount;
    const Buckets& buckets = Buckets::Of(Resource::kMemory);
    WeighedEnsemble fast(buckets, models, weights, cost);
    DirectWeighed direct(buckets, models, weights, cost);
    const std::uint64_t center = rng.Below(Buckets::kCount);
    const std::uint64_t width = 1 + rng.Below(40);
    for (int t = 0; t < 20; ++t) {
      const WindowHistogram window = RandomWindow(rng, center, width);
      fast.Observe(window);
      direct.Observe(window);
      ASSERT_EQ(*fast.limit(), direct.limit) << "job " << job << " window " << t;
      ASSERT_EQ(*fast.model(), direct.model) << "job " << job << " window " << t;
    }
  }
}

// By hand: bounds double from bucket to bucket nowhere near 3.5%, so take amounts as they are. One
// model that remembers one window: a sample of a and three of b. At a limit of b, an underrun of
// 1/4 (1 - a/b); at a limit of a, an overrun of 3/4 (b/a - 1). With weights of 1 the higher costs
// less.
TEST(WeighedEnsemble, AnOverrunOfLittleIsCheaperThanASlackOfMuch) {
  const Buckets& buckets = Buckets::Of(Resource::kMemory);
  const EnsembleModels models = {.decays = {1.0F}, .margins = {0}};
  const EnsembleWeights weights = {
      .model_decay = 1, .overrun = 1, .underrun = 1, .limit_change = 0, .model_change = 0};
  WindowHistogram window;
  window.Add(50, 1);
  window.Add(120, 3);
  WeighedEnsemble by_size(buckets, models, weights, OverrunCost::kBySize);
  by_size.Observe(window);
  EXPECT_EQ(by_size.limit(), UsageBucket{120});
  // One sample in a hundred is a little above the others: 99/100 (1 - a/b) against 1/100 (b/a - 1).
  window.Clear();
  window.Add(50, 99);
  window.Add(53, 1);
  WeighedEnsemble frugal(buckets, models, weights, OverrunCost::kBySize);
  frugal.Observe(window);
  EXPECT_EQ(frugal.limit(), UsageBucket{50});
}

TEST(WeighedEnsemble, GoesOnWhereItWasSaved) {
  Rng rng(8);
  const EnsembleModels models = EnsembleModels::Wide();
  const EnsembleWeights weights = {.overrun = 10, .underrun = 1};
  const Buckets& buckets = Buckets::Of(Resource::kCpu);
  WeighedEnsemble one(buckets, models, weights, OverrunCost::kBySize);
  WeighedEnsemble other(buckets, models, weights, OverrunCost::kBySize);
  ASSERT_TRUE(other.Restore(one.Save()).ok());
  EXPECT_EQ(other.limit(), std::nullopt);
  for (int t = 0; t < 300; ++t) {
    const WindowHistogram window = RandomWindow(rng, 100, 30);
    one.Observe(window);
    if (t % 50 == 0) {
      ASSERT_TRUE(other.Restore(one.Save()).ok());
    } else {
      other.Observe(window);
    }
    ASSERT_EQ(one.limit(), other.limit());
    ASSERT_EQ(one.model(), other.model());
  }
  EXPECT_EQ(one.Save(), other.Save());
  EXPECT_LT(one.Save().size(), 2048U);
}

TEST(WeighedEnsemble, RefusesWhatItDidNotSave) {
  Rng rng(6);
  const EnsembleModels models = EnsembleModels::Wide();
  const EnsembleWeights weights;
  WeighedEnsemble ensemble(Buckets::Of(Resource::kCpu), models, weights, OverrunCost::kBySize);
  ensemble.Observe(RandomWindow(rng, 100, 30));
  const std::string good = ensemble.Save();
  const EnsembleModels fewer = {.decays = {0.5F}, .margins = {0}};
  WeighedEnsemble other(Buckets::Of(Resource::kCpu), fewer, weights, OverrunCost::kBySize);
  EXPECT_FALSE(other.Restore(good).ok());
  for (int i = 0; i < 300; ++i) {
    std::string bad = good;
    for (std::uint64_t n = 1 + rng.Below(4); n > 0; --n) {
      bad[rng.Below(bad.size())] = static_cast<char>(rng.Below(256));
    }
    // Whatever comes of it, it goes on within its buckets.
    if (ensemble.Restore(bad).ok()) ensemble.Observe(RandomWindow(rng, 100, 30));
  }
  EXPECT_FALSE(ensemble.Restore(good.substr(0, good.size() / 2)).ok());
}

}  // namespace
}  // namespace berth

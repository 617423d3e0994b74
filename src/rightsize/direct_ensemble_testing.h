// Eqs. 4-9 as they stand: every model asks of every limit how many samples lie in every bucket
// above and below it. What the ensemble is compared with, in tests and in the benchmark.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "rightsize/ensemble.h"

namespace berth {

class DirectEnsemble {
 public:
  DirectEnsemble(const EnsembleModels& models, const EnsembleWeights& weights) : weights_(weights) {
    for (const float decay : models.decays) {
      for (const UsageBucket margin : models.margins) models_.push_back({decay, margin});
    }
  }

  void Observe(const WindowHistogram& window) {
    samples_.fill(0);
    for (const WindowHistogram::Count& count : window.counts()) {
      samples_[count.bucket] = count.samples;
    }
    all_ = static_cast<double>(window.samples());
    for (Model& each : models_) {
      ChooseLimit(each);
      ScoreModel(each);
    }
    PickModel();
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

  // The sums of Eqs. 4 and 5, as shares of the window's samples.
  float SampleShare(std::size_t from, std::size_t to) const {
    std::uint64_t sum = 0;
    for (std::size_t j = from; j < to; ++j) sum += samples_[j];
    return static_cast<float>(static_cast<double>(sum) / all_);
  }
  float ShareAbove(std::size_t l) const { return SampleShare(l + 1, Buckets::kCount); }
  float ShareBelow(std::size_t l) const { return SampleShare(0, l); }

  void ChooseLimit(Model& m) const {
    float least = std::numeric_limits<float>::infinity();
    std::size_t best = 0;
    for (std::size_t l = 0; l < Buckets::kCount; ++l) {
      m.over[l] = (1 - m.decay) * m.over[l] + m.decay * ShareAbove(l);
      m.under[l] = (1 - m.decay) * m.under[l] + m.decay * ShareBelow(l);
      const float change = begun_ && l != m.chosen ? weights_.limit_change : 0;
      const float cost = weights_.overrun * m.over[l] + weights_.underrun * m.under[l] + change;
      if (cost < least) {
        least = cost;
        best = l;
      }
    }
    m.chosen = best;
  }

  void ScoreModel(Model& m) const {
    const std::size_t raised = std::min(m.chosen + m.margin, Buckets::kCount - 1);
    const float change = begun_ && raised != m.limit ? weights_.limit_change : 0;
    const float cost =
        weights_.overrun * ShareAbove(raised) + weights_.underrun * ShareBelow(raised) + change;
    m.history = weights_.model_decay * cost + (1 - weights_.model_decay) * m.history;
    m.limit = raised;
  }

  void PickModel() {
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
  }

  const EnsembleWeights weights_;
  std::vector<Model> models_;
  std::array<std::uint32_t, Buckets::kCount> samples_{};
  double all_ = 0;
  bool begun_ = false;
};

}  // namespace berth

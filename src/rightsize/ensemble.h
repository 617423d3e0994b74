// Autopilot's second recommender (Eqs. 4-9): many models, each choosing the limit that would have
// cost least; the model is followed whose limits cost least in the past.
//
// Models differ by how fast they forget and by a margin, in buckets, that is added to what they
// choose. Those that forget alike choose alike but for the margin. And what a limit costs changes
// only at buckets that had a sample, so only those are looked at: a window costs the buckets seen
// times the rates of forgetting, where the equations as they stand cost the models times the square
// of all buckets. What is kept of a limit is exactly what the equations keep of it, rounding
// included, so ties fall alike.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "berth/status.h"
#include "usage/window_histogram.h"

namespace berth {

struct EnsembleWeights {
  float model_decay = 0.01F;  // d: how fast the cost of a model is forgotten.
  float overrun = 1;          // w_o and w_u: of a share of one of the samples,
  float underrun = 0.1F;
  float limit_change = 0.1F;  // w_dL,
  float model_change = 0.1F;  // and w_dm.
};

struct EnsembleModels {
  std::vector<float> decays;         // d_m: what the newest window counts, above 0, at most 1.
  std::vector<UsageBucket> margins;  // M_m, in buckets.

  std::size_t size() const { return decays.size() * margins.size(); }
  // A hundred: half-lives of two hours to two weeks, margins of none to about 90%.
  static EnsembleModels Usual();
  // A hundred that forget more slowly and may add more: half-lives of twelve hours to two weeks,
  // margins of none to about 270%.
  static EnsembleModels Wide();
};

class Ensemble {
 public:
  // Both outlive it; many share them.
  Ensemble(const EnsembleModels& models, const EnsembleWeights& weights);

  // The next five minutes; what had no sample is left out.
  void Observe(const WindowHistogram& window);

  // None before the first window.
  std::optional<UsageBucket> limit() const { return limit_; }
  // Number decay * margins + margin.
  std::optional<std::uint32_t> model() const { return model_; }

  // What is kept, to go on elsewhere with the same models and weights.
  std::string Save() const;
  Status Restore(std::string_view bytes);

  std::size_t bytes() const;

 private:
  struct Costs {
    float over = 0;   // o(L),
    float under = 0;  // and u(L), smoothed.
  };

  void Reach(const WindowHistogram& window);
  void Insert(std::size_t at, UsageBucket bucket);
  UsageBucket Choose(std::size_t decay, const WindowHistogram& window);
  void Score(std::size_t decay, UsageBucket chosen, const WindowHistogram& window);
  void PickModel();

  const EnsembleModels& models_;
  const EnsembleWeights& weights_;
  std::vector<UsageBucket>
      places_;                // The lowest bucket, those that had a sample, and one past the last.
  std::vector<Costs> costs_;  // By decay, then by place.
  std::vector<UsageBucket> chosen_;  // L'_m, by decay; none before the first window.
  std::vector<UsageBucket> limits_;  // L_m,
  std::vector<float> history_;       // and c_m, by model.
  std::optional<UsageBucket> limit_;
  std::optional<std::uint32_t> model_;
};

}  // namespace berth

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
#include "rightsize/followed_model.h"
#include "usage/window_histogram.h"

namespace berth {

class Ensemble {
 public:
  // Both outlive it; many share them.
  Ensemble(const EnsembleModels& models, const EnsembleWeights& weights);

  // The next five minutes; what had no sample is left out.
  void Observe(const WindowHistogram& window);

  // None before the first window.
  std::optional<UsageBucket> limit() const { return followed_.limit(); }
  // Number decay * margins + margin.
  std::optional<std::uint32_t> model() const { return followed_.model(); }

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

  const EnsembleModels& models_;
  const EnsembleWeights& weights_;
  std::vector<UsageBucket>
      places_;                // The lowest bucket, those that had a sample, and one past the last.
  std::vector<Costs> costs_;  // By decay, then by place.
  FollowedModel<float> followed_;
};

}  // namespace berth

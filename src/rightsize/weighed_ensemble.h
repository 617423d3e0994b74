// The ensemble of ensemble.h, but what a limit costs goes by size. Where Eqs. 4 and 5 count the
// samples above and below it, here a sample above counts by how much of the limit it is above, and
// one below by how much of the limit it leaves. By counts alone a limit of ten times the need costs
// no more than one just above it.
//
// What is smoothed is the histogram, by rate of forgetting: the cost of every limit follows from it
// in one walk.
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

// Of memory a sample above the limit is an instance killed, however little it was too much.
enum class OverrunCost : std::uint8_t { kBySize, kByCount };

class WeighedEnsemble {
 public:
  // All three outlive it; many share them.
  WeighedEnsemble(const Buckets& buckets, const EnsembleModels& models,
                  const EnsembleWeights& weights, OverrunCost overrun_cost);

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
  void Reach(UsageBucket low, UsageBucket high);
  void Smooth(std::size_t decay, const WindowHistogram& window);
  UsageBucket Choose(std::size_t decay);
  void Score(std::size_t decay, UsageBucket chosen, const WindowHistogram& window);
  // Of samples above the limit, which have such shares and shares times bounds in all,
  double OverCost(double share, double load, double limit) const {
    return overrun_cost_ == OverrunCost::kByCount ? share : load / limit - share;
  }
  // and of those below.
  static double UnderCost(double share, double load, double limit) { return share - load / limit; }
  double BoundOf(std::size_t bucket) const {
    return static_cast<double>(buckets_.bound(static_cast<UsageBucket>(bucket)));
  }

  const Buckets& buckets_;
  const EnsembleModels& models_;
  const EnsembleWeights& weights_;
  const OverrunCost overrun_cost_;
  UsageBucket first_ = 0;      // What shares_ begin with.
  std::size_t width_ = 0;      // How many buckets they have.
  std::vector<float> shares_;  // Smoothed, by decay, then by bucket.
  FollowedModel<double> followed_;
};

}  // namespace berth

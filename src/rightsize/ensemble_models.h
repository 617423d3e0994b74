// The models of an ensemble, and what counts how much in the choice among them.
#pragma once

#include <cstddef>
#include <vector>

#include "usage/buckets.h"

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

}  // namespace berth

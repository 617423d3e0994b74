// How full a machine is once the ask is on it, by what is promised or by what is taken: what
// best_fit and worst_fit go by.
#pragma once

#include <cstdint>

#include "allocate/machine_load.h"
#include "allocate/rules/room_left.h"

namespace berth {

class Fit {
 public:
  // The options `of: limits` (with `weights`) or `of: usage`, and `weighting`.
  explicit Fit(Fields& options) : of_usage_(IsSecondWord(options, "of", "limits", "usage")) {
    if (!of_usage_) {
      weights_ = ReadWeights(options);
    } else {
      weighting_ = ReadWeighting(options);
    }
  }

  TraitSet reads() const {
    return of_usage_ ? TraitSet{Trait::kType, Trait::kRole, Trait::kLimit, Trait::kEpoch}
                     : TraitSet{Trait::kLimit};
  }

  std::uint32_t PointsFull(const Ask& ask, const Candidate& machine) const {
    if (!of_usage_) return kPointsMax - ShareLeft(ask, machine, weights_);
    if (ask.outlook == nullptr) return 0;  // Nothing is measured.
    const Resources load =
        ask.outlook->Usage(machine.index) + ask.outlook->NewcomerUsage(ask.traits);
    const LoadWeights weights = weighting_ == Weighting::kSum
                                    ? ask.outlook->WeightsIn(machine.state.cluster)
                                    : LoadWeights{};
    return LoadPoints(load, machine.state.record.capacity, weighting_, weights);
  }

 private:
  bool of_usage_;
  Weights weights_{};
  Weighting weighting_ = Weighting::kMax;
};

}  // namespace berth

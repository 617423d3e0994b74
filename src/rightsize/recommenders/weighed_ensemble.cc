// The weighed ensemble with the weights that docs/experiments/autopilot.md tells of.
#include "rightsize/recommenders/builtin.h"
#include "rightsize/recommenders/ensemble.h"

namespace berth {

std::unique_ptr<Recommender> NewWeighedEnsemble(const Sized& sized) {
  static const EnsembleWeights kCpu = {.model_decay = 0.003F,
                                       .overrun = 20,
                                       .underrun = 1,
                                       .limit_change = 0.03F,
                                       .model_change = 0.1F};
  static const EnsembleWeights kMemory = {.model_decay = 0.003F,
                                          .overrun = 100,
                                          .underrun = 1,
                                          .limit_change = 0.1F,
                                          .model_change = 0};
  return NewWeighedEnsembleOf(sized, sized.resource == Resource::kCpu ? kCpu : kMemory);
}

}  // namespace berth

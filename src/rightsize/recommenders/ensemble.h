// Both ensembles as recommenders with given weights, which outlive them: for tuning these.
#pragma once

#include <memory>

#include "rightsize/ensemble.h"
#include "rightsize/recommender.h"

namespace berth {

std::unique_ptr<Recommender> NewEnsembleOf(const Sized& sized, const EnsembleWeights& weights);
std::unique_ptr<Recommender> NewWeighedEnsembleOf(const Sized& sized,
                                                  const EnsembleWeights& weights);

}  // namespace berth

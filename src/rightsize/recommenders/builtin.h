// Declares the factory of every recommender in recommenders.def; each one's .cc includes it.
#pragma once

#include <memory>

#include "rightsize/recommender.h"

namespace berth {

#define BERTH_RECOMMENDER(file, factory, summary) \
  std::unique_ptr<Recommender> factory(const Sized& sized);
#include "rightsize/recommenders/recommenders.def"
#undef BERTH_RECOMMENDER

}  // namespace berth

// Declares the function of every model in models.def; each model's .cc includes it.
#pragma once

#include <memory>

#include "perfmodel/performance_model.h"

namespace berth {

#define BERTH_PERFORMANCE_MODEL(file, make, learning, summary) \
  std::unique_ptr<PerformanceModel> make(const ModelSettings& settings);
#include "perfmodel/models/models.def"
#undef BERTH_PERFORMANCE_MODEL

}  // namespace berth

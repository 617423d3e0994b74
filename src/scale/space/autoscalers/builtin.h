// Declares the function of every autoscaler in autoscalers.def; each one's .cc includes it.
#pragma once

#include <memory>

#include "scale/space/autoscaler_file.h"

namespace berth {

#define BERTH_AUTOSCALER(file, function, summary)                \
  Result<std::unique_ptr<Autoscaler>> function(const Node& node, \
                                               const ScaledApplication& application);
#include "scale/space/autoscalers/autoscalers.def"
#undef BERTH_AUTOSCALER

}  // namespace berth

// Declares the factory of every smoother in smoothers.def; each one's .cc includes it.
#pragma once

#include <memory>

#include "scale/smoother.h"

namespace berth {

#define BERTH_SMOOTHER(file, factory, summary) \
  std::unique_ptr<Smoother> factory(const SmoothingSettings& settings);
#include "scale/smoothers/smoothers.def"
#undef BERTH_SMOOTHER

}  // namespace berth

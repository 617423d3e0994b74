// Declares the factory of every scaler in scalers.def; each one's .cc includes it.
#pragma once

#include <memory>

#include "scale/scaler.h"

namespace berth {

#define BERTH_SCALER(file, factory, traits, summary) \
  Result<std::unique_ptr<Scaler>> factory(const ScalerBasis& basis);
#include "scale/scalers/scalers.def"
#undef BERTH_SCALER

}  // namespace berth

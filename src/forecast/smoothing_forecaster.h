// A smoothing model as a forecaster.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "forecast/ets_fit.h"
#include "forecast/forecaster.h"

namespace berth {

// The season that a smoothing model takes: the longest of at most kEtsSeasonMax, or zero for none.
std::size_t SmoothedSeason(std::span<const std::size_t> seasons);

std::unique_ptr<FittedForecaster> NewSmoothingForecaster(EtsModel model);

}  // namespace berth

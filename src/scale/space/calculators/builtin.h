// Declares the function of every calculator in calculators.def; each one's .cc includes it.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "scale/space/count_calculator.h"

namespace berth {

#define BERTH_CALCULATOR(file, function, kind, summary)                                 \
  Result<std::unique_ptr<CountCalculator>> function(const CalculatorSettings& settings, \
                                                    std::span<const std::string> metrics);
#include "scale/space/calculators/calculators.def"
#undef BERTH_CALCULATOR

}  // namespace berth

// Bands of methods that say nothing of their errors: as far as values held out were from what was
// foreseen of them.
#pragma once

#include <span>
#include <vector>

#include "forecast/forecaster.h"

namespace berth {

// At each level the same distance everywhere: that within which so large a share of the errors is,
// counting one more that is beyond all (conformal prediction: Vovk, Gammerman and Shafer 2005).
Forecast WithErrorBands(std::vector<double> mean, std::span<const double> errors,
                        std::span<const double> levels);

}  // namespace berth

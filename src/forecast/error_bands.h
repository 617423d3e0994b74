// Bands of methods that say nothing of their errors: as far as values held out were from what was
// foreseen of them.
#pragma once

#include <span>
#include <vector>

#include "forecast/forecaster.h"

namespace berth {

// The errors of what was fitted are usually the smaller ones. Where the end of a series was a quiet
// one they are not, and the bands are as far as they are.
struct SeenErrors {
  std::vector<double> held_out{};
  std::vector<double> fitted{};
};

// The distance within which such a share of the errors is, counting one more that is beyond all
// (conformal prediction: Vovk, Gammerman and Shafer 2005). Of so few errors that this would be the
// one beyond all, the farthest, and at least what one more normal error of their mean square stays
// within (ReachOfFew). Zero of none.
double ReachOf(std::span<const double> errors, double level);

// Student's t of as many degrees as errors; zero where there are enough for the level.
double ReachOfFew(std::span<const double> errors, double level);

// At each level the same distance everywhere.
Forecast WithErrorBands(std::vector<double> mean, const SeenErrors& errors,
                        std::span<const double> levels);

}  // namespace berth

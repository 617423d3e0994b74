#include "rightsize/ensemble_models.h"

#include <cmath>

namespace berth {
namespace {

// What the newest window counts if half is forgotten after so many hours.
float Decay(double hours) {
  constexpr double kWindowsAnHour = 12;
  return static_cast<float>(1 - std::exp2(-1 / (hours * kWindowsAnHour)));
}

}  // namespace

EnsembleModels EnsembleModels::Usual() {
  EnsembleModels models;
  for (const double hours : {2.0, 8.0, 24.0, 84.0, 336.0}) models.decays.push_back(Decay(hours));
  for (UsageBucket margin = 0; margin < 20; ++margin) models.margins.push_back(margin);
  return models;
}

EnsembleModels EnsembleModels::Wide() {
  EnsembleModels models;
  for (const double hours : {12.0, 24.0, 48.0, 168.0, 336.0}) models.decays.push_back(Decay(hours));
  for (UsageBucket margin = 0; margin < 40; margin += 2) models.margins.push_back(margin);
  return models;
}

}  // namespace berth

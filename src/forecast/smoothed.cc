#include "forecast/smoothed.h"

#include <utility>

namespace berth {

std::vector<double> SmoothedBy(EtsModel model, std::span<const double> values) {
  std::vector<double> smoothed;
  smoothed.reserve(values.size());
  for (const double value : values) {
    const std::size_t phase = model.state.phase;
    model.Update(value);
    const bool seasonal = model.form.season != EtsSeason::kNone;
    smoothed.push_back(model.state.level + (seasonal ? model.state.season[phase] : 0));
  }
  return smoothed;
}

std::vector<double> SmoothedBy(const EtsForm& form, std::span<const double> values,
                               std::size_t period) {
  EtsFitted fitted = FitEts(values, form, period);
  fitted.model.state = fitted.start;
  return SmoothedBy(std::move(fitted.model), values);
}

}  // namespace berth

// Values drawn from a smoothing model.
#pragma once

#include <cstddef>
#include <vector>

#include "berth/rng.h"
#include "forecast/ets.h"

namespace berth {

inline std::vector<double> Drawn(EtsModel model, double deviation, std::size_t count, Rng& rng) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) {
    const double error = deviation * rng.Normal();
    const double expected = model.Next();
    values.push_back(model.form.error == EtsError::kAdditive ? expected + error
                                                             : expected * (1 + error));
    model.Update(values.back());
  }
  return values;
}

}  // namespace berth

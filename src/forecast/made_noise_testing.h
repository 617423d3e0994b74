// Draws that testdata/forecast/reference_variance.R makes too.
#pragma once

#include <cstdint>

namespace berth {

class MadeNoise {
 public:
  // Nearly normal: twelve uniform draws.
  double operator()() {
    double sum = -6;
    for (int i = 0; i < 12; ++i) {
      state_ = 16807 * state_ % 2147483647;
      sum += static_cast<double>(state_) / 2147483647;
    }
    return sum;
  }

 private:
  std::int64_t state_ = 12345;
};

}  // namespace berth

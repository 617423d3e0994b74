// The series that testdata/forecast/reference*.R and reference_vectors.py make too: a season of
// twelve, a slope, and noise that lingers.
#pragma once

#include <cstdint>
#include <vector>

namespace berth {

inline std::vector<double> ReferenceSeries() {
  std::uint64_t state = 12345;
  double wander = 0;
  std::vector<double> values;
  for (int i = 0; i < 240; ++i) {
    state = 16807 * state % 2147483647;
    wander = 0.7 * wander + static_cast<double>(state) / 2147483647 - 0.5;
    values.push_back(50 + 10 * (i % 12) + 0.02 * i + 8 * wander);
  }
  return values;
}

}  // namespace berth

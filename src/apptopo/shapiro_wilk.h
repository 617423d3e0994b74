// The Shapiro-Wilk test of normality, as Royston (1995, algorithm AS R94) computes it and R does.
#pragma once

#include <cstddef>
#include <vector>

namespace berth {

inline constexpr std::size_t kShapiroWilkMin = 6;
inline constexpr std::size_t kShapiroWilkMax = 5'000;

struct ShapiroWilk {
  double w = 0;
  double p = 0;  // That normal values give a W as low as this.
};

// Between kShapiroWilkMin and kShapiroWilkMax values, not all the same.
ShapiroWilk TestNormality(std::vector<double> values);

}  // namespace berth

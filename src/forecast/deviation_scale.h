// Values about their average in units of their deviation, as what learns by small steps wants them.
#pragma once

#include <span>
#include <vector>

namespace berth {

struct DeviationScale {
  double centre = 0;
  double unit = 1;  // Of values that are all alike: one.

  // At least one value.
  static DeviationScale Of(std::span<const double> values);

  double Scaled(double value) const { return (value - centre) / unit; }
  std::vector<double> Scaled(std::span<const double> values) const;
  double Back(double scaled) const { return centre + unit * scaled; }
};

}  // namespace berth

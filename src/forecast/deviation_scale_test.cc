#include "forecast/deviation_scale.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(DeviationScale, ByHand) {
  // The squares about 4 are 9 + 1 + 1 + 9, a mean of 5.
  const std::vector<double> values = {1, 3, 5, 7};
  const DeviationScale scale = DeviationScale::Of(values);
  EXPECT_DOUBLE_EQ(scale.centre, 4);
  EXPECT_DOUBLE_EQ(scale.unit * scale.unit, 5);
  const std::vector<double> scaled = scale.Scaled(values);
  EXPECT_DOUBLE_EQ(scaled[3], 3 / scale.unit);
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_DOUBLE_EQ(scale.Back(scaled[i]), values[i]);
  }
}

TEST(DeviationScale, ValuesAllAlikeAreZero) {
  const std::vector<double> values = {7, 7, 7};
  EXPECT_EQ(DeviationScale::Of(values).Scaled(values), (std::vector<double>{0, 0, 0}));
}

}  // namespace
}  // namespace berth

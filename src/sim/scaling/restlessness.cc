#include "sim/scaling/restlessness.h"

#include <algorithm>
#include <cmath>

#include "berth/check.h"

namespace berth {
namespace {

constexpr double kSwing = 1.2;

std::vector<double> DayMeans(const std::vector<ScalingStep>& steps) {
  std::vector<double> sums;
  std::vector<double> counts;
  for (const ScalingStep& step : steps) {
    const auto day =
        static_cast<std::size_t>((step.at - steps.front().at) / std::chrono::hours(24));
    sums.resize(day + 1);
    counts.resize(day + 1);
    sums[day] += step.replicas;
    ++counts[day];
  }
  std::vector<double> means;
  for (std::size_t day = 1; day < sums.size(); ++day) {
    if (counts[day] > 0) means.push_back(sums[day] / counts[day]);
  }
  return means;
}

}  // namespace

std::uint32_t Turns(std::span<const double> values) {
  if (values.empty()) return 0;
  std::uint32_t turns = 0;
  int direction = 0;  // 1: up, -1: down, 0: not known yet.
  double high = values.front();
  double low = values.front();
  for (const double value : values) {
    high = std::max(high, value);
    low = std::min(low, value);
    if (direction <= 0 && value > low * kSwing) {
      turns += direction < 0 ? 1U : 0U;
      direction = 1;
      high = value;
    } else if (direction >= 0 && value * kSwing < high) {
      turns += direction > 0 ? 1U : 0U;
      direction = -1;
      low = value;
    }
  }
  return turns;
}

Restlessness CompareCounts(const std::vector<ScalingStep>& both,
                           const std::vector<ScalingStep>& alone) {
  const std::vector<double> with = DayMeans(both);
  const std::vector<double> without = DayMeans(alone);
  BERTH_CHECK(with.size() == without.size());
  std::vector<double> ratios;
  ratios.reserve(with.size());
  for (std::size_t i = 0; i < with.size(); ++i) {
    ratios.push_back(with[i] / std::max(without[i], 1.0));
  }
  Restlessness found;
  if (ratios.empty()) return found;
  found.least = std::ranges::min(ratios);
  found.most = std::ranges::max(ratios);
  found.turns = Turns(ratios);
  return found;
}

}  // namespace berth

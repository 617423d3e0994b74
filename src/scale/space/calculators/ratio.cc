#include <fmt/format.h>

#include <algorithm>

#include "scale/space/calculators/builtin.h"

namespace berth {
namespace {

class RatioCalculator final : public CountCalculator {
 public:
  RatioCalculator(std::string metric, std::size_t index, double target)
      : metric_(std::move(metric)), index_(index), target_(target) {}

  double Count(const CountMoment& moment) const override {
    return std::max(0.0, moment.metrics[index_] / target_ * moment.instances);
  }
  std::string Why(const CountMoment& moment) const override {
    return fmt::format("{} {:.3g} of {}, {:.3g} aimed at", metric_, moment.metrics[index_],
                       moment.instances, target_);
  }

 private:
  std::string metric_;
  std::size_t index_;
  double target_;
};

}  // namespace

Result<std::unique_ptr<CountCalculator>> NewRatioCalculator(const CalculatorSettings& settings,
                                                            std::span<const std::string> metrics) {
  BERTH_TRY(const std::size_t index, IndexOfMetric(settings.metric, metrics));
  return std::unique_ptr<CountCalculator>(
      std::make_unique<RatioCalculator>(settings.metric, index, settings.target));
}

}  // namespace berth

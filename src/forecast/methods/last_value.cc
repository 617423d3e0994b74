#include <cmath>

#include "forecast/methods/builtin.h"
#include "forecast/normal_forecast.h"

namespace berth {
namespace {

// A random walk without drift: errors grow with the square root of the distance.
class LastValue final : public FittedForecaster {
 public:
  explicit LastValue(std::span<const double> values) : last_(values.front()) {
    for (const double value : values.subspan(1)) Take(value);
  }

  Forecast Predict(std::size_t horizon, std::span<const double> levels, Rng) const override {
    const double variance = changes_ == 0 ? 0 : squares_ / static_cast<double>(changes_);
    std::vector<double> deviations;
    for (std::size_t h = 1; h <= horizon; ++h) {
      deviations.push_back(std::sqrt(variance * static_cast<double>(h)));
    }
    return NormalForecast(std::vector<double>(horizon, last_), deviations, levels);
  }

  void Update(double value) override { Take(value); }
  std::string description() const override { return "last value"; }

 private:
  void Take(double value) {
    squares_ += (value - last_) * (value - last_);
    ++changes_;
    last_ = value;
  }

  double last_;
  double squares_ = 0;  // Of the changes from one point to the next.
  std::size_t changes_ = 0;
};

}  // namespace

Result<std::unique_ptr<FittedForecaster>> FitLastValue(const FitInput& input) {
  return std::unique_ptr<FittedForecaster>(std::make_unique<LastValue>(input.values));
}

}  // namespace berth

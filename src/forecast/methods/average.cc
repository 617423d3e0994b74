#include <cmath>

#include "forecast/methods/builtin.h"
#include "forecast/normal_forecast.h"

namespace berth {
namespace {

class Average final : public FittedForecaster {
 public:
  explicit Average(std::span<const double> values) {
    for (const double value : values) Take(value);
  }

  // Of the error one part is the value's own, one that of the average of so many.
  Forecast Predict(std::size_t horizon, std::span<const double> levels, Rng) const override {
    const auto n = static_cast<double>(points_);
    const double deviation = std::sqrt(squares_ / (n - 1) * (1 + 1 / n));
    return NormalForecast(std::vector<double>(horizon, mean_),
                          std::vector<double>(horizon, deviation), levels);
  }

  void Update(double value) override { Take(value); }
  std::string description() const override { return "average"; }

 private:
  // Welford's way: no difference of large sums.
  void Take(double value) {
    ++points_;
    const double before = value - mean_;
    mean_ += before / static_cast<double>(points_);
    squares_ += before * (value - mean_);
  }

  std::size_t points_ = 0;
  double mean_ = 0;
  double squares_ = 0;  // Of the distances from the average.
};

}  // namespace

Result<std::unique_ptr<FittedForecaster>> FitAverage(const FitInput& input) {
  return std::unique_ptr<FittedForecaster>(std::make_unique<Average>(input.values));
}

}  // namespace berth

#include "forecast/outlier_forecaster.h"

#include <fmt/format.h>

#include <utility>

#include "base/text.h"
#include "forecast/outliers.h"

namespace berth {
namespace {

class WithoutItsOutliers final : public FittedForecaster {
 public:
  WithoutItsOutliers(std::unique_ptr<FittedForecaster> method, std::size_t outliers)
      : method_(std::move(method)), outliers_(outliers) {}

  Forecast Predict(std::size_t horizon, std::span<const double> levels, Rng rng) const override {
    return method_->Predict(horizon, levels, rng);
  }
  void Update(double value) override { method_->Update(value); }
  std::string description() const override {
    return fmt::format("{}, without {}", method_->description(), Plural(outliers_, "outlier"));
  }
  std::string reason() const override { return method_->reason(); }
  std::vector<std::string> notes() const override { return method_->notes(); }
  std::vector<std::size_t> seasons() const override { return method_->seasons(); }

 private:
  std::unique_ptr<FittedForecaster> method_;
  std::size_t outliers_;
};

}  // namespace

Result<std::unique_ptr<FittedForecaster>> FitWithoutOutliers(FitFunction fit,
                                                             const FitInput& input) {
  const std::size_t outliers = OutliersOf(input.values, input.seasons).size();
  const std::vector<double> kept = WithoutOutliers(input.values, input.seasons);
  BERTH_TRY(auto fitted, fit({.values = kept, .seasons = input.seasons, .rng = input.rng}));
  return std::unique_ptr<FittedForecaster>(
      std::make_unique<WithoutItsOutliers>(std::move(fitted), outliers));
}

}  // namespace berth

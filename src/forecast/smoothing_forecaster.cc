#include "forecast/smoothing_forecaster.h"

#include <fmt/format.h>

#include <utility>

#include "forecast/normal_forecast.h"

namespace berth {
namespace {

class SmoothingForecaster final : public FittedForecaster {
 public:
  explicit SmoothingForecaster(EtsModel model) : model_(std::move(model)) {}

  Forecast Predict(std::size_t horizon, std::span<const double> levels, Rng) const override {
    return NormalForecast(model_.Means(horizon), model_.Deviations(horizon), levels);
  }

  void Update(double value) override { model_.Update(value); }

  std::string description() const override {
    std::string form = ToString(model_.form);
    if (model_.form.season == EtsSeason::kNone) return form;
    return fmt::format("{}, season {}", form, model_.state.season.size());
  }

 private:
  EtsModel model_;
};

}  // namespace

std::size_t SmoothedSeason(std::span<const std::size_t> seasons) {
  std::size_t longest = 0;
  for (const std::size_t season : seasons) {
    if (season <= kEtsSeasonMax) longest = season;
  }
  return longest;
}

std::unique_ptr<FittedForecaster> NewSmoothingForecaster(EtsModel model) {
  return std::make_unique<SmoothingForecaster>(std::move(model));
}

}  // namespace berth

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.h"
#include "forecast/deviation_scale.h"
#include "forecast/error_bands.h"
#include "forecast/lags.h"
#include "forecast/methods/builtin.h"
#include "forecast/season_use.h"
#include "forecast/support_vectors.h"

namespace berth {
namespace {

// What comes next follows from the lags.
class SupportVectorMethod final : public FittedForecaster {
 public:
  explicit SupportVectorMethod(const FitInput& input) {
    const std::span<const double> latest =
        input.values.last(std::min(input.values.size(), kLatestLookedAt));
    scale_ = DeviationScale::Of(latest);
    const std::vector<double> values = scale_.Scaled(latest);
    lags_ = LagsFor(values.size(), input.seasons);
    HoldOutLastQuarter(values);
    vectors_.emplace(FittedTo(values));
    NoteFitted(values);
    latest_.assign(values.end() - static_cast<std::ptrdiff_t>(std::ranges::max(lags_)),
                   values.end());
  }

  Forecast Predict(std::size_t horizon, std::span<const double> levels, Rng) const override {
    std::vector<double> mean = Path(*vectors_, latest_, horizon);
    for (double& value : mean) value = scale_.Back(value);
    return WithErrorBands(std::move(mean), errors_, levels);
  }

  void Update(double value) override {
    latest_.push_back(scale_.Scaled(value));
    latest_.erase(latest_.begin());
  }

  std::string description() const override {
    return fmt::format("{} of the lags {}", Plural(vectors_->count(), "vector"),
                       fmt::join(lags_, ", "));
  }

 private:
  std::vector<double> RowBefore(std::span<const double> values, std::size_t at) const {
    std::vector<double> row;
    row.reserve(lags_.size());
    for (const std::size_t lag : lags_) row.push_back(values[at - lag]);
    return row;
  }

  SupportVectors FittedTo(std::span<const double> values) const {
    const std::size_t longest = std::ranges::max(lags_);
    std::vector<std::vector<double>> rows;
    rows.reserve(values.size() - longest);
    for (std::size_t at = longest; at < values.size(); ++at) rows.push_back(RowBefore(values, at));
    return {rows, values.subspan(longest), {.gamma = 1 / static_cast<double>(lags_.size())}};
  }

  std::vector<double> Path(const SupportVectors& vectors, std::span<const double> before,
                           std::size_t horizon) const {
    std::vector<double> path(before.begin(), before.end());
    path.reserve(before.size() + horizon);
    for (std::size_t h = 0; h < horizon; ++h) path.push_back(vectors(RowBefore(path, path.size())));
    return {path.end() - static_cast<std::ptrdiff_t>(horizon), path.end()};
  }

  // Foreseen at one go from the values before it, as a forecast is.
  void HoldOutLastQuarter(std::span<const double> values) {
    const std::size_t longest = std::ranges::max(lags_);
    const std::size_t known =
        std::max(longest + 1, values.size() - std::max<std::size_t>(1, values.size() / 4));
    const std::span<const double> before = values.first(known);
    const std::vector<double> foreseen = Path(FittedTo(before), before, values.size() - known);
    for (std::size_t i = 0; i < foreseen.size(); ++i) {
      errors_.held_out.push_back(scale_.unit * (values[known + i] - foreseen[i]));
    }
  }

  void NoteFitted(std::span<const double> values) {
    for (std::size_t at = std::ranges::max(lags_); at < values.size(); ++at) {
      const double error = values[at] - (*vectors_)(RowBefore(values, at));
      errors_.fitted.push_back(scale_.unit * error);
    }
  }

  DeviationScale scale_;
  std::vector<std::size_t> lags_;
  std::vector<double> latest_;  // As far back as the longest lag.
  SeenErrors errors_;
  std::optional<SupportVectors> vectors_;
};

}  // namespace

Result<std::unique_ptr<FittedForecaster>> FitSupportVector(const FitInput& input) {
  return std::unique_ptr<FittedForecaster>(std::make_unique<SupportVectorMethod>(input));
}

}  // namespace berth

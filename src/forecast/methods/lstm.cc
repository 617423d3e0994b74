#include "forecast/lstm.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "forecast/deviation_scale.h"
#include "forecast/error_bands.h"
#include "forecast/methods/builtin.h"
#include "forecast/season_use.h"

namespace berth {
namespace {

constexpr std::size_t kLstmUnits = 8;
constexpr std::size_t kTrainedWindow = 48;  // Points that a step of training looks at.
constexpr std::size_t kLstmTrainings = 150;

// A value follows from the one before it,
// the one of a season ago, and what the network remembers.
class LstmMethod final : public FittedForecaster {
 public:
  explicit LstmMethod(const FitInput& input) {
    const std::span<const double> latest =
        input.values.last(std::min(input.values.size(), kLatestLookedAt));
    scale_ = DeviationScale::Of(latest);
    const std::vector<double> values = scale_.Scaled(latest);
    // The longest of which two are left to train with when the last quarter is held out.
    for (const std::size_t season : input.seasons) {
      if (3 * season <= values.size()) season_ = season;
    }
    HoldOutLastQuarter(values, input.rng.Fork("held out"));
    network_.emplace(Trained(values, input.rng.Fork("all")));
    NoteFitted(values);
    const std::size_t kept = std::min(values.size(), season_ + kTrainedWindow);
    latest_.assign(values.end() - static_cast<std::ptrdiff_t>(kept), values.end());
  }

  Forecast Predict(std::size_t horizon, std::span<const double> levels, Rng) const override {
    std::vector<double> mean = Path(*network_, latest_, horizon);
    for (double& value : mean) value = scale_.Back(value);
    return WithErrorBands(std::move(mean), errors_, levels);
  }

  // The weights stay, and remember the latest points from an empty start, as in training.
  void Update(double value) override {
    latest_.push_back(scale_.Scaled(value));
    if (latest_.size() > season_ + kTrainedWindow) latest_.erase(latest_.begin());
  }

  std::string description() const override {
    return fmt::format("{} units, the value before and the one {} points ago", kLstmUnits, season_);
  }

 private:
  std::vector<double> InputFor(std::span<const double> values, std::size_t at) const {
    return {values[at - 1], values[at - season_]};
  }

  LstmNetwork Trained(std::span<const double> values, const Rng& rng) const {
    LstmNetwork network(2, kLstmUnits, rng.Fork("weights"));
    std::vector<std::vector<double>> inputs;
    inputs.reserve(values.size() - season_);
    for (std::size_t at = season_; at < values.size(); ++at) inputs.push_back(InputFor(values, at));
    const std::span<const double> targets = values.subspan(season_);
    const std::size_t window = std::min(kTrainedWindow, inputs.size());
    AdamSteps adam(network.parameters().size());
    std::vector<double> slopes;
    Rng places = rng.Fork("places");
    for (std::size_t i = 0; i < kLstmTrainings; ++i) {
      const std::size_t begin = places.Below(inputs.size() - window + 1);
      network.Loss(std::span(inputs).subspan(begin, window), targets.subspan(begin, window),
                   slopes);
      adam.Step(network.parameters(), slopes);
    }
    return network;
  }

  std::vector<double> Path(const LstmNetwork& network, std::span<const double> before,
                           std::size_t horizon) const {
    std::vector<double> path(before.begin(), before.end());
    path.reserve(before.size() + horizon);
    LstmState state = network.Start();
    const std::size_t begin =
        std::max(season_, before.size() - std::min(before.size(), kTrainedWindow));
    for (std::size_t at = begin; at < before.size(); ++at) network.Step(state, InputFor(path, at));
    for (std::size_t h = 0; h < horizon; ++h) {
      path.push_back(network.Step(state, InputFor(path, path.size())));
    }
    return {path.end() - static_cast<std::ptrdiff_t>(horizon), path.end()};
  }

  // Foreseen at one go from the values before it, as a forecast is.
  void HoldOutLastQuarter(std::span<const double> values, const Rng& rng) {
    const std::size_t known = values.size() - std::max<std::size_t>(1, values.size() / 4);
    const std::span<const double> before = values.first(known);
    const std::vector<double> foreseen = Path(Trained(before, rng), before, values.size() - known);
    for (std::size_t i = 0; i < foreseen.size(); ++i) {
      errors_.held_out.push_back(scale_.unit * (values[known + i] - foreseen[i]));
    }
  }

  void NoteFitted(std::span<const double> values) {
    LstmState state = network_->Start();
    for (std::size_t at = season_; at < values.size(); ++at) {
      const double error = values[at] - network_->Step(state, InputFor(values, at));
      errors_.fitted.push_back(scale_.unit * error);
    }
  }

  DeviationScale scale_;
  std::size_t season_ = 1;
  std::vector<double> latest_;  // A season, and what the network remembers.
  SeenErrors errors_;
  std::optional<LstmNetwork> network_;
};

}  // namespace

Result<std::unique_ptr<FittedForecaster>> FitLstm(const FitInput& input) {
  return std::unique_ptr<FittedForecaster>(std::make_unique<LstmMethod>(input));
}

}  // namespace berth

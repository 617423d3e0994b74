#include <fmt/format.h>

#include <utility>

#include "forecast/candidates.h"
#include "forecast/methods/builtin.h"

namespace berth {
namespace {

class Ensemble final : public FittedForecaster {
 public:
  explicit Ensemble(std::vector<ScoredCandidate> candidates)
      : candidates_(std::move(candidates)), weights_(WeightsOf(candidates_)) {}

  Forecast Predict(std::size_t horizon, std::span<const double> levels, Rng rng) const override {
    std::vector<Forecast> forecasts;
    for (const ScoredCandidate& one : candidates_) {
      forecasts.push_back(one.fitted->Predict(horizon, levels, rng.Fork(one.method)));
    }
    return Weighed(forecasts, weights_);
  }

  void Update(double) override {}

  std::string description() const override {
    std::string text;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      text +=
          fmt::format("{}{:.0f}% {}", i == 0 ? "" : ", ", 100 * weights_[i], candidates_[i].method);
    }
    return text;
  }

 private:
  std::vector<ScoredCandidate> candidates_;
  std::vector<double> weights_;
};

}  // namespace

Result<std::unique_ptr<FittedForecaster>> FitEnsemble(const FitInput& input) {
  BERTH_TRY(std::vector<ScoredCandidate> candidates, FitCandidates(input));
  return std::unique_ptr<FittedForecaster>(std::make_unique<Ensemble>(std::move(candidates)));
}

}  // namespace berth

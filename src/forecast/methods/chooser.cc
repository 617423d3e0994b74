#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text.h"
#include "forecast/candidates.h"
#include "forecast/choice.h"
#include "forecast/methods/builtin.h"

namespace berth {
namespace {

class Chooser final : public FittedForecaster {
 public:
  Chooser(Candidates candidates, Choice choice)
      : candidates_(std::move(candidates)), choice_(std::move(choice)) {}

  Forecast Predict(std::size_t horizon, std::span<const double> levels, Rng rng) const override {
    Forecast forecast = PredictWeighed(candidates_, choice_.weights, horizon, levels, rng);
    StretchBands(forecast, choice_.stretch);
    return forecast;
  }

  void Update(double) override {}

  std::string description() const override {
    if (!choice_.single) return WeightsInWords(candidates_, choice_.weights);
    const ScoredCandidate& one = candidates_.scored[*choice_.single];
    return fmt::format("{}: {}", one.method, one.fitted->description());
  }

  std::string reason() const override {
    std::string text =
        fmt::format("on the last {} the interval score of ", Plural(candidates_.held_out, "point"));
    const auto weighed = fmt::format("all, weighted, is {:.4g}", choice_.mix_score);
    if (!choice_.single) {
      text += fmt::format("{}, and that of none alone below {:.0f}% of it", weighed,
                          100 * kDecisiveShare);
    } else {
      const ScoredCandidate& one = candidates_.scored[*choice_.single];
      text += fmt::format("{} is {:.4g}, and that of {}", one.method, one.interval_score, weighed);
    }
    for (std::size_t i = 0; i < candidates_.scored.size(); ++i) {
      const ScoredCandidate& other = candidates_.scored[i];
      if (choice_.single == i) continue;
      text += fmt::format(", {} {:.4g}", other.method, other.interval_score);
    }
    return text;
  }

 private:
  Candidates candidates_;
  Choice choice_;
};

}  // namespace

Result<std::unique_ptr<FittedForecaster>> FitChooser(const FitInput& input) {
  BERTH_TRY(Candidates candidates, FitCandidates(input));
  Choice choice = ChooseAmong(candidates, input.values.last(candidates.held_out));
  return std::unique_ptr<FittedForecaster>(
      std::make_unique<Chooser>(std::move(candidates), std::move(choice)));
}

}  // namespace berth

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/text.h"
#include "forecast/candidates.h"
#include "forecast/choice.h"
#include "forecast/methods/builtin.h"
#include "forecast/telling_points.h"

namespace berth {
namespace {

class Chooser final : public FittedForecaster {
 public:
  // `notes` are of what the candidates were fitted to.
  Chooser(Candidates candidates, Choice choice, std::vector<std::string> notes)
      : candidates_(std::move(candidates)), choice_(std::move(choice)), notes_(std::move(notes)) {
    std::ranges::copy(candidates_.not_tried, std::back_inserter(notes_));
    SeasonUse use = SeasonUseOf(candidates_, choice_.weights);
    std::ranges::move(use.notes, std::back_inserter(notes_));
    seasons_ = std::move(use.used);
  }

  Forecast Predict(std::size_t horizon, std::span<const double> levels, Rng rng) const override {
    Forecast forecast = PredictWeighed(candidates_, choice_.weights, horizon, levels, rng);
    StretchBands(forecast, choice_.stretch);
    return forecast;
  }

  void Update(double value) override { UpdateWeighed(candidates_, choice_.weights, value); }

  std::string description() const override {
    if (!choice_.single) return WeightsInWords(candidates_, choice_.weights);
    const ScoredCandidate& one = candidates_.scored[*choice_.single];
    return fmt::format("{}: {}", one.method, one.fitted->description());
  }

  std::vector<std::string> notes() const override { return notes_; }
  std::vector<std::size_t> seasons() const override { return seasons_; }

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
  std::vector<std::string> notes_;
  std::vector<std::size_t> seasons_;
};

// What the points since a shift, fewer than the series has, hold no two of.
std::vector<std::size_t> SeasonsSinceShift(const FitInput& input, TellingPoints& telling) {
  std::vector<std::size_t> held;
  std::vector<std::size_t> others;
  for (const std::size_t season : input.seasons) {
    (2 * season <= telling.values.size() ? held : others).push_back(season);
  }
  if (!others.empty()) {
    telling.notes.push_back(NoSeasonsOf(others, "since the shift there are less than two"));
  }
  return held;
}

}  // namespace

Result<std::unique_ptr<FittedForecaster>> FitChooser(const FitInput& input) {
  TellingPoints telling = TellingPointsOf(input.values, input.seasons);
  const std::vector<std::size_t> seasons = SeasonsSinceShift(input, telling);
  const std::span<const double> values = telling.values;
  BERTH_TRY(Candidates candidates,
            FitCandidates({.values = values, .seasons = seasons, .rng = input.rng}));
  Choice choice = ChooseAmong(candidates, values.last(candidates.held_out));
  return std::unique_ptr<FittedForecaster>(std::make_unique<Chooser>(
      std::move(candidates), std::move(choice), std::move(telling.notes)));
}

}  // namespace berth

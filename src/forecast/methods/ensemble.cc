#include <algorithm>
#include <iterator>
#include <utility>

#include "forecast/candidates.h"
#include "forecast/methods/builtin.h"

namespace berth {
namespace {

std::vector<double> EnsembleWeights(const Candidates& candidates) {
  std::vector<double> scores;
  scores.reserve(candidates.scored.size());
  for (const ScoredCandidate& one : candidates.scored) scores.push_back(one.interval_score);
  return WeightsOf(scores);
}

class Ensemble final : public FittedForecaster {
 public:
  explicit Ensemble(Candidates candidates)
      : candidates_(std::move(candidates)), weights_(EnsembleWeights(candidates_)) {}

  Forecast Predict(std::size_t horizon, std::span<const double> levels, Rng rng) const override {
    return PredictWeighed(candidates_, weights_, horizon, levels, rng);
  }

  void Update(double value) override { UpdateWeighed(candidates_, weights_, value); }
  std::string description() const override { return WeightsInWords(candidates_, weights_); }
  std::vector<std::string> notes() const override {
    std::vector<std::string> notes = candidates_.not_tried;
    std::ranges::move(SeasonUseOf(candidates_, weights_).notes, std::back_inserter(notes));
    return notes;
  }
  std::vector<std::size_t> seasons() const override {
    return SeasonUseOf(candidates_, weights_).used;
  }

 private:
  Candidates candidates_;
  std::vector<double> weights_;
};

}  // namespace

Result<std::unique_ptr<FittedForecaster>> FitEnsemble(const FitInput& input) {
  BERTH_TRY(Candidates candidates, FitCandidates(input));
  return std::unique_ptr<FittedForecaster>(std::make_unique<Ensemble>(std::move(candidates)));
}

}  // namespace berth

// Learns online what performance comes of instances and metrics (Eq. 7.8 of the thesis on
// predictive autoscaling), and looks for the fewest instances that keep it within its bound. While
// its last prediction did not pass the gate, or nothing was measured yet, the fallback counts.
#include <fmt/format.h>

#include <limits>
#include <utility>

#include "scale/space/calculators/builtin.h"

namespace berth {
namespace {

class LearningCalculator final : public CountCalculator {
 public:
  LearningCalculator(CalculatorSettings settings, std::unique_ptr<PerformanceModel> model,
                     std::unique_ptr<CountCalculator> fallback)
      : settings_(std::move(settings)),
        model_(std::move(model), 1, settings_.gate),
        fallback_(std::move(fallback)) {}

  void Observe(const CountMoment& measured, std::optional<double> performance) override {
    learned_.reset();
    if (!performance || measured.instances == 0) return;
    const double target = *performance;
    const std::vector<double> expected =
        model_.Observe(FeaturesOf(measured, measured.instances), std::span(&target, 1));
    learned_ =
        LearnedPair{.expected = expected.front(), .observed = target, .passed = model_.open(0)};
  }

  double Count(const CountMoment& moment) const override {
    if (!model_.open(0)) return fallback_->Count(moment);
    return Fewest(moment);
  }

  std::string Why(const CountMoment& moment) const override {
    if (!model_.open(0)) return fmt::format("{} (not learned yet)", fallback_->Why(moment));
    const std::uint32_t count = Fewest(moment);
    return fmt::format("{} {:.3g} expected of {}, at most {:.3g} wanted", settings_.performance,
                       Expected(moment, count), count, settings_.at_most);
  }

  std::optional<LearnedPair> last_learned() const override { return learned_; }
  std::string Save() const override { return model_.model().Save(); }
  Status Restore(std::string_view bytes) override { return model_.Restore(bytes); }

 private:
  static std::vector<double> FeaturesOf(const CountMoment& moment, std::uint32_t instances) {
    std::vector<double> features;
    features.reserve(1 + moment.metrics.size());
    features.push_back(instances);
    features.insert(features.end(), moment.metrics.begin(), moment.metrics.end());
    return features;
  }

  double Expected(const CountMoment& moment, std::uint32_t instances) const {
    double expected = 0;
    model_.model().Predict(FeaturesOf(moment, instances), std::span(&expected, 1));
    return expected;
  }

  // What is learned need not fall with the instances, so all are tried, the fewest first. If none
  // is good enough, the one that is expected to do best.
  std::uint32_t Fewest(const CountMoment& moment) const {
    std::uint32_t best = settings_.search.min;
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t n = settings_.search.min; n <= settings_.search.max; ++n) {
      const double expected = Expected(moment, n);
      if (expected <= settings_.at_most) return n;
      if (expected >= least) continue;
      least = expected;
      best = n;
    }
    return best;
  }

  CalculatorSettings settings_;
  GatedModel model_;
  std::optional<LearnedPair> learned_;
  std::unique_ptr<CountCalculator> fallback_;
};

}  // namespace

Result<std::unique_ptr<CountCalculator>> NewLearningCalculator(
    const CalculatorSettings& settings, std::span<const std::string> metrics) {
  BERTH_TRY(const CalculatorEntry* fallback, FindCountCalculator(settings.fallback));
  if (fallback->kind == CalculatorKind::kLearns) {
    return Status(Code::kInvalidArgument,
                  fmt::format("{} learns, and cannot be the fallback", fallback->name));
  }
  BERTH_TRY(const ModelEntry* model, FindPerformanceModel(settings.model));
  if (model->learning != ModelLearning::kOnline) {
    return Status(Code::kInvalidArgument,
                  fmt::format("{} does not learn row by row; take sgd, passive_aggressive or "
                              "network",
                              model->name));
  }
  BERTH_TRY(auto rule, fallback->make(settings, metrics));
  return std::unique_ptr<CountCalculator>(std::make_unique<LearningCalculator>(
      settings, model->make({.features = 1 + metrics.size(), .targets = 1, .seed = settings.seed}),
      std::move(rule)));
}

}  // namespace berth

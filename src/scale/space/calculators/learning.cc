// Learns online what performance comes of instances and metrics (Eq. 7.8 of the thesis on
// predictive autoscaling), and looks for the fewest instances that keep it within its bound. While
// its last prediction did not pass the gate, or nothing was measured yet, the fallback counts.
//
// The logarithm of the performance is what is learned: to be off by so many percent then counts as
// much where answers take a tenth of a second as where they take ten, as it does at the gate.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "berth/check.h"
#include "scale/space/calculators/builtin.h"

namespace berth {
namespace {

// What is less counts as that, and what would be expected beyond its inverse as the inverse.
constexpr double kLeastPerformance = 1e-9;

// What is saved begins with one of these.
constexpr char kKnows = 'k';
constexpr char kKnowsNothing = 'n';

class LearningCalculator final : public CountCalculator {
 public:
  LearningCalculator(CalculatorSettings settings, std::unique_ptr<PerformanceModel> model,
                     std::unique_ptr<CountCalculator> fallback)
      : settings_(std::move(settings)), model_(std::move(model)), fallback_(std::move(fallback)) {}

  void Observe(const CountMoment& measured, std::optional<double> performance) override {
    learned_.reset();
    if (!performance || measured.instances == 0) return;
    const double expected = knows_ ? Expected(measured, measured.instances) : 0;
    open_ = PassesGate(settings_.gate, expected, *performance);
    learned_ = LearnedPair{.expected = expected, .observed = *performance, .passed = open_};
    const std::vector<double> features = FeaturesOf(measured, measured.instances);
    const double target = std::log(std::max(*performance, kLeastPerformance));
    const Status status = model_->Learn({1, features, std::span(&target, 1)});
    BERTH_CHECK(status.ok());  // An online model takes any row.
    knows_ = true;
  }

  double Count(const CountMoment& moment) const override {
    if (!open_) return fallback_->Count(moment);
    return Fewest(moment);
  }

  std::string Why(const CountMoment& moment) const override {
    if (!open_) return fmt::format("{} (not learned yet)", fallback_->Why(moment));
    const std::uint32_t count = Fewest(moment);
    return fmt::format("{} {:.3g} expected of {}, at most {:.3g} wanted", settings_.performance,
                       Expected(moment, count), count, settings_.at_most);
  }

  std::optional<LearnedPair> last_learned() const override { return learned_; }
  std::string Save() const override { return (knows_ ? kKnows : kKnowsNothing) + model_->Save(); }
  // What was learned elsewhere is believed once a prediction here has passed.
  Status Restore(std::string_view bytes) override {
    if (bytes.empty() || (bytes.front() != kKnows && bytes.front() != kKnowsNothing)) {
      return {Code::kInvalidArgument, "this is nothing that was learned"};
    }
    BERTH_RETURN_IF_ERROR(model_->Restore(bytes.substr(1)));
    knows_ = bytes.front() == kKnows;
    return {};
  }

 private:
  static std::vector<double> FeaturesOf(const CountMoment& moment, std::uint32_t instances) {
    std::vector<double> features;
    features.reserve(1 + moment.metrics.size());
    features.push_back(instances);
    features.insert(features.end(), moment.metrics.begin(), moment.metrics.end());
    return features;
  }

  double Expected(const CountMoment& moment, std::uint32_t instances) const {
    const double most = -std::log(kLeastPerformance);
    double expected = 0;
    model_->Predict(FeaturesOf(moment, instances), std::span(&expected, 1));
    return std::exp(std::clamp(expected, -most, most));
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
  std::unique_ptr<PerformanceModel> model_;
  bool knows_ = false;  // Anything at all.
  bool open_ = false;   // The gate: its last prediction passed.
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

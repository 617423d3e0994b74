#include "rightsize/recommenders/ensemble.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "rightsize/recommenders/builtin.h"
#include "rightsize/size_text.h"
#include "rightsize/weighed_ensemble.h"

namespace berth {
namespace {

const EnsembleModels& UsualModels() {
  static const EnsembleModels kModels = EnsembleModels::Usual();
  return kModels;
}
const EnsembleModels& WideModels() {
  static const EnsembleModels kModels = EnsembleModels::Wide();
  return kModels;
}

double HalfLifeHours(float decay) { return -1 / (12 * std::log2(1.0 - decay)); }

// Either of them, which differ in what a limit costs.
template <typename SomeEnsemble>
class EnsembleRecommender final : public Recommender {
 public:
  EnsembleRecommender(Resource resource, const EnsembleModels& models, SomeEnsemble ensemble)
      : resource_(resource), models_(models), ensemble_(std::move(ensemble)) {}

  void Observe(const UsageWindow& window) override { ensemble_.Observe(window.histogram); }

  // What it could not have is what it needs, at least: a fifth more than it had.
  void ObserveOom(std::int64_t used, Time /*at*/) override {
    constexpr double kMoreAfterOom = 1.2;
    WindowHistogram histogram;
    histogram.Add(buckets().Find(static_cast<double>(used) * kMoreAfterOom));
    ensemble_.Observe(histogram);
  }

  std::optional<SizeAdvice> Recommend() const override {
    if (!ensemble_.limit()) return std::nullopt;
    const std::int64_t limit = buckets().bound(*ensemble_.limit());
    return SizeAdvice{.target = limit, .lower = limit, .upper = limit};
  }

  std::string Why() const override {
    if (!ensemble_.limit()) return {};
    const std::size_t margins = models_.margins.size();
    const float decay = models_.decays[*ensemble_.model() / margins];
    const UsageBucket margin = models_.margins[*ensemble_.model() % margins];
    const auto chosen = static_cast<UsageBucket>(std::max(0, *ensemble_.limit() - margin));
    return fmt::format(
        "{}: of {} models the one with a half-life of {:.0f} h and {:.0f}% above the {} it chose "
        "would have cost least",
        Amount(*ensemble_.limit()), models_.size(), HalfLifeHours(decay),
        100 * (std::pow(Buckets::kGrowth, margin) - 1), Amount(chosen));
  }

  std::string Save() const override { return ensemble_.Save(); }
  Status Restore(std::string_view bytes) override { return ensemble_.Restore(bytes); }

 private:
  const Buckets& buckets() const { return Buckets::Of(resource_); }
  std::string Amount(UsageBucket bucket) const {
    return FormatSize(resource_, buckets().bound(bucket));
  }

  Resource resource_;
  const EnsembleModels& models_;
  SomeEnsemble ensemble_;
};

}  // namespace

std::unique_ptr<Recommender> NewEnsembleOf(const Sized& sized, const EnsembleWeights& weights) {
  return std::make_unique<EnsembleRecommender<Ensemble>>(sized.resource, UsualModels(),
                                                         Ensemble(UsualModels(), weights));
}

std::unique_ptr<Recommender> NewWeighedEnsembleOf(const Sized& sized,
                                                  const EnsembleWeights& weights) {
  const OverrunCost overruns =
      sized.resource == Resource::kCpu ? OverrunCost::kBySize : OverrunCost::kByCount;
  return std::make_unique<EnsembleRecommender<WeighedEnsemble>>(
      sized.resource, WideModels(),
      WeighedEnsemble(Buckets::Of(sized.resource), WideModels(), weights, overruns));
}

// The weights that docs/experiments/autopilot.md tells of.
std::unique_ptr<Recommender> NewEnsemble(const Sized& sized) {
  static const EnsembleWeights kCpu = {.model_decay = 0.003F,
                                       .overrun = 300,
                                       .underrun = 1,
                                       .limit_change = 0,
                                       .model_change = 0.1F};
  static const EnsembleWeights kMemory = {
      .model_decay = 0.01F, .overrun = 300, .underrun = 1, .limit_change = 0.1F, .model_change = 0};
  return NewEnsembleOf(sized, sized.resource == Resource::kCpu ? kCpu : kMemory);
}

}  // namespace berth

// The ensemble with a hundred models and weights chosen by hand.
#include <fmt/format.h>

#include <algorithm>

#include "rightsize/ensemble.h"
#include "rightsize/recommenders/builtin.h"

namespace berth {
namespace {

const EnsembleModels& UsualModels() {
  static const EnsembleModels kModels = EnsembleModels::Usual();
  return kModels;
}
const EnsembleWeights& WeightsFor(Resource resource) {
  static const EnsembleWeights kCpu;
  static const EnsembleWeights kMemory = {.overrun = 4};
  return resource == Resource::kCpu ? kCpu : kMemory;
}

class EnsembleRecommender final : public Recommender {
 public:
  explicit EnsembleRecommender(const Sized& sized)
      : resource_(sized.resource), ensemble_(UsualModels(), WeightsFor(sized.resource)) {}

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
    const std::size_t margins = UsualModels().margins.size();
    const float decay = UsualModels().decays[*ensemble_.model() / margins];
    const UsageBucket margin = UsualModels().margins[*ensemble_.model() % margins];
    const auto chosen = static_cast<UsageBucket>(std::max(0, *ensemble_.limit() - margin));
    return fmt::format(
        "{}: of {} models the one that gives the newest five minutes {:.2f}% and adds {} buckets "
        "to {} would have cost least",
        Amount(*ensemble_.limit()), UsualModels().size(), 100 * decay, margin, Amount(chosen));
  }

 private:
  const Buckets& buckets() const { return Buckets::Of(resource_); }
  std::string Amount(UsageBucket bucket) const {
    return FormatAmount(resource_, buckets().bound(bucket));
  }

  Resource resource_;
  Ensemble ensemble_;
};

}  // namespace

std::unique_ptr<Recommender> NewEnsemble(const Sized& sized) {
  return std::make_unique<EnsembleRecommender>(sized);
}

}  // namespace berth

#include "sim/rightsizing/tune.h"

#include <algorithm>

#include "base/parallel.h"

namespace berth {
namespace {

constexpr double kOutlierTimesMean = 3;
constexpr double kOutlierCountsTimes = 2;
constexpr std::size_t kOutliersMax = 10;

class WeightTuner {
 public:
  WeightTuner(const std::vector<ServiceUsage>& services, const TuningOptions& options)
      : options_(options), candidates_(options.grid.All()) {
    for (const ServiceUsage& usage : services) {
      if (IsUsed(usage, options.resource)) services_.push_back(&usage);
    }
  }

  std::vector<TuningRound> Run() {
    RehearseAll();
    std::vector<TuningRound> rounds;
    if (services_.empty()) return rounds;
    std::vector<double> counts(services_.size(), 1.0);
    for (std::uint32_t i = 0; i < options_.rounds; ++i) {
      const std::size_t best = Best(counts);
      rounds.push_back(RoundOf(best, counts));
      for (const std::size_t outlier : Outliers(best, counts)) {
        rounds.back().outliers.push_back(services_[outlier]->service);
        counts[outlier] *= kOutlierCountsTimes;
      }
      if (rounds.back().outliers.empty()) break;
    }
    return rounds;
  }

 private:
  std::vector<SizingDay> ScoredDays(const ServiceUsage& usage,
                                    const EnsembleWeights& weights) const {
    const Sized sized{.resource = options_.resource};
    std::vector<SizingDay> days =
        RehearseSizing(usage, options_.resource, *options_.make(sized, weights));
    std::erase_if(days, [&](const SizingDay& day) {
      return !options_.split.Scores(options_.part, usage.service, day.number);
    });
    return days;
  }

  void RehearseAll() {
    // Who has no day in this part has none under any weights.
    std::erase_if(services_, [&](const ServiceUsage* usage) {
      return ScoredDays(*usage, candidates_.front()).empty();
    });
    costs_.assign(services_.size(), std::vector<double>(candidates_.size()));
    ForEachInParallel(services_.size(), options_.workers, [&](std::size_t service) {
      for (std::size_t i = 0; i < candidates_.size(); ++i) {
        const std::vector<SizingDay> days = ScoredDays(*services_[service], candidates_[i]);
        double sum = 0;
        for (const SizingDay& day : days) sum += DayCost(day, options_.resource, options_.prices);
        costs_[service][i] = sum / static_cast<double>(days.size());
      }
    });
  }

  double CostOf(std::size_t candidate, const std::vector<double>& counts) const {
    double sum = 0;
    double all = 0;
    for (std::size_t service = 0; service < services_.size(); ++service) {
      sum += counts[service] * costs_[service][candidate];
      all += counts[service];
    }
    return sum / all;
  }

  std::size_t Best(const std::vector<double>& counts) const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < candidates_.size(); ++i) {
      if (CostOf(i, counts) < CostOf(best, counts)) best = i;
    }
    return best;
  }

  // Worst first.
  std::vector<std::size_t> Outliers(std::size_t candidate,
                                    const std::vector<double>& counts) const {
    const double most = kOutlierTimesMean * CostOf(candidate, counts);
    std::vector<std::size_t> outliers;
    for (std::size_t service = 0; service < services_.size(); ++service) {
      if (costs_[service][candidate] > most) outliers.push_back(service);
    }
    std::ranges::stable_sort(outliers, std::ranges::greater(),
                             [&](std::size_t service) { return costs_[service][candidate]; });
    if (outliers.size() > kOutliersMax) outliers.resize(kOutliersMax);
    return outliers;
  }

  TuningRound RoundOf(std::size_t candidate, const std::vector<double>& counts) const {
    std::vector<std::vector<SizingDay>> days;
    days.reserve(services_.size());
    for (const ServiceUsage* usage : services_) {
      days.push_back(ScoredDays(*usage, candidates_[candidate]));
    }
    return {.weights = candidates_[candidate],
            .cost = CostOf(candidate, counts),
            .totals = SumUp(days),
            .outliers = {}};
  }

  const TuningOptions& options_;
  const std::vector<EnsembleWeights> candidates_;
  std::vector<const ServiceUsage*> services_;
  std::vector<std::vector<double>> costs_;  // By service, then by candidate.
};

}  // namespace

std::vector<EnsembleWeights> TuningGrid::All() const {
  std::vector<EnsembleWeights> all;
  for (const float model_decay : model_decays) {
    for (const float overrun : overruns) {
      for (const float limit_change : limit_changes) {
        for (const float model_change : model_changes) {
          all.push_back({.model_decay = model_decay,
                         .overrun = overrun,
                         .underrun = 1,
                         .limit_change = limit_change,
                         .model_change = model_change});
        }
      }
    }
  }
  return all;
}

double DayCost(const SizingDay& day, Resource resource, const TuningPrices& prices) {
  const double above = resource == Resource::kCpu
                           ? (day.used == 0 ? 0 : day.used_above / day.used)
                           : static_cast<double>(day.samples_above) / day.instances;
  return day.slack() + prices.overrun * above + prices.change * day.changes;
}

std::vector<TuningRound> TuneEnsemble(const std::vector<ServiceUsage>& services,
                                      const TuningOptions& options) {
  return WeightTuner(services, options).Run();
}

}  // namespace berth

// Choosing the ensemble's weights: all of a grid are rehearsed on a sample of services, and those
// that cost least on the whole are taken. Services that fare unusually badly are listed, count
// twice as much from then on, and the weights are chosen again.
//
// What a service costs does not depend on what others count, so each pair of weights and service is
// rehearsed once, whatever the number of rounds.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rightsize/ensemble.h"
#include "sim/rightsizing/rehearse.h"
#include "sim/rightsizing/split.h"

namespace berth {

// All combinations. Only ratios of weights matter, so an underrun always counts 1.
struct TuningGrid {
  std::vector<float> model_decays = {0.003F, 0.01F};
  std::vector<float> overruns = {3, 10, 20, 30, 50, 100, 300};
  std::vector<float> limit_changes = {0, 0.03F, 0.1F};
  std::vector<float> model_changes = {0, 0.1F};

  std::vector<EnsembleWeights> All() const;
};

// What a day is charged, next to its slack.
struct TuningPrices {
  double overrun = 10;    // Of cpu, for the share of what was used that lay above the limit; of
                          // memory, for a sample above it, by instance.
  double change = 0.002;  // For a change of the limit.
};

struct TuningOptions {
  std::unique_ptr<Recommender> (*make)(const Sized& sized,
                                       const EnsembleWeights& weights) = nullptr;
  Resource resource = Resource::kCpu;
  TuningPrices prices;
  TuningGrid grid;
  std::uint32_t rounds = 3;
  SizingSplit split;
  SizingPart part = SizingPart::kAll;
  std::size_t workers = 1;
};

double DayCost(const SizingDay& day, Resource resource, const TuningPrices& prices);

struct TuningRound {
  EnsembleWeights weights;
  double cost = 0;      // The mean over services, each counting what it does.
  SizingTotals totals;  // Under these weights, each service counting once.
  std::vector<std::string>
      outliers;  // Those that cost more than three times the mean, worst first.
};

// None if no service has a day that is scored.
std::vector<TuningRound> TuneEnsemble(const std::vector<ServiceUsage>& services,
                                      const TuningOptions& options);

}  // namespace berth

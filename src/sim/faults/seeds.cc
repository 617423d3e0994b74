#include "sim/faults/seeds.h"

#include <numeric>
#include <utility>

namespace berth {
namespace {

void Add(FaultResult& sum, FaultResult one) {
  sum.steps += one.steps;
  for (std::size_t i = 0; i < faults::kFaultCount; ++i) sum.faults[i] += one.faults[i];
  sum.store += one.store;
  sum.clients += one.clients;
  sum.broken = std::move(one.broken);
  sum.story = std::move(one.story);
}

FaultSeed Figures(const FaultResult& one) {
  return {.faults = std::accumulate(one.faults.begin(), one.faults.end(), std::uint64_t{0}),
          .clients = one.clients,
          .store = one.store};
}

}  // namespace

FaultSeedsResult SimulateFaultSeeds(const FaultSeedsOptions& options,
                                    const std::function<void(std::uint64_t seed)>& progress) {
  FaultSeedsResult result;
  Digest digest;
  for (std::uint64_t i = 0; i < options.seeds && !result.broken_seed; ++i) {
    const std::uint64_t seed = options.first_seed + i;
    progress(seed);
    FaultResult one =
        SimulateFaults({.seed = seed, .steps = options.steps, .planted = options.planted});
    if (one.broken) result.broken_seed = seed;
    digest.Add(one.unseed);
    if (result.each.size() < kFaultSeedsKeptMax) result.each.push_back(Figures(one));
    Add(result.sum, std::move(one));
    ++result.seeds;
  }
  result.sum.unseed = digest.value();
  return result;
}

}  // namespace berth

#include "rightsize/ensemble.h"

#include <algorithm>
#include <limits>

namespace berth {
namespace {

constexpr UsageBucket kPastLast = Buckets::kCount;

float ShareOf(std::uint64_t samples, const WindowHistogram& window) {
  return static_cast<float>(static_cast<double>(samples) / static_cast<double>(window.samples()));
}

}  // namespace

Ensemble::Ensemble(const EnsembleModels& models, const EnsembleWeights& weights)
    : models_(models),
      weights_(weights),
      places_{0, kPastLast},
      costs_(models.decays.size() * 2),
      followed_(models, weights) {}

// A limit between two places costs in overruns what the lower one does, for nothing was seen
// between them, and in underruns what the upper one does.
void Ensemble::Insert(std::size_t at, UsageBucket bucket) {
  const std::size_t before = places_.size();
  std::vector<Costs> costs;
  costs.reserve(costs_.size() + models_.decays.size());
  for (std::size_t decay = 0; decay < models_.decays.size(); ++decay) {
    const auto begin = costs_.begin() + static_cast<std::ptrdiff_t>(decay * before);
    const auto here = begin + static_cast<std::ptrdiff_t>(at);
    costs.insert(costs.end(), begin, here);
    costs.push_back({.over = (here - 1)->over, .under = here->under});
    costs.insert(costs.end(), here, begin + static_cast<std::ptrdiff_t>(before));
  }
  costs_ = std::move(costs);
  places_.insert(places_.begin() + static_cast<std::ptrdiff_t>(at), bucket);
}

void Ensemble::Reach(const WindowHistogram& window) {
  std::size_t at = 0;
  for (const WindowHistogram::Count& count : window.counts()) {
    while (places_[at] < count.bucket) ++at;
    if (places_[at] != count.bucket) Insert(at, count.bucket);
  }
}

void Ensemble::Observe(const WindowHistogram& window) {
  if (window.empty()) return;
  Reach(window);
  std::vector<UsageBucket> chosen(models_.decays.size());
  for (std::size_t decay = 0; decay < chosen.size(); ++decay) {
    chosen[decay] = Choose(decay, window);
    Score(decay, chosen[decay], window);
  }
  followed_.Follow(std::move(chosen));
}

// Eqs. 4-6.
UsageBucket Ensemble::Choose(std::size_t decay, const WindowHistogram& window) {
  const float fresh = models_.decays[decay];
  const float kept = 1 - fresh;
  Costs* const costs = &costs_[decay * places_.size()];
  float least = std::numeric_limits<float>::infinity();
  UsageBucket best = 0;
  std::uint64_t below = 0;
  auto next = window.counts().begin();
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const std::uint64_t here =
        next != window.counts().end() && next->bucket == places_[i] ? (next++)->samples : 0;
    const std::uint64_t above = window.samples() - below - here;
    costs[i].over = kept * costs[i].over + fresh * ShareOf(above, window);
    costs[i].under = kept * costs[i].under + fresh * ShareOf(below, window);
    below += here;
    if (places_[i] == kPastLast) break;
    const float cost = weights_.overrun * costs[i].over + weights_.underrun * costs[i].under +
                       followed_.ChangeTo(places_[i], decay);
    if (cost < least) {
      least = cost;
      best = places_[i];
    }
  }
  return best;
}

// Eq. 7.
void Ensemble::Score(std::size_t decay, UsageBucket chosen, const WindowHistogram& window) {
  std::uint64_t below = 0;
  auto next = window.counts().begin();
  followed_.Score(decay, chosen, [&](UsageBucket limit) {
    while (next != window.counts().end() && next->bucket < limit) below += (next++)->samples;
    const std::uint64_t at =
        next != window.counts().end() && next->bucket == limit ? next->samples : 0;
    return weights_.overrun * ShareOf(window.samples() - below - at, window) +
           weights_.underrun * ShareOf(below, window);
  });
}

std::size_t Ensemble::bytes() const {
  return sizeof *this + places_.capacity() * sizeof(UsageBucket) +
         costs_.capacity() * sizeof(Costs) + followed_.bytes();
}

}  // namespace berth

#include "rightsize/ensemble.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace berth {
namespace {

constexpr UsageBucket kPastLast = Buckets::kCount;

float ShareOf(std::uint64_t samples, const WindowHistogram& window) {
  return static_cast<float>(static_cast<double>(samples) / static_cast<double>(window.samples()));
}

// What the newest window counts if half is forgotten after so many hours.
float Decay(double hours) {
  constexpr double kWindowsAnHour = 12;
  return static_cast<float>(1 - std::exp2(-1 / (hours * kWindowsAnHour)));
}

}  // namespace

EnsembleModels EnsembleModels::Usual() {
  EnsembleModels models;
  for (const double hours : {2.0, 8.0, 24.0, 84.0, 336.0}) models.decays.push_back(Decay(hours));
  for (UsageBucket margin = 0; margin < 20; ++margin) models.margins.push_back(margin);
  return models;
}

EnsembleModels EnsembleModels::Wide() {
  EnsembleModels models;
  for (const double hours : {12.0, 24.0, 48.0, 168.0, 336.0}) models.decays.push_back(Decay(hours));
  for (UsageBucket margin = 0; margin < 40; margin += 2) models.margins.push_back(margin);
  return models;
}

Ensemble::Ensemble(const EnsembleModels& models, const EnsembleWeights& weights)
    : models_(models),
      weights_(weights),
      places_{0, kPastLast},
      costs_(models.decays.size() * 2),
      limits_(models.size()),
      history_(models.size()) {}

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
  chosen_ = std::move(chosen);
  PickModel();
}

// Eqs. 4-6.
UsageBucket Ensemble::Choose(std::size_t decay, const WindowHistogram& window) {
  const float fresh = models_.decays[decay];
  const float kept = 1 - fresh;
  const int last = chosen_.empty() ? -1 : chosen_[decay];
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
    const float change = last >= 0 && last != places_[i] ? weights_.limit_change : 0;
    const float cost =
        weights_.overrun * costs[i].over + weights_.underrun * costs[i].under + change;
    if (cost < least) {
      least = cost;
      best = places_[i];
    }
  }
  return best;
}

// Eqs. 7 and 8, for all margins.
void Ensemble::Score(std::size_t decay, UsageBucket chosen, const WindowHistogram& window) {
  std::uint64_t below = 0;
  auto next = window.counts().begin();
  for (std::size_t margin = 0; margin < models_.margins.size(); ++margin) {
    const std::size_t model = decay * models_.margins.size() + margin;
    const auto limit = static_cast<UsageBucket>(
        std::min<std::size_t>(chosen + models_.margins[margin], Buckets::kCount - 1));
    while (next != window.counts().end() && next->bucket < limit) below += (next++)->samples;
    const std::uint64_t at =
        next != window.counts().end() && next->bucket == limit ? next->samples : 0;
    const float change = !chosen_.empty() && limits_[model] != limit ? weights_.limit_change : 0;
    const float cost = weights_.overrun * ShareOf(window.samples() - below - at, window) +
                       weights_.underrun * ShareOf(below, window) + change;
    history_[model] = weights_.model_decay * cost + (1 - weights_.model_decay) * history_[model];
    limits_[model] = limit;
  }
}

// Eq. 9: the limit that is in force is the one that a change of limit is told from.
void Ensemble::PickModel() {
  float least = std::numeric_limits<float>::infinity();
  std::uint32_t best = 0;
  for (std::uint32_t model = 0; model < history_.size(); ++model) {
    float cost = history_[model];
    if (model_ && *model_ != model) cost += weights_.model_change;
    if (limit_ && *limit_ != limits_[model]) cost += weights_.limit_change;
    if (cost < least) {
      least = cost;
      best = model;
    }
  }
  model_ = best;
  limit_ = limits_[best];
}

std::size_t Ensemble::bytes() const {
  return sizeof *this + places_.capacity() * sizeof(UsageBucket) +
         costs_.capacity() * sizeof(Costs) + chosen_.capacity() * sizeof(UsageBucket) +
         limits_.capacity() * sizeof(UsageBucket) + history_.capacity() * sizeof(float);
}

}  // namespace berth

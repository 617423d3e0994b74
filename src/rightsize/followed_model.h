// Which of an ensemble's models is followed (Autopilot, Eqs. 7-9): the one whose limits cost least
// so far. Cost is the type that costs are kept in.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "base/packed.h"
#include "base/wire.h"
#include "rightsize/ensemble_models.h"

namespace berth {

template <typename Cost>
class FollowedModel {
 public:
  // Both outlive it.
  FollowedModel(const EnsembleModels& models, const EnsembleWeights& weights)
      : models_(&models), weights_(&weights), limits_(models.size()), history_(models.size()) {}

  // None before the first window.
  std::optional<UsageBucket> limit() const { return limit_; }
  std::optional<std::uint32_t> model() const { return model_; }

  // What moving from the bucket chosen in the window before would cost.
  Cost ChangeTo(std::size_t bucket, std::size_t decay) const {
    return !chosen_.empty() && chosen_[decay] != bucket ? Cost{weights_->limit_change} : Cost{0};
  }

  // For all margins; runs_at(limit) is what over- and underruns of a limit cost, asked from the
  // least limit on.
  template <typename RunsAt>
  void Score(std::size_t decay, UsageBucket chosen, RunsAt runs_at) {
    for (std::size_t margin = 0; margin < models_->margins.size(); ++margin) {
      const std::size_t model = decay * models_->margins.size() + margin;
      const auto limit = static_cast<UsageBucket>(
          std::min<std::size_t>(chosen + models_->margins[margin], Buckets::kCount - 1));
      const bool changes = !chosen_.empty() && limits_[model] != limit;
      const Cost cost = runs_at(limit) + (changes ? Cost{weights_->limit_change} : Cost{0});
      history_[model] =
          weights_->model_decay * cost + (1 - weights_->model_decay) * history_[model];
      limits_[model] = limit;
    }
  }

  // The window is over. The limit that is in force is the one that a change of limit is told from.
  void Follow(std::vector<UsageBucket> chosen) {
    chosen_ = std::move(chosen);
    Cost least = std::numeric_limits<Cost>::infinity();
    std::uint32_t best = 0;
    for (std::uint32_t model = 0; model < history_.size(); ++model) {
      Cost cost = history_[model];
      if (model_ && *model_ != model) cost += weights_->model_change;
      if (limit_ && *limit_ != limits_[model]) cost += weights_->limit_change;
      if (cost < least) {
        least = cost;
        best = model;
      }
    }
    model_ = best;
    limit_ = limits_[best];
  }

  // Fields 3 to 7 of what an ensemble saves.
  void Save(WireWriter& writer) const {
    writer.PutText(3, Packed<UsageBucket>(chosen_));
    writer.PutText(4, Packed<UsageBucket>(limits_));
    writer.PutText(5, Packed<Cost>(history_));
    if (limit_) writer.PutUint(6, *limit_ + 1U);
    if (model_) writer.PutUint(7, *model_ + 1U);
  }
  void Take(WireReader& reader) {
    if (reader.field() == 3) chosen_ = Unpacked<UsageBucket>(reader.Text());
    if (reader.field() == 4) limits_ = Unpacked<UsageBucket>(reader.Text());
    if (reader.field() == 5) history_ = Unpacked<Cost>(reader.Text());
    if (reader.field() == 6) limit_ = static_cast<UsageBucket>(reader.Uint<UsageBucket>() - 1);
    if (reader.field() == 7) model_ = reader.Uint<std::uint32_t>() - 1;
  }
  // Whether what was taken is of these models.
  bool IsSound() const {
    const auto in_range = [](UsageBucket bucket) { return bucket < Buckets::kCount; };
    return (chosen_.empty() || chosen_.size() == models_->decays.size()) &&
           limits_.size() == models_->size() && history_.size() == models_->size() &&
           std::ranges::all_of(chosen_, in_range) && std::ranges::all_of(limits_, in_range) &&
           limit_.has_value() == model_.has_value() && (!limit_ || in_range(*limit_)) &&
           (!model_ || *model_ < models_->size());
  }

  // Beside its own.
  std::size_t bytes() const {
    return (chosen_.capacity() + limits_.capacity()) * sizeof(UsageBucket) +
           history_.capacity() * sizeof(Cost);
  }

 private:
  const EnsembleModels* models_;
  const EnsembleWeights* weights_;
  std::vector<UsageBucket> chosen_;  // L'_m, by decay; none before the first window.
  std::vector<UsageBucket> limits_;  // L_m,
  std::vector<Cost> history_;        // and c_m, by model.
  std::optional<UsageBucket> limit_;
  std::optional<std::uint32_t> model_;
};

}  // namespace berth

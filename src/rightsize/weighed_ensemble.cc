#include "rightsize/weighed_ensemble.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/wire.h"
#include "usage/packed.h"

namespace berth {
namespace {

// What counts less than that is forgotten: it would only slow arithmetic down.
constexpr float kForgottenShare = 1e-30F;

}  // namespace

WeighedEnsemble::WeighedEnsemble(const Buckets& buckets, const EnsembleModels& models,
                                 const EnsembleWeights& weights, OverrunCost overrun_cost)
    : buckets_(buckets),
      models_(models),
      weights_(weights),
      overrun_cost_(overrun_cost),
      limits_(models.size()),
      history_(models.size()) {}

void WeighedEnsemble::Observe(const WindowHistogram& window) {
  if (window.empty()) return;
  Reach(window.counts().front().bucket, window.peak());
  std::vector<UsageBucket> chosen(models_.decays.size());
  for (std::size_t decay = 0; decay < chosen.size(); ++decay) {
    Smooth(decay, window);
    chosen[decay] = Choose(decay);
    Score(decay, chosen[decay], window);
  }
  chosen_ = std::move(chosen);
  PickModel();
}

void WeighedEnsemble::Reach(UsageBucket low, UsageBucket high) {
  const UsageBucket first = width_ == 0 ? low : std::min(first_, low);
  const std::size_t end = std::max<std::size_t>(width_ == 0 ? 0 : first_ + width_, high + 1U);
  if (width_ > 0 && first == first_ && end == first_ + width_) return;
  const std::size_t width = end - first;
  std::vector<float> shares(models_.decays.size() * width);
  for (std::size_t decay = 0; decay < models_.decays.size(); ++decay) {
    for (std::size_t i = 0; i < width_; ++i) {
      shares[decay * width + (first_ - first) + i] = shares_[decay * width_ + i];
    }
  }
  shares_ = std::move(shares);
  first_ = first;
  width_ = width;
}

void WeighedEnsemble::Smooth(std::size_t decay, const WindowHistogram& window) {
  const float fresh = models_.decays[decay];
  float* const shares = &shares_[decay * width_];
  for (std::size_t i = 0; i < width_; ++i) {
    shares[i] *= 1 - fresh;
    if (shares[i] < kForgottenShare) shares[i] = 0;
  }
  for (const WindowHistogram::Count& count : window.counts()) {
    shares[count.bucket - first_] +=
        fresh * (static_cast<float>(count.samples) / static_cast<float>(window.samples()));
  }
}

// Eqs. 4-6. Below the lowest bucket that had a sample a limit costs more than at it, and above the
// highest too; where overruns cost nothing, all below cost the same and the least is taken.
UsageBucket WeighedEnsemble::Choose(std::size_t decay) {
  const float* const shares = &shares_[decay * width_];
  std::array<double, Buckets::kCount> over;  // NOLINT: filled below as far as it is read.
  double share = 0;
  double load = 0;
  for (std::size_t i = width_; i-- > 0;) {
    over[i] = OverCost(share, load, BoundOf(first_ + i));
    share += shares[i];
    load += shares[i] * BoundOf(first_ + i);
  }
  const int last = chosen_.empty() ? -1 : chosen_[decay];
  double least = std::numeric_limits<double>::infinity();
  std::size_t best = 0;
  const auto consider = [&](std::size_t bucket, double runs) {
    const bool changes = last >= 0 && static_cast<std::size_t>(last) != bucket;
    const double cost = runs + (changes ? static_cast<double>(weights_.limit_change) : 0.0);
    if (cost >= least) return;
    least = cost;
    best = bucket;
  };
  if (first_ > 0) consider(0, weights_.overrun * OverCost(share, load, BoundOf(0)));
  share = 0;
  load = 0;
  for (std::size_t i = 0; i < width_; ++i) {
    const double bound = BoundOf(first_ + i);
    consider(first_ + i,
             weights_.overrun * over[i] + weights_.underrun * UnderCost(share, load, bound));
    share += shares[i];
    load += shares[i] * bound;
  }
  return static_cast<UsageBucket>(best);
}

// Eqs. 7 and 8, for all margins.
void WeighedEnsemble::Score(std::size_t decay, UsageBucket chosen, const WindowHistogram& window) {
  for (std::size_t margin = 0; margin < models_.margins.size(); ++margin) {
    const std::size_t model = decay * models_.margins.size() + margin;
    const auto limit = static_cast<UsageBucket>(
        std::min<std::size_t>(chosen + models_.margins[margin], Buckets::kCount - 1));
    const double bound = BoundOf(limit);
    double over = 0;
    double under = 0;
    for (const WindowHistogram::Count& count : window.counts()) {
      const double share =
          static_cast<double>(count.samples) / static_cast<double>(window.samples());
      const double load = share * BoundOf(count.bucket);
      if (count.bucket > limit) over += OverCost(share, load, bound);
      if (count.bucket < limit) under += UnderCost(share, load, bound);
    }
    const bool changes = !chosen_.empty() && limits_[model] != limit;
    const double cost = weights_.overrun * over + weights_.underrun * under +
                        (changes ? static_cast<double>(weights_.limit_change) : 0.0);
    history_[model] = weights_.model_decay * cost + (1 - weights_.model_decay) * history_[model];
    limits_[model] = limit;
  }
}

// Eq. 9.
void WeighedEnsemble::PickModel() {
  double least = std::numeric_limits<double>::infinity();
  std::uint32_t best = 0;
  for (std::uint32_t model = 0; model < history_.size(); ++model) {
    double cost = history_[model];
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

std::string WeighedEnsemble::Save() const {
  std::string bytes;
  WireWriter writer(bytes);
  writer.PutUint(1, first_);
  writer.PutText(2, Packed<float>(shares_));
  writer.PutText(3, Packed<UsageBucket>(chosen_));
  writer.PutText(4, Packed<UsageBucket>(limits_));
  writer.PutText(5, Packed<double>(history_));
  if (limit_) writer.PutUint(6, *limit_ + 1U);
  if (model_) writer.PutUint(7, *model_ + 1U);
  return bytes;
}

Status WeighedEnsemble::Restore(std::string_view bytes) {
  WeighedEnsemble read(buckets_, models_, weights_, overrun_cost_);
  std::uint64_t limit = 0;
  std::uint64_t model = 0;
  WireReader reader(bytes);
  while (reader.Next()) {
    switch (reader.field()) {
      case 1:
        read.first_ = reader.Uint<UsageBucket>();
        break;
      case 2:
        read.shares_ = Unpacked<float>(reader.Text());
        break;
      case 3:
        read.chosen_ = Unpacked<UsageBucket>(reader.Text());
        break;
      case 4:
        read.limits_ = Unpacked<UsageBucket>(reader.Text());
        break;
      case 5:
        read.history_ = Unpacked<double>(reader.Text());
        break;
      case 6:
        limit = reader.Uint();
        break;
      case 7:
        model = reader.Uint();
        break;
      default:
        break;
    }
  }
  BERTH_RETURN_IF_ERROR(reader.status());
  const std::size_t decays = models_.decays.size();
  read.width_ = read.shares_.size() / decays;
  const auto in_range = [](UsageBucket bucket) { return bucket < Buckets::kCount; };
  const bool fits =
      read.shares_.size() % decays == 0 && read.first_ + read.width_ <= Buckets::kCount &&
      (read.chosen_.empty() || read.chosen_.size() == decays) &&
      read.limits_.size() == models_.size() && read.history_.size() == models_.size() &&
      limit <= Buckets::kCount && (limit > 0) == (model > 0) && model <= models_.size() &&
      std::ranges::all_of(read.chosen_, in_range) && std::ranges::all_of(read.limits_, in_range);
  if (!fits) return {Code::kInvalidArgument, "this is no state of an ensemble of these models"};
  first_ = read.first_;
  width_ = read.width_;
  shares_ = std::move(read.shares_);
  chosen_ = std::move(read.chosen_);
  limits_ = std::move(read.limits_);
  history_ = std::move(read.history_);
  limit_.reset();
  if (limit > 0) limit_ = static_cast<UsageBucket>(limit - 1);
  model_.reset();
  if (model > 0) model_ = static_cast<std::uint32_t>(model - 1);
  return {};
}

std::size_t WeighedEnsemble::bytes() const {
  return sizeof *this + shares_.capacity() * sizeof(float) +
         chosen_.capacity() * sizeof(UsageBucket) + limits_.capacity() * sizeof(UsageBucket) +
         history_.capacity() * sizeof(double);
}

}  // namespace berth

#include "rightsize/weighed_ensemble.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/packed.h"
#include "base/wire.h"

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
      followed_(models, weights) {}

void WeighedEnsemble::Observe(const WindowHistogram& window) {
  if (window.empty()) return;
  Reach(window.counts().front().bucket, window.peak());
  std::vector<UsageBucket> chosen(models_.decays.size());
  for (std::size_t decay = 0; decay < chosen.size(); ++decay) {
    Smooth(decay, window);
    chosen[decay] = Choose(decay);
    Score(decay, chosen[decay], window);
  }
  followed_.Follow(std::move(chosen));
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
  double least = std::numeric_limits<double>::infinity();
  std::size_t best = 0;
  const auto consider = [&](std::size_t bucket, double runs) {
    const double cost = runs + followed_.ChangeTo(bucket, decay);
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

// Eq. 7.
void WeighedEnsemble::Score(std::size_t decay, UsageBucket chosen, const WindowHistogram& window) {
  followed_.Score(decay, chosen, [&](UsageBucket limit) {
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
    return weights_.overrun * over + weights_.underrun * under;
  });
}

std::string WeighedEnsemble::Save() const {
  std::string bytes;
  WireWriter writer(bytes);
  writer.PutUint(1, first_);
  writer.PutText(2, Packed<float>(shares_));
  followed_.Save(writer);
  return bytes;
}

Status WeighedEnsemble::Restore(std::string_view bytes) {
  WeighedEnsemble read(buckets_, models_, weights_, overrun_cost_);
  WireReader reader(bytes);
  while (reader.Next()) {
    if (reader.field() == 1) read.first_ = reader.Uint<UsageBucket>();
    if (reader.field() == 2) read.shares_ = Unpacked<float>(reader.Text());
    read.followed_.Take(reader);
  }
  BERTH_RETURN_IF_ERROR(reader.status());
  const std::size_t decays = models_.decays.size();
  read.width_ = read.shares_.size() / decays;
  const bool fits = read.shares_.size() % decays == 0 &&
                    read.first_ + read.width_ <= Buckets::kCount && read.followed_.IsSound();
  if (!fits) return {Code::kInvalidArgument, "this is no state of an ensemble of these models"};
  first_ = read.first_;
  width_ = read.width_;
  shares_ = std::move(read.shares_);
  followed_ = std::move(read.followed_);
  return {};
}

std::size_t WeighedEnsemble::bytes() const {
  return sizeof *this + shares_.capacity() * sizeof(float) + followed_.bytes();
}

}  // namespace berth

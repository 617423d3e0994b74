#include "usage/decayed_histogram.h"

#include <algorithm>
#include <cmath>

namespace berth {
namespace {

// Halved in time to stay far within a float, and seldom.
constexpr double kHalveAt = 32;
// Nine of ten equal samples are 90%, whatever the rounding.
constexpr double kRounding = 1e-7;

}  // namespace

void DecayedHistogram::HalveTimes(int times) {
  const double factor = std::ldexp(1.0, -times);
  // What is left is summed again, so that no error of a sum outlives its samples.
  total_ = 0;
  load_ = 0;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    float& weight = weights_[i];
    weight = static_cast<float>(weight * factor);
    if (weight < std::ldexp(1.0F, -kForgottenAfter)) weight = 0;
    total_ += weight;
    load_ += weight * static_cast<double>(buckets_->bound(static_cast<UsageBucket>(first_ + i)));
  }
  mean_sum_ *= factor;
  mean_weight_ *= factor;
  const auto is_left = [](float weight) { return weight > 0; };
  const auto low = std::ranges::find_if(weights_, is_left);
  first_ = static_cast<UsageBucket>(first_ + (low - weights_.begin()));
  weights_.erase(weights_.begin(), low);
  while (!weights_.empty() && weights_.back() == 0) weights_.pop_back();
}

double DecayedHistogram::WorthAt(Time at) {
  if (total_ == 0) reference_ = at;
  const double age =
      static_cast<double>((at - reference_).count()) / static_cast<double>(half_life_.count());
  if (age < kHalveAt) return std::exp2(age);
  // Who was not heard of for so long that a float cannot tell begins anew.
  const double whole = std::floor(age);
  HalveTimes(static_cast<int>(std::min(whole, 1000.0)));
  reference_ += Duration(static_cast<std::int64_t>(whole) * half_life_.count());
  return std::exp2(age - whole);
}

void DecayedHistogram::Reach(UsageBucket low, UsageBucket high) {
  if (weights_.empty()) first_ = low;
  if (low < first_) {
    weights_.insert(weights_.begin(), static_cast<std::size_t>(first_ - low), 0);
    first_ = low;
  }
  const std::size_t size = static_cast<std::size_t>(high - first_) + 1;
  if (weights_.size() < size) weights_.resize(size);
}

void DecayedHistogram::Add(const WindowHistogram& window, Time at) {
  if (window.empty()) return;
  const double worth = WorthAt(at);
  Reach(window.counts().front().bucket, window.peak());
  double load = 0;
  for (const WindowHistogram::Count& count : window.counts()) {
    const double weight = worth * count.samples;
    weights_[static_cast<std::size_t>(count.bucket - first_)] += static_cast<float>(weight);
    total_ += weight;
    load += weight * static_cast<double>(buckets_->bound(count.bucket));
  }
  load_ += load;
  mean_sum_ += load / static_cast<double>(window.samples());
  mean_weight_ += worth;
}

// From the top: what is asked for is usually near it.
template <typename WorthOf>
std::int64_t DecayedHistogram::LeastWithAtMostAbove(double above_max, WorthOf worth_of) const {
  double above = 0;
  std::size_t i = weights_.size();
  while (i > 1) {
    above += worth_of(i - 1);
    if (above > above_max) break;
    --i;
  }
  return BoundAt(i - 1);
}

std::int64_t DecayedHistogram::Percentile(double share) const {
  return LeastWithAtMostAbove((1 - share + kRounding) * total_,
                              [&](std::size_t i) { return weights_[i]; });
}

std::int64_t DecayedHistogram::LoadPercentile(double share) const {
  return LeastWithAtMostAbove((1 - share + kRounding) * load_, [&](std::size_t i) {
    return weights_[i] * static_cast<double>(BoundAt(i));
  });
}

}  // namespace berth

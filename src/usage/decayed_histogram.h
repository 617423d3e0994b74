// The usage of months in a few kilobytes: samples by bucket, each worth half as much after every
// half-life (Autopilot, Eqs. 1-3).
//
// Ages are not applied to what is kept: a newcomer is worth more instead, 2^(at/half-life). Once
// that is much, everything is halved so many times, which in binary loses nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "berth/status.h"
#include "berth/time.h"
#include "usage/window_histogram.h"

namespace berth {

class DecayedHistogram {
 public:
  // What is worth less than 2^-kForgottenAfter of a newcomer is forgotten sooner or later.
  static constexpr int kForgottenAfter = 30;

  DecayedHistogram(const Buckets& buckets, Duration half_life)
      : buckets_(&buckets), half_life_(half_life) {}

  // Windows come in order.
  void Add(const WindowHistogram& window, Time at);

  bool empty() const { return total_ == 0; }
  // The least bound that at least this share of the samples does not exceed; of the load: of what
  // is used on the whole, so that a sample of ten counts ten times as much as one of one.
  std::int64_t Percentile(double share) const;
  std::int64_t LoadPercentile(double share) const;
  // The mean of the windows' means.
  double Mean() const { return mean_sum_ / mean_weight_; }
  const Buckets& buckets() const { return *buckets_; }

  std::string Save() const;
  Status Restore(std::string_view bytes);

  std::size_t bytes() const { return sizeof *this + weights_.capacity() * sizeof(float); }

 private:
  double WorthAt(Time at);
  void HalveTimes(int times);
  void Reach(UsageBucket low, UsageBucket high);
  std::int64_t BoundAt(std::size_t place) const {
    return buckets_->bound(static_cast<UsageBucket>(first_ + place));
  }
  // Of the bounds above which there is no more than that, by what each place counts.
  template <typename WorthOf>
  std::int64_t LeastWithAtMostAbove(double above_max, WorthOf worth_of) const;

  const Buckets* buckets_;
  Duration half_life_;
  Time reference_;              // A sample of that time is worth 1.
  UsageBucket first_ = 0;       // What weights_ begins with.
  std::vector<float> weights_;  // None below the lowest or above the highest that has one.
  double total_ = 0;            // Of weights_,
  double load_ = 0;             // and of weights_ times their bounds.
  double mean_sum_ = 0;
  double mean_weight_ = 0;
};

}  // namespace berth

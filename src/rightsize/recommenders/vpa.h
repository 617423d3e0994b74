// What Kubernetes' Vertical Pod Autoscaler recommends, from its published definition: the baseline
// that its users know. Percentiles of a histogram with a half-life of a day; of memory, only the
// peak of each day counts; bounds that are the wider the less is known.
//
// Where it counts samples, of which it has one a minute, we count minutes that had one. It keeps a
// day's peak of every container, we keep that of the service: what it adds for others is lower.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rightsize/recommender.h"

namespace berth {

class Vpa final : public Recommender {
 public:
  static constexpr std::size_t kBuckets = 176;

  explicit Vpa(const Sized& sized);

  void Observe(const UsageWindow& window) override;
  void ObserveOom(std::int64_t used, Time at) override;
  std::optional<SizeAdvice> Recommend() const override;
  std::string Why() const override;
  std::string Save() const override;
  Status Restore(std::string_view bytes) override;

  // Where a bucket begins, in the resource's unit.
  double StartOf(std::size_t bucket) const;
  double Percentile(double share) const;
  // In days: how long it is known, or how many days of samples there are if that is less.
  double Confidence() const;

 private:
  std::size_t BucketOf(double value) const;
  void Add(double value, double weight, Time at);
  void AddPeak(double value, Time at);
  std::int64_t AtLeastMinimum(double amount) const;

  Resource resource_;
  double first_;  // The width of the first bucket.
  std::array<double, kBuckets> weights_{};
  double total_ = 0;
  Time reference_;
  std::optional<Time> since_;
  Time until_;
  std::uint64_t minutes_ = 0;
  // Of the day that is not over.
  std::optional<double> peak_;
  Time peak_day_;
  Time peak_at_;
};

}  // namespace berth

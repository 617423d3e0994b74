#include "rightsize/recommenders/vpa.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include "rightsize/recommenders/builtin.h"
#include "rightsize/size_text.h"

namespace berth {
namespace {

constexpr double kRatio = 1.05;
constexpr double kEpsilon = 1e-4;
constexpr double kCpuSampleWeight = 0.1;
constexpr double kMargin = 0.15;
constexpr double kTargetShare = 0.90;
constexpr double kLowerShare = 0.50;
constexpr double kUpperShare = 0.95;
constexpr Duration kHalfLife = std::chrono::hours(24);
constexpr Duration kPeakInterval = std::chrono::hours(24);
constexpr double kShiftAfter = 100;  // Half-lives.
constexpr double kMinutesADay = 24 * 60;

}  // namespace

Vpa::Vpa(const Sized& sized)
    : resource_(sized.resource), first_(sized.resource == Resource::kCpu ? 10 : 1e7) {}

double Vpa::StartOf(std::size_t bucket) const {
  return first_ * (std::pow(kRatio, static_cast<double>(bucket)) - 1) / (kRatio - 1);
}

std::size_t Vpa::BucketOf(double value) const {
  if (value < first_) return 0;
  const double bucket = std::log(value * (kRatio - 1) / first_ + 1) / std::log(kRatio);
  return std::min(static_cast<std::size_t>(bucket), kBuckets - 1);
}

void Vpa::Add(double value, double weight, Time at) {
  const auto half_lives = [&] {
    return static_cast<double>((at - reference_).count()) / static_cast<double>(kHalfLife.count());
  };
  if (!since_) {
    since_ = at;
    reference_ = at;
  } else if (half_lives() > kShiftAfter) {
    const double whole = std::floor(half_lives());
    total_ = 0;
    for (double& each : weights_) total_ += each *= std::exp2(-whole);
    reference_ += static_cast<std::int64_t>(whole) * kHalfLife;
  }
  until_ = std::max(until_, at);
  const double worth = weight * std::exp2(half_lives());
  double& kept = weights_[BucketOf(value)];
  const double before = kept;
  kept = std::max(kept + worth, 0.0);
  total_ += kept - before;
}

// The peak of the day stands for the whole day: a higher one takes its place.
void Vpa::AddPeak(double value, Time at) {
  if (!peak_ || at - peak_day_ >= kPeakInterval) {
    const auto days = peak_ ? (at - peak_day_) / kPeakInterval : 0;
    peak_day_ = peak_ ? peak_day_ + days * kPeakInterval : at;
  } else {
    if (value <= *peak_) return;
    Add(*peak_, -1, peak_at_);
  }
  Add(value, 1, at);
  peak_ = value;
  peak_at_ = at;
}

void Vpa::Observe(const UsageWindow& window) {
  if (window.samples.empty()) return;
  constexpr std::uint64_t kMinutesAWindow = 5;
  minutes_ += kMinutesAWindow;
  until_ = window.end;
  if (resource_ != Resource::kCpu) {
    return AddPeak(*std::ranges::max_element(window.samples), window.end);
  }
  for (const float sample : window.samples) Add(sample, kCpuSampleWeight, window.end);
}

void Vpa::ObserveOom(std::int64_t used, Time at) {
  const auto amount = static_cast<double>(used);
  AddPeak(std::max(amount + 100 * 0x1p20, amount * 1.2), at);
}

double Vpa::Percentile(double share) const {
  const auto counts = [](double weight) { return weight >= kEpsilon; };
  const auto low = std::ranges::find_if(weights_, counts);
  if (low == weights_.end()) return 0;
  std::size_t highest = kBuckets - 1;
  while (!counts(weights_[highest])) --highest;
  auto bucket = static_cast<std::size_t>(low - weights_.begin());
  double below = weights_[bucket];
  while (below < share * total_ && bucket < highest) below += weights_[++bucket];
  return bucket + 1 < kBuckets ? StartOf(bucket + 1) : StartOf(bucket);
}

double Vpa::Confidence() const {
  const double days = std::chrono::duration<double, std::ratio<86400>>(until_ - *since_).count();
  return std::min(days, static_cast<double>(minutes_) / kMinutesADay);
}

std::int64_t Vpa::AtLeastMinimum(double amount) const {
  const double minimum = resource_ == Resource::kCpu ? 25 : 250e6;
  // Nothing is known to be enough yet.
  const double most = std::min(amount, static_cast<double>(kAmountMax));
  return static_cast<std::int64_t>(std::ceil(std::max(most, minimum)));
}

std::optional<SizeAdvice> Vpa::Recommend() const {
  if (!since_) return std::nullopt;
  const double confidence = Confidence();
  const auto with_margin = [&](double share) { return Percentile(share) * (1 + kMargin); };
  return SizeAdvice{
      .target = AtLeastMinimum(with_margin(kTargetShare)),
      .lower = AtLeastMinimum(with_margin(kLowerShare) * std::pow(1 + 0.001 / confidence, -2)),
      .upper = AtLeastMinimum(with_margin(kUpperShare) * (1 + 1 / confidence))};
}

std::string Vpa::Why() const {
  if (!since_) return {};
  const auto amount = [&](double value) {
    return FormatSize(resource_, static_cast<std::int64_t>(std::ceil(value)));
  };
  return fmt::format("{}: p90 of {} over a 24 h half-life is {}, +15%",
                     amount(static_cast<double>(Recommend()->target)),
                     resource_ == Resource::kCpu ? "samples" : "daily peaks",
                     amount(Percentile(kTargetShare)));
}

std::unique_ptr<Recommender> NewVpa(const Sized& sized) { return std::make_unique<Vpa>(sized); }

}  // namespace berth

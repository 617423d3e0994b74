#include "rightsize/recommenders/window.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rightsize/recommenders/builtin.h"
#include "rightsize/size_text.h"

namespace berth {
namespace {

constexpr double kMarginOfSmall = 0.15;
constexpr double kMarginOfLarge = 0.10;

std::string_view NameOf(UsageStatistic statistic) {
  switch (statistic) {
    case UsageStatistic::kMean:
      return "mean";
    case UsageStatistic::kP90:
      return "p90 of the load";
    case UsageStatistic::kP95:
      return "p95 of the load";
    case UsageStatistic::kP98:
      return "p98 of the load";
    case UsageStatistic::kMax:
      return "peak of a week";
    case UsageStatistic::kP60OrHalfMax:
      return "p60 of the load or half the peak of a week";
  }
  return {};
}

}  // namespace

UsageStatistic StatisticFor(const Sized& sized) {
  if (sized.resource == Resource::kCpu) {
    switch (sized.cpu) {
      case CpuKind::kBatch:
        return UsageStatistic::kMean;
      case CpuKind::kServing:
        return UsageStatistic::kP90;
      case CpuKind::kLatencySensitive:
        return UsageStatistic::kP95;
    }
  }
  switch (sized.oom) {
    case OomTolerance::kMinimal:
      return UsageStatistic::kMax;
    case OomTolerance::kLow:
      return UsageStatistic::kP98;
    case OomTolerance::kIntermediate:
      return UsageStatistic::kP60OrHalfMax;
  }
  return UsageStatistic::kMax;
}

double SafetyMargin(Resource resource, double raw) {
  const double small = resource == Resource::kCpu ? 1000 : 0x1p30;  // A core; a GiB.
  const double large = 32 * small;
  const double where = std::log(std::clamp(raw, small, large) / small) / std::log(large / small);
  return kMarginOfSmall + where * (kMarginOfLarge - kMarginOfSmall);
}

MovingWindow::MovingWindow(const Sized& sized)
    : resource_(sized.resource),
      statistic_(StatisticFor(sized)),
      usage_(Buckets::Of(sized.resource),
             sized.resource == Resource::kCpu ? kCpuHalfLife : kMemoryHalfLife) {}

void MovingWindow::Observe(const UsageWindow& window) {
  if (window.histogram.empty()) return;
  usage_.Add(window.histogram, window.end);
  NotePeak(window.histogram.peak(), window.end);
  const std::size_t at = said_++ % kWindowsAnHour;
  recent_[at] = static_cast<float>(WithMargin(Raw()));
  said_at_[at] = window.end;
}

// What it could not have is what it needs, at least: a fifth more than it had.
void MovingWindow::ObserveOom(std::int64_t used, Time at) {
  constexpr double kMoreAfterOom = 1.2;
  const float wanted = static_cast<float>(static_cast<double>(used) * kMoreAfterOom);
  WindowHistogram histogram;
  histogram.Add(usage_.buckets().Find(wanted));
  Observe({.end = at, .samples = std::span(&wanted, 1), .histogram = histogram});
}

void MovingWindow::NotePeak(UsageBucket peak, Time at) {
  const std::int64_t hour = std::chrono::floor<std::chrono::hours>(at.time_since_epoch()).count();
  const std::int64_t skipped = hour_ < 0 ? 0 : std::min<std::int64_t>(hour - hour_, kPeakHours);
  for (std::int64_t i = 0; i < skipped; ++i) {
    peaks_[static_cast<std::size_t>(hour - i) % kPeakHours] = 0;
  }
  hour_ = hour;
  UsageBucket& kept = peaks_[static_cast<std::size_t>(hour) % kPeakHours];
  kept = std::max(kept, static_cast<UsageBucket>(peak + 1));
}

std::int64_t MovingWindow::Peak() const {
  return usage_.buckets().bound(static_cast<UsageBucket>(*std::ranges::max_element(peaks_) - 1));
}

double MovingWindow::Raw() const {
  switch (statistic_) {
    case UsageStatistic::kMean:
      return usage_.Mean();
    case UsageStatistic::kP90:
      return static_cast<double>(usage_.LoadPercentile(0.90));
    case UsageStatistic::kP95:
      return static_cast<double>(usage_.LoadPercentile(0.95));
    case UsageStatistic::kP98:
      return static_cast<double>(usage_.LoadPercentile(0.98));
    case UsageStatistic::kMax:
      return static_cast<double>(Peak());
    case UsageStatistic::kP60OrHalfMax:
      return std::max(static_cast<double>(usage_.LoadPercentile(0.60)),
                      0.5 * static_cast<double>(Peak()));
  }
  return 0;
}

std::int64_t MovingWindow::WithMargin(double raw) const {
  return static_cast<std::int64_t>(std::ceil(raw * (1 + SafetyMargin(resource_, raw))));
}

std::optional<SizeAdvice> MovingWindow::Recommend() const {
  if (said_ == 0) return std::nullopt;
  const Time now = said_at_[(said_ - 1) % kWindowsAnHour];
  float most = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(said_, kWindowsAnHour); ++i) {
    if (now - said_at_[i] < std::chrono::hours(1)) most = std::max(most, recent_[i]);
  }
  const auto target = static_cast<std::int64_t>(most);
  return SizeAdvice{
      .target = target,
      .lower = std::min(target, WithMargin(static_cast<double>(usage_.Percentile(0.5)))),
      .upper = std::max(target, WithMargin(static_cast<double>(Peak())))};
}

std::string MovingWindow::Why() const {
  if (said_ == 0) return {};
  const double raw = Raw();
  const auto amount = [&](double value) {
    return FormatSize(resource_, static_cast<std::int64_t>(std::ceil(value)));
  };
  const Duration half_life = resource_ == Resource::kCpu ? kCpuHalfLife : kMemoryHalfLife;
  return fmt::format("{}: {} over a {} h half-life is {}, +{:.0f}%, the most of the last hour",
                     amount(static_cast<double>(Recommend()->target)), NameOf(statistic_),
                     std::chrono::duration_cast<std::chrono::hours>(half_life).count(), amount(raw),
                     100 * SafetyMargin(resource_, raw));
}

std::size_t MovingWindow::bytes() const { return sizeof *this - sizeof usage_ + usage_.bytes(); }

std::unique_ptr<Recommender> NewWindow(const Sized& sized) {
  return std::make_unique<MovingWindow>(sized);
}

}  // namespace berth

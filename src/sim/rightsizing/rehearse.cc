#include "sim/rightsizing/rehearse.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/quantiles.h"

namespace berth {
namespace {

constexpr Duration kDay = std::chrono::hours(24);

// One day as it goes on.
class DayBook {
 public:
  void Note(std::span<const float> samples, std::size_t instances, std::int64_t limit,
            bool changed) {
    double sum = 0;
    for (const float sample : samples) {
      sum += sample;
      day_.used_above += std::max(0.0, sample - static_cast<double>(limit));
      if (sample > static_cast<double>(limit)) ++day_.samples_above;
    }
    day_.used += sum;
    day_.samples += samples.size();
    day_.limit_mean += static_cast<double>(limit);
    day_.instances += static_cast<double>(instances);
    day_.changes += changed ? 1 : 0;
    means_.push_back(sum / static_cast<double>(samples.size()));
  }

  // Into `days`, if there was anything.
  void Close(std::vector<SizingDay>& days, std::uint32_t number) {
    if (means_.empty()) return;
    day_.number = number;
    const auto windows = static_cast<double>(means_.size());
    day_.limit_mean /= windows;
    day_.instances /= windows;
    day_.usage_p95 = Quantile(std::exchange(means_, {}), 0.95);
    days.push_back(std::exchange(day_, {}));
  }

 private:
  SizingDay day_;
  std::vector<double> means_;
};

// Calls each(window, limit): the limit in force in it, from the windows before; none in the first.
template <typename Each>
void WalkLimits(const ServiceUsage& usage, Resource resource, Recommender& advisor, Each each) {
  const Buckets& buckets = Buckets::Of(resource);
  std::optional<std::int64_t> limit;
  WindowHistogram histogram;
  for (const ServiceWindow& window : usage.windows) {
    const std::vector<float>& samples = SamplesOf(window, resource);
    const std::optional<SizeAdvice> advice = advisor.Recommend();
    if (advice) limit = advice->target;
    each(window, limit);
    histogram.Clear();
    for (const float sample : samples) histogram.Add(buckets.Find(sample));
    advisor.Observe(
        {.end = window.begin + kWindowLength, .samples = samples, .histogram = histogram});
  }
}

}  // namespace

std::vector<SizingDay> RehearseSizing(const ServiceUsage& usage, Resource resource,
                                      Recommender& advisor) {
  std::vector<SizingDay> days;
  DayBook book;
  std::optional<std::int64_t> last;
  std::uint32_t today = 0;
  WalkLimits(usage, resource, advisor, [&](const ServiceWindow& window, auto limit) {
    const auto day =
        static_cast<std::uint32_t>((window.begin - usage.windows.front().begin) / kDay);
    if (day != today) book.Close(days, std::exchange(today, day));
    const bool changed = last && limit != last;
    // A recommender that has nothing to say yet has no limit to judge.
    if (day > 0 && limit) {
      book.Note(SamplesOf(window, resource), window.memory.size(), *limit, changed);
    }
    last = limit;
  });
  book.Close(days, today);
  return days;
}

std::vector<std::optional<std::int64_t>> TraceLimits(const ServiceUsage& usage, Resource resource,
                                                     Recommender& advisor) {
  std::vector<std::optional<std::int64_t>> limits;
  limits.reserve(usage.windows.size());
  WalkLimits(usage, resource, advisor,
             [&](const ServiceWindow& /*window*/, auto limit) { limits.push_back(limit); });
  return limits;
}

SizingTotals SumUp(const std::vector<std::vector<SizingDay>>& services) {
  SizingTotals totals;
  std::vector<double> slacks;
  std::vector<double> changes;
  double used = 0;
  double above = 0;
  double task_days = 0;
  std::uint64_t samples = 0;
  std::uint64_t samples_above = 0;
  for (const std::vector<SizingDay>& days : services) {
    double limits = 0;
    for (const SizingDay& day : days) {
      slacks.push_back(day.slack());
      changes.push_back(day.changes);
      used += day.used;
      above += day.used_above;
      samples += day.samples;
      samples_above += day.samples_above;
      task_days += day.instances;
      limits += day.limit_mean * day.instances;
      totals.days_without += day.samples_above == 0 ? 1 : 0;
      totals.days_unchanged += day.changes == 0 ? 1 : 0;
    }
    if (!days.empty()) totals.footprint += limits / static_cast<double>(days.size());
  }
  totals.days = slacks.size();
  if (totals.days == 0) return totals;
  const auto count = static_cast<double>(totals.days);
  totals.slack_mean = Mean(slacks);
  totals.slack_median = Quantile(std::move(slacks), 0.5);
  totals.share_used_above = used == 0 ? 0 : above / used;
  totals.share_samples_above = static_cast<double>(samples_above) / static_cast<double>(samples);
  totals.above_per_task_day = static_cast<double>(samples_above) / task_days;
  totals.days_without /= count;
  totals.days_unchanged /= count;
  totals.changes_p99 = Quantile(std::move(changes), 0.99);
  return totals;
}

std::uint64_t SeriousDays(const std::vector<std::vector<SizingDay>>& services,
                          const SeriousThreshold& threshold) {
  std::uint64_t serious = 0;
  for (const std::vector<SizingDay>& days : services) {
    for (const SizingDay& day : days) {
      const double most = std::max<double>(threshold.count, threshold.share * day.instances);
      if (static_cast<double>(day.samples_above) > most) ++serious;
    }
  }
  return serious;
}

}  // namespace berth

// Autopilot's first recommender (section 3.2.2): a statistic of decayed usage, by the kind of
// service, a margin, and the most that this was in the last hour.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rightsize/recommender.h"
#include "usage/decayed_histogram.h"

namespace berth {

// Which of them a service of that kind is sized by.
enum class UsageStatistic : std::uint8_t { kMean, kP90, kP95, kP98, kMax, kP60OrHalfMax };
UsageStatistic StatisticFor(const Sized& sized);

// 15% of what is small, falling to 10% of what is large.
double SafetyMargin(Resource resource, double raw);

class MovingWindow final : public Recommender {
 public:
  static constexpr Duration kCpuHalfLife = std::chrono::hours(12);
  static constexpr Duration kMemoryHalfLife = std::chrono::hours(48);
  // S_max looks so far back, by the hour.
  static constexpr std::size_t kPeakHours = 168;

  explicit MovingWindow(const Sized& sized);

  void Observe(const UsageWindow& window) override;
  void ObserveOom(std::int64_t used, Time at) override;
  std::optional<SizeAdvice> Recommend() const override;
  std::string Why() const override;
  std::string Save() const override;
  Status Restore(std::string_view bytes) override;

  std::size_t bytes() const;

 private:
  static constexpr std::size_t kWindowsAnHour = 12;

  void NotePeak(UsageBucket peak, Time at);
  double Raw() const;
  std::int64_t Peak() const;
  std::int64_t WithMargin(double raw) const;

  Resource resource_;
  UsageStatistic statistic_;
  DecayedHistogram usage_;
  std::array<UsageBucket, kPeakHours>
      peaks_{};             // Of an hour plus one, none: 0; by the hour modulo their number.
  std::int64_t hour_ = -1;  // The last that has one.
  std::array<float, kWindowsAnHour> recent_{};  // What was said at the last windows,
  std::array<Time, kWindowsAnHour> said_at_{};  // and when.
  std::uint32_t said_ = 0;
};

}  // namespace berth

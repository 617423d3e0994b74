// How well promises were kept (sections 4.3.1, 5.2 and 5.3).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fleet/settings.h"
#include "qos/availability.h"

namespace berth {

// By how much the availability falls short of the promise; 0 if it does not.
double QosDeficit(const Delivered& delivered, std::uint32_t target_ppm);

// The hardest tier whose bound was missed (table 2).
std::uint32_t CreditPercent(const ServiceClass& klass, const Delivered& delivered);

// In cpu-hours: deficit times duration times cpus (Eq. 10), and the credit on top (Eq. 11).
double Penalty(const ServiceClass& klass, const Delivered& delivered, Duration duration,
               double cpus);

// The Gini coefficient: 0 if all are equal, or nobody has anything. The values need no order.
double Gini(std::vector<double> values);

// A mean and its 95% confidence interval, as of a normal distribution.
struct MeanInterval {
  double mean = 0;
  double half_width = 0;
  std::size_t samples = 0;
};
MeanInterval MeanWithInterval(std::span<const double> samples);

// What an interval was like under the priority-based scheduler. The paper leaves open what it is
// when someone important has less than all of its time and yet as much as promised: low, here.
enum class ContentionLevel : std::uint8_t { kNone, kLow, kMedium, kHigh };
inline constexpr std::size_t kContentionLevels = 4;

// What the active of a class got until an interval's end.
struct ClassInInterval {
  std::uint64_t active = 0;
  std::uint64_t fulfilled = 0;
  double least = 1;  // Availability.
  double gini = 0;
};
// Of all classes; `ranks` says how important each is, 0 the most.
ContentionLevel LevelOf(std::span<const ClassInInterval> classes,
                        std::span<const std::uint32_t> ranks);

// Availabilities of the same requests under two schedulers, in squares of 5%.
class PairedAvailabilities {
 public:
  static constexpr std::size_t kSquares = 20;

  explicit PairedAvailabilities(std::uint32_t target_ppm) : target_ppm_(target_ppm) {}

  void Add(double priority, double qos);

  std::uint64_t total() const { return total_; }
  std::uint64_t At(std::size_t priority_square, std::size_t qos_square) const {
    return squares_[priority_square][qos_square];
  }
  // Of those whose promise was kept, or not, under each.
  std::uint64_t Quadrant(bool priority_kept, bool qos_kept) const {
    return quadrants_[priority_kept ? 1 : 0][qos_kept ? 1 : 0];
  }

 private:
  std::uint32_t target_ppm_;
  std::uint64_t total_ = 0;
  std::array<std::array<std::uint64_t, kSquares>, kSquares> squares_{};
  std::array<std::array<std::uint64_t, 2>, 2> quadrants_{};
};

}  // namespace berth

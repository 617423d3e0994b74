// Ways to look for the limits of slo_problem.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "berth/rng.h"
#include "perfmodel/slo_problem.h"

namespace berth {

enum class SloMethod : std::uint8_t {
  // All applications at once, by gradients from random starts; the best, in whole milli-cores.
  kJoint,
  // Each application for itself, the median of random starts, averaged: the thesis's.
  kContinuous,
  // That, and every point of a coarse grid around it.
  kHybrid,
  // Every point of a grid of 50 or 10 milli-cores.
  kGrid50,
  kGrid10,
};
inline constexpr std::string_view kSloMethodNames[] = {"joint", "continuous", "hybrid", "grid-50",
                                                       "grid-10"};
Result<SloMethod> ParseSloMethod(std::string_view name);

inline constexpr std::size_t kRandomStarts = 15;
inline constexpr double kHybridStep = 50;
inline constexpr std::size_t kGridPointsMax = 50'000'000;

struct SloLimits {
  std::vector<double> limits{};
  std::vector<double> predicted{};  // By application and Sli.
  LimitsValue value{};
};

// The same for the same seed, whatever the number of workers. A grid of too many points is an
// error. Where no limits comply, those that miss objectives by least.
Result<SloLimits> FindLimits(const SloProblem& problem, SloMethod method, Rng rng,
                             std::size_t workers);

// Steps of the hybrid's grid to either side: Eq. 7.7.
std::size_t HybridReach(double capacity_cpu_milli, std::size_t applications, double step);

// Minimises the product of all applications, or of one, from a start. Not rounded.
std::vector<double> MinimiseFrom(const SloProblem& problem, std::vector<double> start,
                                 std::optional<std::size_t> application);

}  // namespace berth

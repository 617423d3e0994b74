// Intervals of a rehearsal of who yields, by how contended they were.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "qos/metrics.h"
#include "sim/qos/rehearsal.h"

namespace berth {

inline constexpr std::array<std::string_view, kContentionLevels> kContentionNames = {
    "none", "low", "medium", "high"};

// By the priority-based scheduler's result, interval by interval.
std::vector<ContentionLevel> ContentionLevels(const QosResult& priority,
                                              const std::vector<ServiceClass>& classes);

// Of a class in the intervals of a level in which any of it was active.
struct FairnessSamples {
  std::vector<double> gini;
  std::vector<double> least;      // Availability.
  std::vector<double> fulfilled;  // The share of them.
};
FairnessSamples FairnessOf(const QosResult& result, const std::vector<ContentionLevel>& levels,
                           ContentionLevel level, std::size_t klass);

}  // namespace berth

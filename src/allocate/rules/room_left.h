// How much of a machine stays free once the ask is on it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "allocate/ask.h"
#include "allocate/points.h"
#include "base/fields.h"

namespace berth {

// The share of a resource, in points; 0 where there is none of it.
inline std::uint32_t ShareLeft(const Ask& ask, const Candidate& machine, Resource r) {
  return machine.ShareOf(r, machine.Free(r) - ask.traits.limit[r]);
}

// A scarcer resource gets a higher weight.
using Weights = std::array<std::uint32_t, kResourceCount>;

inline Weights ReadWeights(Fields& options) {
  const auto node = options.Optional("weights");
  if (!node) return {1, 1, 0, 0, 0};  // cpu and memory: what runs out first nearly everywhere.
  Weights weights{};
  Fields given(*node);
  for (const Resource r : kAllResources) {
    weights[static_cast<std::size_t>(r)] =
        given.Integer<std::uint32_t>(ResourceName(r), {.min = 0, .max = 1000}, 0);
  }
  options.Check(given.Finish());
  return weights;
}

// The weighted share of the resources that the machine has.
inline std::uint32_t ShareLeft(const Ask& ask, const Candidate& machine, const Weights& weights) {
  std::uint64_t sum = 0;
  std::uint64_t weight = 0;
  for (const Resource r : kAllResources) {
    const std::uint32_t w = weights[static_cast<std::size_t>(r)];
    if (w == 0 || !machine.Has(r)) continue;
    sum += std::uint64_t{w} * ShareLeft(ask, machine, r);
    weight += w;
  }
  return weight == 0 ? 0 : static_cast<std::uint32_t>(sum / weight);
}

}  // namespace berth

// How loaded a machine is, as one number: W_Sum and W_Max of the tenant placement paper.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "allocate/points.h"
#include "base/fields.h"
#include "berth/resources.h"

namespace berth {

enum class Weighting : std::uint8_t {
  kSum,  // The weighted mean of the resources' shares.
  kMax,  // The greatest share.
};
// Whether an option is the second of the two words that it may be; the first if left out.
inline bool IsSecondWord(Fields& options, std::string_view key, std::string_view first,
                         std::string_view second) {
  const auto node = options.Optional(key);
  if (!node) return false;
  const Result<std::string_view> text = node->Text();
  options.Check(text.status());
  if (!text.ok()) return false;
  if (text.value() != first && text.value() != second) {
    options.Check(
        node->Error("must be '" + std::string(first) + "' or '" + std::string(second) + "'"));
  }
  return text.value() == second;
}
// The option `weighting`.
inline Weighting ReadWeighting(Fields& options) {
  return IsSecondWord(options, "weighting", "max", "sum") ? Weighting::kSum : Weighting::kMax;
}

// What counts how much in the sum, in any unit. All zero: everything alike.
using LoadWeights = std::array<std::uint32_t, kResourceCount>;

// A load as a share of the capacity. Twice the capacity is kPointsMax, so that machines of which
// more is asked than they have are still told apart.
inline std::uint32_t LoadShare(std::int64_t load, std::int64_t capacity) {
  if (load <= 0 || capacity <= 0) return 0;
  const double share = static_cast<double>(load) / static_cast<double>(capacity);
  return static_cast<std::uint32_t>(std::min(share / 2, 1.0) * kPointsMax);
}

inline std::uint32_t LoadPoints(const Resources& load, const Resources& capacity,
                                Weighting weighting, const LoadWeights& weights) {
  std::uint64_t sum = 0;
  std::uint64_t weight = 0;
  std::uint32_t greatest = 0;
  const bool alike = weights == LoadWeights{};
  for (const Resource r : kAllResources) {
    if (capacity[r] <= 0) continue;
    const std::uint32_t share = LoadShare(load[r], capacity[r]);
    const std::uint64_t w = alike ? 1 : weights[static_cast<std::size_t>(r)];
    sum += w * share;
    weight += w;
    greatest = std::max(greatest, share);
  }
  if (weighting == Weighting::kMax) return greatest;
  return weight == 0 ? 0 : static_cast<std::uint32_t>(sum / weight);
}

}  // namespace berth

// A percentage for each resource, as rules that bound shares have it among their options.
#pragma once

#include <array>
#include <cstdint>

#include "base/fields.h"
#include "berth/resources.h"
#include "fleet/file_parts.h"

namespace berth {

using Percents = std::array<std::uint32_t, kResourceCount>;

// "cpu: 95%, memory: 0.9"; what is not named is `otherwise`.
inline Percents ReadPercents(Fields& options, std::int64_t min, const Percents& otherwise) {
  Percents percents = otherwise;
  for (const Resource r : kAllResources) {
    const auto node = options.Optional(ResourceName(r));
    if (!node) continue;
    const Result<std::int64_t> percent = ReadShare(*node, {.whole = 100, .min = min, .max = 100});
    options.Check(percent.status());
    if (!percent.ok()) continue;
    percents[static_cast<std::size_t>(r)] = static_cast<std::uint32_t>(percent.value());
  }
  return percents;
}

}  // namespace berth

// Stabilisers: a path of counts made steady by taking one count for each window of it.
//
// To add one, write stabilisers/NAME.cc with the function, and name both in stabilisers.def.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "berth/status.h"
#include "scale/space/count_path.h"

namespace berth {

struct StabiliserEntry {
  std::string_view name;
  std::string_view summary;
  CountPath (*stabilise)(std::span<const std::uint32_t> counts, std::size_t window);
};

// In the order of stabilisers.def.
std::span<const StabiliserEntry> Stabilisers();
// The message names those there are.
Result<const StabiliserEntry*> FindStabiliser(std::string_view name);

}  // namespace berth

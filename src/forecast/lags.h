// The lags that a value is regressed on.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace berth {

// The latest values, and of each season the value then and the one before it, as far as so many
// points allow; at least the latest.
std::vector<std::size_t> LagsFor(std::size_t points, std::span<const std::size_t> seasons);

}  // namespace berth

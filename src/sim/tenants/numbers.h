// How nodes and tenants of a rehearsed cluster are numbered.
#pragma once

#include <cstdint>

namespace berth {

using NodeIndex = std::uint32_t;
using TenantNumber = std::uint32_t;  // As they come, from 0.
inline constexpr NodeIndex kNoNode = UINT32_MAX;

}  // namespace berth

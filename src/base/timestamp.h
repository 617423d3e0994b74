// Dates as people write them, UTC.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace berth {

// Seconds since the Unix epoch of "2026-11-15 13:45:00"; the seconds may be left out, a T may stand
// in place of the space and a Z at the end.
std::optional<std::int64_t> ParseTimestamp(std::string_view text);

}  // namespace berth

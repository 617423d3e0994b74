// Whether bytes are text.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace berth {

// Where the first byte is that does not belong to a well-formed UTF-8 sequence, if any does not.
std::optional<std::size_t> FindMalformedUtf8(std::string_view text);

// Control characters other than tab and line ends, which text files do not hold.
bool IsControl(char c);

}  // namespace berth

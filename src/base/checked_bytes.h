// Bytes that end with a checksum of themselves, for files that may be cut short or damaged.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace berth {

std::string WithChecksum(std::string content);
// The content; none if the checksum is another, or there is none.
std::optional<std::string_view> WithoutChecksum(std::string_view bytes);

}  // namespace berth

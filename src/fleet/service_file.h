// Service files: one or several services as a tenant asks for them. The format is in
// docs/formats.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "berth/records.h"
#include "berth/status.h"

namespace berth {

// The class of a service that names none: placed at once or refused, so that nobody waits who did
// not agree to.
inline constexpr std::string_view kDefaultClass = "gold";

Result<std::vector<Service>> ParseServiceFile(std::string_view text, const std::string& file_name);
Result<std::vector<Service>> ReadServiceFile(const std::string& path);

}  // namespace berth

// Sizes as people read and set them: memory in whole MiB, rounded up.
#pragma once

#include <cstdint>
#include <string>

#include "berth/resources.h"

namespace berth {

std::int64_t RoundedSize(Resource resource, std::int64_t amount);
std::string FormatSize(Resource resource, std::int64_t amount);

}  // namespace berth

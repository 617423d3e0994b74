// Whether a count that is recommended is also set.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/fields.h"

namespace berth {

enum class ScalingMode : std::uint8_t {
  kOff,     // Not even looked at.
  kDryRun,  // A count is recommended,
  kAuto,    // and there are to be as many.
};
std::string_view ToString(ScalingMode mode);

// The field `mode`; left as it is where there is none.
void ReadScalingMode(Fields& fields, ScalingMode& mode);

}  // namespace berth

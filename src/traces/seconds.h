// Times and lifetimes as traces write them: seconds with at most six decimals.
#pragma once

#include <string>
#include <string_view>

#include "berth/status.h"
#include "berth/time.h"

namespace berth {

// "12", "0.25". Exact or refused; from zero to kDurationMax. The error says what is wrong and what
// to do.
Result<Duration> ParseSeconds(std::string_view text);

// The inverse: "12", "0.25".
std::string FormatSeconds(Duration duration);

}  // namespace berth

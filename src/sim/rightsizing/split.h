// Which part of the usage data weights are tuned on, and which is held out: by service and by time,
// so that what was tuned is judged on services and on days that it never saw.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "berth/status.h"

namespace berth {

enum class SizingPart : std::uint8_t { kAll, kTuning, kHeldOut };

struct SizingSplit {
  std::uint64_t of = 3;            // A service is held out if what its name's hash leaves when
  std::uint64_t held_out = 1;      // divided by `of` is less than that.
  std::uint32_t tuning_days = 14;  // Days before that are for tuning, those from it on held out.

  bool IsHeldOut(std::string_view service) const;
  // Whether a service is scored on a day, counted from its first, from 0.
  bool Scores(SizingPart part, std::string_view service, std::uint32_t day) const;
};

Result<SizingSplit> ReadSizingSplit(const std::string& path);

}  // namespace berth

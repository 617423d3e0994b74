// What the instances of a demo are said to use.
#pragma once

#include <cstdint>
#include <string_view>

#include "berth/resources.h"

namespace berth {

struct DemoUsage {
  double cpu_milli = 0;
  double memory_bytes = 0;
};

// At a time of the day from 0 to 1: cpu as in a service that people use, least at night and most in
// the early afternoon; memory at a level of its own. Each instance differs, by its name, and none
// uses more than its limit.
DemoUsage UsageOf(std::string_view instance, const Resources& limit, double of_day);

}  // namespace berth

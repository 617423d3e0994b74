// What was used of something at a time, or measured of it, in its unit.
#pragma once

#include "berth/time.h"

namespace berth {

struct UsagePoint {
  Time at;
  double value = 0;
};

}  // namespace berth

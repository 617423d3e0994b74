#pragma once

namespace berth {

// A sweep on one core and on two: the same bytes, and how many times faster.
void RunSweepScaling();

}  // namespace berth

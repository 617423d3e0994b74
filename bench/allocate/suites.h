// What bench_allocate consists of.
#pragma once

namespace berth {

void RunFromScratch(bool full);
void RunCached(bool full);
void RunDensity(bool full);

}  // namespace berth

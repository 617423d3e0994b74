// What bench_allocate consists of.
#pragma once

namespace berth {

void RunFromScratch(bool full);
void RunCached(bool full);

}  // namespace berth

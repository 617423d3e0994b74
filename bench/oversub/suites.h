// What bench_oversub consists of.
#pragma once

namespace berth {

void RunPlacement(bool full);
void RunFleet(bool full);
void RunFit(bool full);
void RunBalance(bool full);
void RunAllocator(bool full);
void RunRehearsal(bool full);

}  // namespace berth

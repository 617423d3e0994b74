// The stepped simulation of Multiverse experiments.
#pragma once

namespace berth {

// What a simulated second costs, of the example from the top of the tree.
void RunMultiverse();

}  // namespace berth

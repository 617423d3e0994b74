// What recommenders cost on the held-out part of the real usage data, and whether the ensembles lie
// below the line through the others.
#pragma once

namespace berth {

// Says so where the data is not at hand.
void RunFrontier();

}  // namespace berth

// Algorithms 2 and 3: best and worst fit of nodes whose probability of a violation stays below
// theta.
#pragma once

#include <memory>

#include "sim/tenants/technique.h"
#include "sim/tenants/violation_estimate.h"

namespace berth {

// How full a node is: W_Max or W_Sum.
enum class Fullness { kMax, kSum };

// The fullest of the safe nodes.
std::unique_ptr<Technique> MakePrvBestFit(
    const TechniqueContext& context, Fullness by,
    ViolationEstimate::Least least = ViolationEstimate::Least::kHarm);
// The least full of them; three nodes are held out until no other is safe.
std::unique_ptr<Technique> MakePrvWorstFit(
    const TechniqueContext& context, Fullness by,
    ViolationEstimate::Least least = ViolationEstimate::Least::kHarm);

}  // namespace berth

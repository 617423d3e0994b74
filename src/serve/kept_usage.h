// What the samples that a zone keeps say of its instances' usage, as the balancer wants it.
#pragma once

#include "fleet/inventory.h"
#include "oversub/fleet_balance.h"
#include "usage/samples.h"

namespace berth {

struct UsageInSamples {
  UsageByInstance usage;
  Time latest;  // Of all samples.
};
// Of the fleet's instances. One of which some resources were not sampled is taken to use its limit
// of those.
UsageInSamples UsageOfInstances(const Samples& samples, const Inventory& fleet);

}  // namespace berth

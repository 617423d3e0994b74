// What is kept of the usage of a zone's instances, as the balancer wants it.
#pragma once

#include "fleet/inventory.h"
#include "oversub/fleet_balance.h"
#include "usage/seen_usage.h"

namespace berth {

// Whether it is the instance that was seen, and has not ended.
bool IsStillThere(const Inventory& fleet, const InstanceId& id, const SeenUsage& seen);

struct UsageInRecords {
  UsageByInstance usage;
  Time latest;  // Of all samples.
};
// Of the fleet's instances. One of which some resources were not sampled is taken to use its limit
// of those.
Result<UsageInRecords> UsageOfInstances(const UsageRecords& records, const Inventory& fleet);

}  // namespace berth

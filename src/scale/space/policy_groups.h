// The metric groups of a policy file.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/document.h"
#include "berth/status.h"
#include "scale/space/space_policy.h"

namespace berth {

enum class GroupsAre : std::uint8_t {
  kForeseen,
  kReactive,  // By what is measured now: without forecasters, stabilisers and priorities.
};

// `service` is where they stand, `items` are they.
Result<std::vector<MetricGroup>> ReadMetricGroups(const Node& service, std::span<const Node> items,
                                                  GroupsAre groups_are);

// In sequence a group leaves the next the band of its stabiliser's windows: all but the last in
// turn need one.
Status CheckBands(std::span<const MetricGroup> groups, std::span<const Node> items);

}  // namespace berth

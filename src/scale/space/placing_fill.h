// What strategies of placing share: filling nodes with instances.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "scale/space/placing.h"

namespace berth {

using FillOneNode = InstanceCounts (*)(std::span<const InstanceDemand> demands,
                                       const Resources& capacity, const InstanceCounts& left);

// Nodes of one type, filled one after the other; none if an instance that is wanted fits on none.
std::optional<std::vector<VmFilling>> FillNodes(const PlacingTask& task, std::size_t type,
                                                FillOneNode fill);

// The cheapest nodes of these types, several services on a node where that is cheaper; none if a
// service that is wanted fits on none.
std::optional<PlacingProposal> MixNodes(const PlacingTask& task,
                                        std::span<const std::size_t> types);

// Each node of the cheapest type that holds what is on it.
std::vector<VmFilling> OnCheapestTypes(const PlacingTask& task, std::vector<VmFilling> nodes);

// How many more fit. None on a node that holds too much, as one may whose instances grew.
std::uint32_t RoomLeftFor(const Resources& need, const Resources& free);

bool AnyWanted(const InstanceCounts& left);
std::vector<std::size_t> AllTypesOf(const PlacingTask& task);

}  // namespace berth

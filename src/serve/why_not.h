// "Why not that machine", asked of a fleet as it stands.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "allocate/refusal.h"
#include "berth.pb.h"
#include "berth/status.h"
#include "fleet/inventory.h"

namespace berth {

using AskingWhyNot =
    std::function<Result<WhyNot>(const Service&, std::optional<std::uint32_t>, MachineId)>;
Result<v1::WhyNotReply> AnswerWhyNot(const Inventory& fleet, const v1::WhyNotRequest& request,
                                     const AskingWhyNot& ask);

// By what is stored alone, from scratch: on a copy of the fleet.
Result<v1::WhyNotReply> AnswerWhyNot(const Inventory& fleet, const v1::WhyNotRequest& request);

}  // namespace berth

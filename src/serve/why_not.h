// "Why not that machine", asked of a fleet as it stands.
#pragma once

#include "berth.pb.h"
#include "berth/status.h"
#include "fleet/inventory.h"

namespace berth {

// Copies the fleet to try things on: not for the thread that decides.
Result<v1::WhyNotReply> AnswerWhyNot(const Inventory& fleet, const v1::WhyNotRequest& request);

}  // namespace berth

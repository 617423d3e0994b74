// How promises stand, as messages: for the server, and for reading a store that nobody serves.
#pragma once

#include <string_view>
#include <vector>

#include "berth.pb.h"
#include "fleet/inventory.h"

namespace berth {

// Those that wait, of one class or, if it is empty, of all; least leeway first.
std::vector<v1::PendingInstance> PendingIn(const Inventory& view, std::string_view klass, Time now);

v1::ServiceLevels ServiceLevelsIn(const Inventory& view, Time now);

}  // namespace berth

// The fleet as a server tells it.
#pragma once

#include <memory>

#include "cli/fleet_reader.h"

namespace berth {

std::unique_ptr<FleetReader> NewServerFleet(std::unique_ptr<Client> client);

}  // namespace berth

// The fleet as a store holds it.
#pragma once

#include <memory>

#include "cli/fleet_reader.h"
#include "cli/read_store.h"

namespace berth {

std::unique_ptr<FleetReader> NewStoreFleet(std::unique_ptr<StoreReader> reader);

}  // namespace berth

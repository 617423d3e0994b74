// What a store read is checked before it is believed: damage is an answer, never a crash.
#pragma once

#include "berth/status.h"
#include "fleet/inventory.h"

namespace berth {

// What Inventory::Install would abort on.
Status CheckInstallable(const Inventory& inventory, const Update& update);

}  // namespace berth

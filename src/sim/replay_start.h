// The fleet as it was when a log begins.
//
// A log that was kept from the first revision on begins with nothing. Of one whose beginning is
// forgotten, records that nothing has touched since are as they are now, and others as the log
// first shows them; what went without being shown is not known and is left out.
#pragma once

#include <cstdint>

#include "fleet/inventory.h"
#include "sim/recorded_log.h"

namespace berth {

struct ReplayStart {
  Inventory fleet;
  // That ran then and are left out: nothing is known of them any more but their names.
  std::uint64_t forgotten_services = 0;
  std::uint64_t forgotten_instances = 0;
};

ReplayStart StartOf(const RecordedLog& log);

// Installs what a commit did, as far as what it needs is known.
void ApplyKnown(const Committed& committed, Inventory& fleet);

// What a commit decided; null if it was merely reported or loaded.
const Decision* DecisionIn(const Committed& committed);

}  // namespace berth

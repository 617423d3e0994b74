// Declares the function of every importer in importers.def; each importer's .cc includes it.
#pragma once

#include "apptopo/open.h"

namespace berth {

#define BERTH_TOPOLOGY_IMPORTER(file, function, summary) \
  Result<ServiceGraph> function(const TopologyText& source);
#include "apptopo/importers/importers.def"
#undef BERTH_TOPOLOGY_IMPORTER

}  // namespace berth

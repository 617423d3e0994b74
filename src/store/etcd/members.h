// Whether the members of an etcd cluster hold the same. They always should; a crash or a full disk
// has made etcd itself lose that before, and then two processes decide on two different fleets.
#pragma once

#include <vector>

#include "fleet/invariants.h"
#include "store/etcd/options.h"

namespace berth {

// Asks every endpoint for the keys of the zone, all as of one moment. Nothing to compare: no check.
// An endpoint that does not answer is an error: what it holds would not be known.
Result<std::vector<Check>> CompareMembers(const EtcdOptions& options);

}  // namespace berth

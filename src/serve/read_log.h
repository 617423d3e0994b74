// The log of a zone that is being served, read whole.
#pragma once

#include <functional>

#include "serve/zone.h"
#include "sim/recorded_log.h"

namespace berth {

// Answers on the zone's pondering thread.
void ReadLog(Zone& zone, std::function<void(Result<RecordedLog>)> done);

}  // namespace berth

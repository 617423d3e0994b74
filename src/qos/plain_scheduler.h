// The QoS-driven scheduler as the paper has it, slow and obvious: every request that waits looks at
// every host, every time. It is what the fast one must decide like.
#pragma once

#include <memory>

#include "qos/scheduler.h"

namespace berth {

std::unique_ptr<Scheduler> NewPlainQosScheduler(SchedulerOptions options, const HostFilter& filter);

}  // namespace berth

// The schedulers that a policy names. Requests of a kind are tried once a pass. A search that finds
// nothing tells until when it will find nothing, so that until then a kind looks only at hosts that
// were touched since: of many that wait most are passed over.
#pragma once

#include <memory>

#include "qos/scheduler.h"

namespace berth {

// "qos": driven by what was promised and delivered. Decides exactly as NewPlainQosScheduler.
std::unique_ptr<Scheduler> NewQosScheduler(SchedulerOptions options, const HostFilter& filter);

// "priority": Kubernetes' semantics, the reference to compare with (section 4.1.2). The more
// important go first and preempt the less important; nobody yields to an equal.
std::unique_ptr<Scheduler> NewPriorityScheduler(SchedulerOptions options, const HostFilter& filter);

}  // namespace berth

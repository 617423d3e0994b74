// The schedulers that a policy names. Requests of a kind are tried once a pass, hosts are looked at
// from the cheapest preemption on, and a pass ends when nothing more can fit.
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

// The QoS-driven scheduler, decided like the plain one and fast: requests of a kind are tried once,
// hosts are looked at from the cheapest preemption on, and a pass ends when nothing more can fit.
#pragma once

#include <memory>

#include "qos/scheduler.h"

namespace berth {

std::unique_ptr<Scheduler> NewQosScheduler(SchedulerOptions options, const HostFilter& filter);

}  // namespace berth

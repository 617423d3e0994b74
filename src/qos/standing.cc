#include "qos/standing.h"

#include <algorithm>

#include "qos/metrics.h"

namespace berth {
namespace {

void Add(const ServiceClass& klass, const Instance& instance, Time now, ClassStanding& sum) {
  const InstanceStanding one = StandingOf(klass, instance, now);
  const bool waits = instance.state == InstanceState::kPending;
  ++sum.instances;
  sum.pending += waits ? 1 : 0;
  sum.fulfilled += one.standing == Standing::kFulfilled ? 1 : 0;
  sum.at_risk += one.standing == Standing::kAtRisk ? 1 : 0;
  sum.violated += one.standing == Standing::kViolated ? 1 : 0;
  sum.preemptions += instance.timeline.preemptions;
  if (waits && one.standing != Standing::kViolated &&
      (!sum.next_violation || one.leeway < *sum.next_violation)) {
    sum.next_violation = one.leeway;
  }
  sum.penalty_cpu_hours += Penalty(klass, one.delivered, one.delivered.ran + one.delivered.waited,
                                   static_cast<double>(instance.limit[Resource::kCpu]) / 1000);
}

}  // namespace

Delivered DeliveredOf(const Instance& instance, Time now) {
  const Timeline& timeline = instance.timeline;
  Delivered delivered{.ran = timeline.ran, .waited = timeline.waited};
  // Clocks of several processes may differ.
  const Duration passed = std::max(now - timeline.since, Duration());
  if (instance.state == InstanceState::kPending) delivered.waited += passed;
  if (instance.HoldsRoom()) delivered.ran += passed;
  return delivered;
}

InstanceStanding StandingOf(const ServiceClass& klass, const Instance& instance, Time now) {
  InstanceStanding standing;
  standing.delivered = DeliveredOf(instance, now);
  const Leeway leeway = LeewayOf(standing.delivered, klass.availability_ppm, Duration());
  standing.leeway = leeway.Floor();
  if (!Fulfils(standing.delivered, klass.availability_ppm)) {
    standing.standing = Standing::kViolated;
    // While it runs its leeway grows by what the target leaves of the time.
    const std::uint32_t gains_ppm = kWholePpm - klass.availability_ppm;
    if (gains_ppm > 0) standing.recovers_in = -Leeway{leeway.scaled, gains_ppm}.Floor();
  } else if (instance.state == InstanceState::kPending && !AtLeast(leeway, klass.margin)) {
    standing.standing = Standing::kAtRisk;
  }
  return standing;
}

std::vector<ClassStanding> ClassStandings(const Inventory& view, Time now) {
  std::vector<ClassStanding> sums;
  for (const ServiceClass& klass : view.settings().classes) {
    sums.push_back({.name = klass.name, .target_ppm = klass.availability_ppm});
  }
  for (const ServiceState& service : view.services()) {
    if (service.vacant()) continue;
    const auto sum = std::ranges::find(sums, service.record.klass, &ClassStanding::name);
    const ServiceClass& klass = *view.settings().FindClass(service.record.klass);
    for (const KeptInstance& instance : service.instances) Add(klass, instance, now, *sum);
  }
  return sums;
}

}  // namespace berth

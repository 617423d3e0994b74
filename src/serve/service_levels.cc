#include "serve/service_levels.h"

#include <algorithm>
#include <utility>

#include "qos/standing.h"

namespace berth {
namespace {

// Towards less, so that a promise about to break is not called kept.
std::int64_t WholeMillis(Duration duration) {
  return std::chrono::floor<std::chrono::milliseconds>(duration).count();
}

double ShareOf(std::uint32_t ppm) { return static_cast<double>(ppm) / kWholePpm; }

v1::PendingInstance PendingMessage(const ServiceClass& klass, const Instance& instance, Time now) {
  const InstanceStanding standing = StandingOf(klass, instance, now);
  v1::PendingInstance message;
  message.set_id(ToString(instance.id));
  message.set_class_(klass.name.str());
  message.set_since_ms(WholeMillis(instance.timeline.since.time_since_epoch()));
  message.set_ran_ms(WholeMillis(standing.delivered.ran));
  message.set_waited_ms(WholeMillis(standing.delivered.waited));
  message.set_availability(Availability(standing.delivered));
  message.set_target(ShareOf(klass.availability_ppm));
  message.set_standing(static_cast<v1::Standing>(standing.standing));
  message.set_leeway_ms(WholeMillis(standing.leeway));
  const bool broken = standing.standing == Standing::kViolated;
  message.set_recovers_in_ms(standing.recovers_in ? WholeMillis(*standing.recovers_in)
                             : broken             ? -1
                                                  : 0);
  message.set_preemptions(instance.timeline.preemptions);
  return message;
}

}  // namespace

std::vector<v1::PendingInstance> PendingIn(const Inventory& view, std::string_view klass,
                                           Time now) {
  struct Waiting {
    Duration leeway;
    const ServiceClass* klass;
    const Instance* instance;
  };
  std::vector<Waiting> waiting;
  for (const ServiceState& service : view.services()) {
    if (service.vacant() || (!klass.empty() && service.record.klass.str() != klass)) continue;
    const ServiceClass* terms = view.settings().FindClass(service.record.klass);
    for (const KeptInstance& instance : service.instances) {
      if (instance.state != InstanceState::kPending) continue;
      waiting.push_back({StandingOf(*terms, instance, now).leeway, terms, &instance});
    }
  }
  std::ranges::sort(waiting, [](const Waiting& a, const Waiting& b) {
    return a.leeway != b.leeway ? a.leeway < b.leeway : a.instance->id < b.instance->id;
  });
  std::vector<v1::PendingInstance> messages;
  messages.reserve(waiting.size());
  for (const Waiting& one : waiting) {
    messages.push_back(PendingMessage(*one.klass, *one.instance, now));
  }
  return messages;
}

v1::ServiceLevels ServiceLevelsIn(const Inventory& view, Time now) {
  v1::ServiceLevels levels;
  for (const ClassStanding& standing : ClassStandings(view, now)) {
    v1::ClassLevel& level = *levels.add_classes();
    level.set_class_(standing.name.str());
    level.set_target(ShareOf(standing.target_ppm));
    level.set_instances(standing.instances);
    level.set_fulfilled(standing.fulfilled);
    level.set_at_risk(standing.at_risk);
    level.set_violated(standing.violated);
    level.set_pending(standing.pending);
    level.set_preemptions(standing.preemptions);
    level.set_next_violation_ms(standing.next_violation ? WholeMillis(*standing.next_violation)
                                                        : -1);
    level.set_penalty_cpu_hours(standing.penalty_cpu_hours);
  }
  return levels;
}

}  // namespace berth

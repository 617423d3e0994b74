#include "qos/policy.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "base/fields.h"
#include "base/text.h"

namespace berth {
namespace {

constexpr Duration kWatchdogMin = std::chrono::milliseconds(100);

Result<SchedulerKind> KindNamed(const Node& at, std::string_view name) {
  if (name == "qos") return SchedulerKind::kQos;
  if (name == "priority") return SchedulerKind::kPriority;
  return at.Error(fmt::format(
      "there is no scheduler {}; write qos or priority, or leave it out for first come, first "
      "served",
      Quoted(name)));
}

}  // namespace

Result<SchedulerPolicy> ParseSchedulerPolicy(const Node& policy, const FleetSettings& settings) {
  SchedulerPolicy scheduler;
  const std::optional<Node> section = policy.Find("scheduler");
  if (!section) return scheduler;
  if (section->kind() == Node::Kind::kMap) {
    Fields fields(*section);
    const std::string name = fields.Text("by");
    scheduler.watchdog = fields.Length("watchdog", scheduler.watchdog);
    scheduler.allocation_time = fields.Length("allocation_time", scheduler.allocation_time);
    scheduler.admission = fields.Bool("admission", false);
    BERTH_RETURN_IF_ERROR(fields.Finish());
    BERTH_TRY(scheduler.kind, KindNamed(*section, name));
  } else {
    BERTH_TRY(const std::string_view name, section->Text());
    BERTH_TRY(scheduler.kind, KindNamed(*section, name));
  }
  if (scheduler.watchdog < kWatchdogMin) {
    return section->Error("a watchdog is 100ms at least");
  }
  for (const ServiceClass& klass : settings.classes) {
    if (!klass.evictable) continue;
    return section->Error(
        fmt::format("class {} is evictable, but a scheduler alone decides who yields; leave out "
                    "one of the two",
                    klass.name.str()));
  }
  return scheduler;
}

}  // namespace berth

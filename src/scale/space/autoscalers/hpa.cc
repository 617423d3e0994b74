#include "base/fields.h"
#include "forecast/plugin_names.h"
#include "scale/space/autoscalers/builtin.h"
#include "scale/space/hpa_autoscaler.h"

namespace berth {

Result<std::unique_ptr<Autoscaler>> ReadHpaAutoscaler(const Node& node,
                                                      const ScaledApplication& application) {
  Fields fields(node);
  fields.Text("autoscaler", "hpa");  // Read by whoever chose this reader.
  HpaSettings settings;
  settings.sync = fields.Length("sync", settings.sync);
  settings.target = fields.Number("target", {.min = 0.01, .max = 10}, settings.target);
  settings.limits.min = fields.Integer<std::uint32_t>("min", {.min = 0, .max = kReplicasMax}, 1);
  settings.limits.max = fields.Integer<std::uint32_t>("max", {.min = 1, .max = kReplicasMax}, 100);
  settings.unneeded = fields.Length("unneeded", settings.unneeded);
  settings.delay_after_add = fields.Length("delay_after_add", settings.delay_after_add);
  settings.seed = fields.Integer<std::uint64_t>("seed", {}, 1);
  const std::string expander = fields.Text("expander", "least_waste");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  const auto found = FindNamed<ExpanderEntry>(BuiltinExpanders(), expander, "expander");
  if (!found.ok()) return node.Find("expander")->Error(found.status().message());
  settings.expander = found.value();
  if (settings.sync.count() == 0) return node.Error("has a sync of no time; raise it");
  if (settings.limits.max < settings.limits.min) {
    return node.Error("has a max below its min; raise it");
  }
  auto made = HpaAutoscaler::Make(settings, application);
  if (!made.ok()) return node.Error(made.status().message());
  return std::unique_ptr<Autoscaler>(std::move(made).value());
}

}  // namespace berth

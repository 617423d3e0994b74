#include "scale/space/autoscaler_file.h"

#include <fmt/format.h>

#include "forecast/plugin_names.h"
#include "scale/space/autoscalers/builtin.h"

namespace berth {
namespace {

constexpr AutoscalerEntry kAutoscalers[] = {
#define BERTH_AUTOSCALER(file, function, summary) {#file, summary, &function},
#include "scale/space/autoscalers/autoscalers.def"
#undef BERTH_AUTOSCALER
};

}  // namespace

std::span<const AutoscalerEntry> Autoscalers() { return kAutoscalers; }

Result<std::unique_ptr<Autoscaler>> ReadAutoscaler(const Node& node,
                                                   const ScaledApplication& application) {
  const auto named = node.Find("autoscaler");
  if (!named) return node.Error("names no autoscaler; write autoscaler: space, or hpa");
  BERTH_TRY(const std::string_view name, named->Text());
  const auto found = FindNamed<AutoscalerEntry>(kAutoscalers, name, "autoscaler");
  if (!found.ok()) return named->Error(found.status().message());
  return found.value()->make(node, application);
}

Result<std::unique_ptr<Autoscaler>> ReadAutoscalerFile(const std::string& path,
                                                       const ScaledApplication& application) {
  BERTH_TRY(const Document document, ReadDocument(path));
  return ReadAutoscaler(document.root(), application);
}

}  // namespace berth

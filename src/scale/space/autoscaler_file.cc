#include "scale/space/autoscaler_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "forecast/plugin_names.h"
#include "scale/space/autoscalers/builtin.h"
#include "scale/space/learned_file.h"

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

AutoscalerFiles SplitAutoscalerName(const std::string& name) {
  const std::size_t at = name.rfind('@');
  std::error_code error;
  if (at == std::string::npos || at + 1 == name.size() || std::filesystem::exists(name, error)) {
    return {.policy = name};
  }
  return {.policy = name.substr(0, at), .learned = name.substr(at + 1)};
}

Result<AutoscalerSource> AutoscalerSource::Read(const std::string& name) {
  AutoscalerFiles files = SplitAutoscalerName(name);
  BERTH_TRY(Document policy, ReadDocument(files.policy));
  std::string learned;
  if (!files.learned.empty()) {
    BERTH_TRY(learned, ReadText(files.learned));
  }
  return AutoscalerSource(std::move(files), std::move(policy), std::move(learned));
}

Result<std::unique_ptr<Autoscaler>> AutoscalerSource::Make(
    const ScaledApplication& application) const {
  BERTH_TRY(auto autoscaler, ReadAutoscaler(policy_.root(), application));
  if (!files_.learned.empty()) {
    BERTH_RETURN_IF_ERROR(RestoreFromLearned(learned_, files_.learned, *autoscaler));
  }
  return autoscaler;
}

}  // namespace berth

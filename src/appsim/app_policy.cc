#include "appsim/app_policy.h"

#include <memory>
#include <utility>

#include "scale/space/autoscaler_file.h"

namespace berth {
namespace {

std::string FileNameOf(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

std::string AppPolicyLabel(const std::string& name) {
  const AutoscalerFiles files = SplitAutoscalerName(name);
  const std::string label = FileNameOf(files.policy);
  return files.learned.empty() ? label : label + "@" + FileNameOf(files.learned);
}

Result<AppPolicy> ReadAppPolicy(const std::string& name, const AppModel& model) {
  AppPolicy policy{.name = AppPolicyLabel(name)};
  if (name == "none") return policy;
  BERTH_TRY(AutoscalerSource read, AutoscalerSource::Read(name));
  const auto source = std::make_shared<const AutoscalerSource>(std::move(read));
  policy.make = [source, application = ScaledFrom(model)] { return source->Make(application); };
  BERTH_RETURN_IF_ERROR(policy.make().status());
  return policy;
}

}  // namespace berth

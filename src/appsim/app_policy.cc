#include "appsim/app_policy.h"

#include <utility>

#include "base/document.h"
#include "scale/space/hpa_autoscaler.h"
#include "scale/space/space_autoscaler.h"

namespace berth {
namespace {

Result<std::unique_ptr<Autoscaler>> MakeHpa(const ScaledApplication& application) {
  HpaSettings settings;
  for (const ExpanderEntry& entry : BuiltinExpanders()) {
    if (entry.name == "price") settings.expander = &entry;
  }
  BERTH_TRY(std::unique_ptr<Autoscaler> made, HpaAutoscaler::Make(settings, application));
  return made;
}

}  // namespace

Result<AppPolicy> ReadAppPolicy(const std::string& name, const AppModel& model) {
  AppPolicy policy{.name = name};
  if (name == "none") return policy;
  const ScaledApplication application = ScaledFrom(model);
  if (name == "hpa") {
    policy.make = [application] { return MakeHpa(application); };
  } else {
    BERTH_TRY(const std::string text, ReadText(name));
    BERTH_TRY(const SpacePolicy space, ParseSpacePolicy(text, name));
    policy.name = name.substr(name.rfind('/') + 1);
    policy.make = [space, application]() -> Result<std::unique_ptr<Autoscaler>> {
      BERTH_TRY(std::unique_ptr<Autoscaler> made, SpaceAutoscaler::Make(space, application));
      return made;
    };
  }
  BERTH_RETURN_IF_ERROR(policy.make().status());
  return policy;
}

}  // namespace berth

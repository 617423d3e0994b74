#include "appsim/app_policy.h"

#include <memory>
#include <utility>

#include "base/document.h"
#include "scale/space/autoscaler_file.h"

namespace berth {

Result<AppPolicy> ReadAppPolicy(const std::string& name, const AppModel& model) {
  AppPolicy policy{.name = name.substr(name.rfind('/') + 1)};
  if (name == "none") return policy;
  BERTH_TRY(Document read, ReadDocument(name));
  const auto document = std::make_shared<const Document>(std::move(read));
  policy.make = [document, application = ScaledFrom(model)] {
    return ReadAutoscaler(document->root(), application);
  };
  BERTH_RETURN_IF_ERROR(policy.make().status());
  return policy;
}

}  // namespace berth

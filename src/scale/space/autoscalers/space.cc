#include "scale/space/autoscalers/builtin.h"
#include "scale/space/space_autoscaler.h"

namespace berth {

Result<std::unique_ptr<Autoscaler>> ReadSpaceAutoscaler(const Node& node,
                                                        const ScaledApplication& application) {
  BERTH_TRY(SpacePolicy policy, ReadSpacePolicy(node));
  auto made = SpaceAutoscaler::Make(std::move(policy), application);
  if (!made.ok()) return node.Error(made.status().message());
  return std::unique_ptr<Autoscaler>(std::move(made).value());
}

}  // namespace berth

#include "scale/space/autoscalers/builtin.h"
#include "scale/space/space_autoscaler.h"

namespace berth {

Result<std::unique_ptr<Autoscaler>> ReadSpaceAutoscaler(const Node& node,
                                                        const ScaledApplication& application) {
  BERTH_TRY(SpacePolicy policy, ReadSpacePolicy(node));
  BERTH_TRY(auto made, SpaceAutoscaler::Make(std::move(policy), application));
  return std::unique_ptr<Autoscaler>(std::move(made));
}

}  // namespace berth

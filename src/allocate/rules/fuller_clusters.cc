#include "allocate/points.h"
#include "allocate/rules/builtin.h"

namespace berth {
namespace {

// Fills one cluster after the other, so that some stay empty for what needs much room at once.
class FullerClusters final : public ClusterPreference {
 public:
  std::string_view name() const override { return "fuller_clusters"; }
  std::string_view summary() const override {
    return "clusters with a smaller share of free cpu first";
  }

  std::uint32_t Points(const Ask& /*ask*/, const ClusterState& cluster) const override {
    return kPointsMax - AllocatedShare(cluster.allocated, cluster.capacity, Resource::kCpu);
  }
};

}  // namespace

std::unique_ptr<Rule> NewFullerClusters(Fields& /*options*/) {
  return std::make_unique<FullerClusters>();
}

}  // namespace berth

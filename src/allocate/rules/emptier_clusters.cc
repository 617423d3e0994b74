#include "allocate/points.h"
#include "allocate/rules/builtin.h"

namespace berth {
namespace {

// Keeps room in every cluster, so that services confined to one can still grow there.
class EmptierClusters final : public ClusterPreference {
 public:
  std::string_view name() const override { return "emptier_clusters"; }
  std::string_view summary() const override {
    return "clusters with a larger share of free cpu first";
  }

  std::uint32_t Points(const Ask& /*ask*/, const ClusterState& cluster) const override {
    return AllocatedShare(cluster.allocated, cluster.capacity, Resource::kCpu);
  }
};

}  // namespace

std::unique_ptr<Rule> NewEmptierClusters(Fields& /*options*/) {
  return std::make_unique<EmptierClusters>();
}

}  // namespace berth

#include "allocate/rules/builtin.h"

namespace berth {
namespace {

// Keeps a service's traffic within few clusters, without demanding it.
class ServiceClustersFirst final : public ClusterPreference {
 public:
  std::string_view name() const override { return "service_clusters_first"; }
  std::string_view summary() const override {
    return "clusters that hold instances of the service already first";
  }
  DependsOn depends_on() const override { return DependsOn::kServiceRack; }
  Concerns concerns(const Ask& ask) const override {
    return ask.footprint.empty() ? Concerns::kNone : Concerns::kAll;
  }

  std::uint32_t Points(const Ask& ask, const ClusterState& cluster) const override {
    bool there = false;
    ask.footprint.ForEachMachine([&](MachineIndex machine) {
      there = there || &ask.inventory[ask.inventory[machine].cluster] == &cluster;
    });
    return there ? 0 : kPointsMax;
  }
};

}  // namespace

std::unique_ptr<Rule> NewServiceClustersFirst(Fields& /*options*/) {
  return std::make_unique<ServiceClustersFirst>();
}

}  // namespace berth

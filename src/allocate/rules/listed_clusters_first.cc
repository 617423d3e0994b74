#include "allocate/rules/builtin.h"
#include "allocate/rules/listed_order.h"

namespace berth {
namespace {

class ListedClustersFirst final : public ClusterPreference {
 public:
  explicit ListedClustersFirst(Fields& options) : order_(options) {}

  std::string_view name() const override { return "listed_clusters_first"; }
  std::string_view summary() const override { return "clusters by name, in the order listed"; }

  std::uint32_t Points(const Ask& /*ask*/, const ClusterState& cluster) const override {
    return order_.Points(cluster.name);
  }

 private:
  ListedOrder<ClusterId> order_;
};

}  // namespace

std::unique_ptr<Rule> NewListedClustersFirst(Fields& options) {
  return std::make_unique<ListedClustersFirst>(options);
}

}  // namespace berth

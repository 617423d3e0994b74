#include <fmt/format.h>

#include <algorithm>

#include "allocate/rules/builtin.h"
#include "allocate/rules/percents.h"

namespace berth {
namespace {

using Wide = ResourceTotals::Wide;

// Keeps room in a cluster for what runs there: to grow, and to move when machines fail.
class BelowClusterLimit final : public ClusterValidator {
 public:
  // 0 percent: no limit.
  explicit BelowClusterLimit(const Percents& percents) : percents_(percents) {}

  std::string_view name() const override { return "below_cluster_limit"; }
  std::string_view summary() const override {
    return "no more than a share of the cluster is allocated";
  }
  TraitSet reads() const override { return {Trait::kLimit}; }

  bool IsValid(const Ask& ask, const ClusterState& cluster) const override {
    return !FirstBeyond(ask, cluster, cluster.allocated);
  }
  std::string Lacks(const Ask& ask, const ClusterState& cluster) const override {
    const Resource r = *FirstBeyond(ask, cluster, cluster.allocated);
    const auto left = std::max<Wide>(Most(ask, cluster, r) - cluster.allocated[r], 0);
    return fmt::format("its cluster has {} {} left below its limit of {}%, needs {}",
                       FormatAmount(r, static_cast<std::int64_t>(left)), ResourceName(r),
                       percents_[static_cast<std::size_t>(r)],
                       FormatAmount(r, ask.traits.limit[r]));
  }
  Cure CureFor(const Ask& ask, const ClusterState& cluster) const override {
    const bool even_when_empty = FirstBeyond(ask, cluster, ResourceTotals()).has_value();
    return even_when_empty ? Cure::kSmallerAsk : Cure::kMoreMachines;
  }

 private:
  // How much of it the cluster may have allocated, over-subscription included.
  Wide Most(const Ask& ask, const ClusterState& cluster, Resource r) const {
    const auto at = static_cast<std::size_t>(r);
    const std::uint32_t ratio = ask.inventory.settings().oversubscription_percent[at];
    return cluster.capacity[r] * ratio * percents_[at] / 10'000;
  }

  std::optional<Resource> FirstBeyond(const Ask& ask, const ClusterState& cluster,
                                      const ResourceTotals& allocated) const {
    for (const Resource r : kAllResources) {
      if (percents_[static_cast<std::size_t>(r)] == 0) continue;
      if (allocated[r] + ask.traits.limit[r] > Most(ask, cluster, r)) return r;
    }
    return std::nullopt;
  }

  Percents percents_;
};

}  // namespace

std::unique_ptr<Rule> NewBelowClusterLimit(Fields& options) {
  constexpr Percents kCpuOnly{100, 0, 0, 0, 0};
  return std::make_unique<BelowClusterLimit>(ReadPercents(options, /*min=*/1, kCpuOnly));
}

}  // namespace berth

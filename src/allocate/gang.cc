#include "allocate/gang.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "allocate/evaluate.h"
#include "allocate/points.h"
#include "allocate/refusal.h"
#include "allocate/scratch.h"
#include "berth/check.h"
#include "fleet/predicates.h"

namespace berth {
namespace {

// The largest first: they have the fewest machines to choose from. Equal ones stay together.
void OrderLargestFirst(const Inventory& view, std::vector<Instance>& wanted) {
  ResourceTotals zone;
  for (const ClusterState& cluster : view.clusters()) zone += cluster.capacity;
  const auto size = [&](const Instance& instance) {
    double most = 0;
    for (const Resource r : kAllResources) {
      if (zone[r] > 0)
        most =
            std::max(most, static_cast<double>(instance.limit[r]) / static_cast<double>(zone[r]));
    }
    return -most;
  };
  std::ranges::stable_sort(wanted, {}, size);
}

class GangPlacer {
 public:
  GangPlacer(const AllocatePolicy& policy, Inventory& view, const Service& service,
             std::vector<Instance> wanted, const Rng& rng, std::optional<MachineIndex> leaving)
      : policy_(policy),
        view_(view),
        service_(service),
        wanted_(std::move(wanted)),
        rng_(rng),
        leaving_(leaving) {}

  GangResult Place() {
    if (wanted_.size() > 1) OrderLargestFirst(view_, wanted_);
    Footprint footprint;
    if (const ServiceState* state = view_.FindService(service_.name))
      footprint = Footprint(view_, *state);
    const bool free_choice = service_.constraints.within != Scope::kZone && !footprint.anchor();
    GangResult result =
        free_choice ? PlaceInSomeScope() : PlaceFrom(footprint, Clusters(footprint));
    std::ranges::sort(result.placed, {}, &Placement::instance);
    return result;
  }

 private:
  Ask AskFor(const Instance& instance, const Footprint& footprint) const {
    const InstanceType* type = view_.Find(instance.type);
    const std::optional<TenantIndex> tenant = view_.IndexOf(service_.tenant);
    BERTH_CHECK(type != nullptr && tenant.has_value());
    return {.inventory = view_,
            .service = service_,
            .type = *type,
            .role = instance.role,
            .limit = instance.limit,
            .tenant = *tenant,
            .footprint = footprint,
            .leaving = leaving_};
  }

  std::vector<ClusterIndex> Clusters(const Footprint& footprint) const {
    return OrderClusters(policy_, AskFor(wanted_.front(), footprint));
  }

  // A service that must stay within one row, cluster or datacenter and is nowhere yet: the first
  // one, in the order of clusters, that takes the whole gang.
  GangResult PlaceInSomeScope() {
    const std::vector<ClusterIndex> order = Clusters(Footprint());
    std::set<std::pair<std::string, std::string>> tried;
    GangResult result;
    for (const ClusterIndex cluster : order) {
      for (const MachineIndex machine : view_[cluster].machines) {
        const Machine& record = view_[machine].record;
        const Scope within = service_.constraints.within;
        const bool fresh = tried
                               .emplace(within == Scope::kDatacenter
                                            ? record.datacenter.str()
                                            : record.datacenter.str() + "/" + record.cluster.str(),
                                        within == Scope::kRow ? record.row.str() : std::string())
                               .second;
        if (!fresh) continue;
        Footprint footprint;
        footprint.AnchorAt(machine);
        result = PlaceFrom(footprint, InScope(order, machine));
        if (!result.refusal) return result;
      }
    }
    if (result.refusal) {
      result.refusal->because = fmt::format(
          "no single {} can take all {} instances; the last one tried: {}",
          ToString(service_.constraints.within), wanted_.size(), result.refusal->because);
      return result;
    }
    return PlaceFrom(Footprint(), order);
  }

  std::vector<ClusterIndex> InScope(const std::vector<ClusterIndex>& order,
                                    MachineIndex anchor) const {
    std::vector<ClusterIndex> inside;
    for (const ClusterIndex cluster : order) {
      const bool same = service_.constraints.within == Scope::kDatacenter
                            ? view_[cluster].datacenter == view_[anchor].record.datacenter
                            : cluster == view_[anchor].cluster;
      if (same) inside.push_back(cluster);
    }
    return inside;
  }

  GangResult PlaceFrom(Footprint footprint, const std::vector<ClusterIndex>& order) {
    GangResult result;
    Scratch scratch(view_);
    if (wanted_.size() > 1) scratch.Install(service_);
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      Instance instance = wanted_[i];
      const Ask ask = AskFor(instance, footprint);
      Evaluation evaluation = EvaluateFromScratch(policy_, ask, order);
      const std::vector<MachineIndex> best = std::move(evaluation.best);
      Note(result, std::move(evaluation.funnel), best.empty());
      if (best.empty()) {
        result.refusal = ExplainRefusal(policy_, ask, result.funnels.back());
        if (wanted_.size() > 1) {
          result.refusal->because = fmt::format("{}, after {} of {} instances found room",
                                                result.refusal->because, i, wanted_.size());
        }
        result.placed.clear();
        return result;
      }
      Rng draw = rng_.Fork(std::uint64_t{instance.id.number});
      const MachineIndex chosen = best[draw.Below(best.size())];
      footprint.Add(view_[chosen], chosen);
      instance.machine = view_[chosen].record.name;
      instance.state = InstanceState::kPlaced;
      result.placed.push_back({.instance = instance.id.number, .machine = instance.machine});
      if (i + 1 < wanted_.size()) scratch.Install(instance);
    }
    return result;
  }

  // Alike instances share the funnel of the first of them; the one that failed has its own.
  static void Note(GangResult& result, Funnel funnel, bool failed) {
    if (!result.funnels.empty() && !failed && result.funnels.back().type == funnel.type &&
        result.funnels.back().role == funnel.role) {
      ++result.funnels.back().instances;
      return;
    }
    result.funnels.push_back(std::move(funnel));
  }

  const AllocatePolicy& policy_;
  Inventory& view_;
  const Service& service_;
  std::vector<Instance> wanted_;
  const Rng& rng_;
  std::optional<MachineIndex> leaving_;
};

}  // namespace

GangResult PlaceGang(const AllocatePolicy& policy, Inventory& view, const Service& service,
                     std::vector<Instance> wanted, const Rng& rng,
                     std::optional<MachineIndex> leaving) {
  if (wanted.empty()) return {};
  return GangPlacer(policy, view, service, std::move(wanted), rng, leaving).Place();
}

GangResult PlaceOn(const AllocatePolicy& policy, Inventory& view, const Service& service,
                   const Instance& instance, MachineId machine) {
  GangResult result;
  Footprint footprint;
  if (const ServiceState* state = view.FindService(service.name))
    footprint = Footprint(view, *state);
  const MachineIndex index = *view.IndexOf(machine);
  const Ask ask{.inventory = view,
                .service = service,
                .type = *view.Find(instance.type),
                .role = instance.role,
                .limit = instance.limit,
                .tenant = *view.IndexOf(service.tenant),
                .footprint = footprint};
  const Candidate candidate{index, view[index]};
  if (const Validator* refusing = FirstRefusing(policy, ask, candidate)) {
    const std::string lacks = refusing->Lacks(ask, candidate);
    result.refusal = Refusal{
        .rule = RuleId(refusing->name()),
        .because = fmt::format("machine {} {}", machine.str(), lacks),
        .cure = refusing->CureFor(ask, candidate),
        .nearest = {{.machine = machine, .rule = RuleId(refusing->name()), .lacks = lacks}}};
    return result;
  }
  result.placed.push_back({.instance = instance.id.number, .machine = machine});
  return result;
}

}  // namespace berth

#include "allocate/gang.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "allocate/evaluate.h"
#include "allocate/evict.h"
#include "allocate/foresee.h"
#include "allocate/points.h"
#include "allocate/refusal.h"
#include "allocate/refusing.h"
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

// Notes who goes for an instance of this size; them, waiting.
std::vector<Instance> Evict(const Inventory& view, MachineIndex index, const Resources& need,
                            GangResult& result) {
  const MachineState& machine = view[index];
  if (need.FitsIn(machine.Free())) return {};
  std::vector<Instance> victims;
  for (const Instance* victim : ChooseVictims(view, machine, need)) {
    result.evicted.push_back({.instance = victim->id, .from = machine.record.name});
    victims.push_back(*victim);
    victims.back().machine = MachineId();
    victims.back().state = InstanceState::kPending;
  }
  return victims;
}

class GangPlacer {
 public:
  GangPlacer(const Choosing& choosing, Inventory& view, const Service& service,
             std::span<const Instance> wanted, std::optional<MachineIndex> leaving)
      : choosing_(choosing), view_(view), service_(service), wanted_(wanted), leaving_(leaving) {
    if (wanted.size() == 1) return;
    ordered_.assign(wanted.begin(), wanted.end());
    OrderLargestFirst(view_, ordered_);
    wanted_ = ordered_;
  }

  GangResult Place() {
    Footprint footprint;
    if (const ServiceState* state = view_.FindService(service_.name))
      footprint = Footprint(view_, *state);
    const bool free_choice = service_.constraints.within != Scope::kZone && !footprint.anchor();
    const std::span<const ClusterIndex> order = Clusters(footprint);
    GangResult result =
        free_choice ? PlaceInSomeScope(order) : PlaceFrom(std::move(footprint), order);
    std::ranges::sort(result.placed, {}, &Placement::instance);
    return result;
  }

 private:
  Ask AskFor(const Instance& instance, const Footprint& footprint) const {
    Ask ask = berth::AskFor(view_, service_, instance, footprint, choosing_.outlook);
    ask.leaving = leaving_;
    return ask;
  }

  // Holds until it is asked for again.
  std::span<const ClusterIndex> Clusters(const Footprint& footprint) const {
    return choosing_.chooser.Order(AskFor(wanted_.front(), footprint));
  }

  // A service that must stay within one row, cluster or datacenter and is nowhere yet: the first
  // one, in the order of clusters, that takes the whole gang.
  GangResult PlaceInSomeScope(std::span<const ClusterIndex> order) {
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

  std::vector<ClusterIndex> InScope(std::span<const ClusterIndex> order,
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

  GangResult PlaceFrom(Footprint footprint, std::span<const ClusterIndex> order) {
    GangResult result;
    const Seen seen(*this);  // Until after the scratch is taken back.
    Scratch scratch(view_);
    if (wanted_.size() > 1) scratch.Install(service_);
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      const Instance& instance = wanted_[i];
      const Ask ask = AskFor(instance, footprint);
      Chooser::Found found = choosing_.chooser.Find(ask, order);
      Note(result, std::move(found.funnel), found.best == 0);
      if (found.best == 0) {
        result.refusal = ExplainRefusal(choosing_.policy, ask, result.funnels.back());
        if (wanted_.size() > 1) {
          result.refusal->because = fmt::format("{}, after {} of {} instances found room",
                                                result.refusal->because, i, wanted_.size());
        }
        result.placed.clear();
        result.evicted.clear();
        return result;
      }
      const MachineIndex chosen = Draw(ask, instance, found.best);
      result.placed.push_back({.instance = instance.id.number,
                               .machine = view_[chosen].record.name,
                               .foreseen = Foresee(choosing_.policy, ask, chosen)});
      const std::vector<Instance> victims = Evict(view_, chosen, instance.limit, result);
      if (i + 1 == wanted_.size()) break;
      for (const Instance& victim : victims) scratch.Install(victim);
      footprint.Add(view_[chosen], chosen);
      Instance placed = instance;
      placed.machine = view_[chosen].record.name;
      placed.state = InstanceState::kPlaced;
      scratch.Install(placed);
      See();
    }
    return result;
  }

  void See() const {
    if (choosing_.outlook != nullptr && wanted_.size() > 1) choosing_.outlook->See(view_);
  }
  // At its end the outlook sees the view as it is then.
  struct Seen {
    explicit Seen(const GangPlacer& of) : placer(of) {}
    ~Seen() { placer.See(); }
    Seen(const Seen&) = delete;
    Seen& operator=(const Seen&) = delete;
    const GangPlacer& placer;
  };

  MachineIndex Draw(const Ask& ask, const Instance& instance, std::uint32_t best) const {
    Rng draw = choosing_.rng.Fork(std::uint64_t{instance.id.number});
    if (choosing_.top <= best) {
      return choosing_.chooser.Best(ask, static_cast<std::uint32_t>(draw.Below(best)));
    }
    const std::vector<MachineIndex> top = choosing_.chooser.Top(ask, choosing_.top);
    return top[draw.Below(top.size())];
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

  const Choosing& choosing_;
  Inventory& view_;
  const Service& service_;
  std::vector<Instance> ordered_;
  std::span<const Instance> wanted_;
  std::optional<MachineIndex> leaving_;
};

}  // namespace

GangResult PlaceGang(const Choosing& choosing, Inventory& view, const Service& service,
                     std::span<const Instance> wanted, std::optional<MachineIndex> leaving) {
  if (wanted.empty()) return {};
  return GangPlacer(choosing, view, service, wanted, leaving).Place();
}

GangResult PlaceOn(const Choosing& choosing, Inventory& view, const Service& service,
                   const Instance& instance, MachineId machine) {
  GangResult result;
  Footprint footprint;
  if (const ServiceState* state = view.FindService(service.name))
    footprint = Footprint(view, *state);
  const MachineIndex index = *view.IndexOf(machine);
  const Ask ask = AskFor(view, service, instance, footprint, choosing.outlook);
  const Candidate candidate{index, view[index]};
  std::optional<Refusing> first;
  ForEachRefusing(choosing.policy, ask, candidate, [&](const Refusing& refusing) {
    if (!first) first = refusing;
  });
  if (first) {
    const std::string lacks = first->Lacks(ask, candidate);
    result.refusal =
        Refusal{.rule = first->rule(),
                .because = fmt::format("machine {} cannot take it: {}", machine.str(), lacks),
                .cure = first->CureFor(ask, candidate),
                .nearest = {{.machine = machine, .rule = first->rule(), .lacks = lacks}}};
    return result;
  }
  result.placed.push_back({.instance = instance.id.number,
                           .machine = machine,
                           .foreseen = Foresee(choosing.policy, ask, index)});
  Evict(view, index, instance.limit, result);
  return result;
}

}  // namespace berth

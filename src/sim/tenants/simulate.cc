#include "sim/tenants/simulate.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "berth/check.h"
#include "berth/rng.h"
#include "sim/digest.h"
#include "sim/tenants/initial_estimates.h"
#include "sim/tenants/replica_sets.h"
#include "sim/tenants/true_models.h"

namespace berth {
namespace {

constexpr std::size_t kMovesForRoomMax = 10;

class Rehearsal {
 public:
  Rehearsal(const TenantPopulation& population, const TechniqueName& name,
            const TenantSimulation& options)
      : pool_(population.pool),
        oracle_(name.oracle),
        promised_at_most_(std::uint64_t{options.spec.capacity[DemandResource::kCpu]} *
                          options.nodes * options.density_hundredths / 100),
        steps_(static_cast<Step>(options.hours) * kStepsPerHour),
        estimates_(population, name.percentile / 100.0),
        sets_(population, options.domains.any()),
        rng_(Rng(options.seed).Fork("tenants")),
        cluster_(options.spec, options.nodes, options.domains),
        truth_(name.truth ? std::optional(TrueModels(pool_)) : std::nullopt),
        technique_(name.technique->make({.cluster = cluster_,
                                         .library = truth_ ? *truth_ : population.library,
                                         .kinds = population.kinds,
                                         .policy = name.policy,
                                         .seed = options.seed})),
        departing_(static_cast<std::size_t>(steps_) + 1) {
    outcome_.violations_by_hour.resize(options.hours);
  }

  TenantOutcome Run() {
    Admit();
    double tenants = 0;
    while (now_ < steps_) {
      ++now_;
      Depart();
      Repack();
      technique_->Advance(now_);
      Observe();
      for (NodeIndex node = 0; node < cluster_.node_count(); ++node) {
        if (cluster_.InViolation(node)) Resolve(node);
      }
      Admit();
      tenants += static_cast<double>(cluster_.tenant_count());
    }
    outcome_.tenants_mean = tenants / steps_ / cluster_.node_count();
    outcome_.unseed = digest_.value();
    return std::move(outcome_);
  }

 private:
  // Who was there for the last time in the step before.
  void Depart() {
    for (const TenantNumber number : departing_[static_cast<std::size_t>(now_)]) {
      Take(number);
      std::erase(present_, number);
    }
  }

  void Repack() {
    while (const auto move = technique_->Repack()) {
      Move(move->tenant, move->to);
      ++outcome_.failovers_to_repack;
    }
  }

  void Observe() {
    for (const TenantNumber number : present_) {
      const ClusterTenant& tenant = cluster_.tenant(number);
      const Step age = now_ - tenant.hosted.creation;
      const Demand& demand = pool_.At(tenant.pooled, age);
      const bool foreseen = oracle_ && age >= kStepsPerDay;
      const Demand& reported = foreseen ? pool_.DayAhead(tenant.pooled, age) : demand;
      if (cluster_.Update(number, demand, reported)) technique_->Exceeded(tenant);
    }
  }

  // The smallest first, those aside that have none of what is short.
  void Resolve(NodeIndex node) {
    PerResource<bool> is_short;
    for (const DemandResource r : kAllDemandResources) {
      is_short[r] = cluster_.InViolation(node, r);
    }
    bool moved = false;
    while (cluster_.InViolation(node)) {
      const std::optional<Technique::Move> move = technique_->Relieve(node);
      if (!move) break;
      moved = moved || cluster_.tenant(move->tenant).node == node;
      Move(move->tenant, move->to);
    }
    for (const TenantNumber number : SmallestFirst(node)) {
      if (!cluster_.InViolation(node)) break;
      const ClusterTenant& tenant = cluster_.tenant(number);
      const bool helps = std::ranges::any_of(kAllDemandResources, [&](DemandResource r) {
        return tenant.demand[r] > 0 && cluster_.InViolation(node, r);
      });
      if (!helps || !FindFits(number, node)) continue;
      const NodeIndex to = technique_->Choose(tenant, fits_);
      if (to == kNoNode) continue;
      Move(number, to);
      moved = true;
    }
    if (moved) {
      ++outcome_.violations;
      ++outcome_.violations_by_hour[static_cast<std::size_t>((now_ - 1) / kStepsPerHour)];
      for (const DemandResource r : kAllDemandResources) {
        if (is_short[r]) ++outcome_.violations_of[r];
      }
    }
    if (cluster_.InViolation(node)) ++outcome_.unresolved;
  }

  // Until the promised cores are reached. Who fits nowhere is refused, and nobody more is admitted
  // in this step: otherwise the small would take the places of the large.
  void Admit() {
    while (cluster_.promised_millicores() < promised_at_most_) {
      const ClusterTenant& first = cluster_.tenant(Draw());
      if (!PlaceAll(first)) {
        ++outcome_.refused;
        return;
      }
      ++outcome_.placed;
      const Step leaves = now_ + first.pooled.lifetime + 1;
      for (const ClusterTenant& replica : cluster_.ReplicasOf(first)) {
        present_.push_back(replica.number);
        if (leaves > steps_) continue;
        departing_[static_cast<std::size_t>(leaves)].push_back(replica.number);
      }
    }
  }

  // The next tenant's first replica, which those that come with it follow.
  TenantNumber Draw() {
    const std::size_t primary = sets_.Draw(rng_);
    const TenantNumber first = AddReplica(primary, std::nullopt);
    for (const std::size_t secondary : sets_.SecondariesOf(pool_.tenant(primary))) {
      AddReplica(secondary, first);
    }
    return first;
  }

  TenantNumber AddReplica(std::size_t place, std::optional<TenantNumber> first) {
    const PooledTenant& pooled = pool_.tenant(place);
    const auto own_class = TenantClass{static_cast<std::uint16_t>(place)};
    const HostedTenant hosted{.key = rng_.Next(),
                              .tenant_class = truth_ ? own_class : pooled.tenant_class,
                              .role = pooled.role,
                              .creation = now_,
                              .observed_peak = {}};
    return cluster_.Add(hosted, pooled, estimates_.Of(pooled.tenant_class, pooled.role), first);
  }

  // All of a tenant's replicas or none. Who moved to make room stays where he is.
  bool PlaceAll(const ClusterTenant& first) {
    const std::span<const ClusterTenant> replicas = cluster_.ReplicasOf(first);
    for (std::size_t i = 0; i < replicas.size(); ++i) {
      if (PlaceNewcomer(replicas[i].number)) continue;
      for (const ClusterTenant& placed : replicas.first(i)) Take(placed.number);
      return false;
    }
    return true;
  }

  bool PlaceNewcomer(TenantNumber number) {
    const bool fits = FindFits(number, kNoNode) || MakeRoom(number);
    const NodeIndex node = fits ? technique_->Choose(cluster_.tenant(number), fits_) : kNoNode;
    if (node != kNoNode) Put(number, node);
    return node != kNoNode;
  }

  // Moves small tenants away from the node that needs fewest moves for it. Then `fits_` is it.
  bool MakeRoom(TenantNumber newcomer) {
    std::vector<std::pair<std::size_t, NodeIndex>> candidates;
    for (NodeIndex node = 0; node < cluster_.node_count(); ++node) {
      const std::size_t moves = MovesForRoom(newcomer, node);
      if (moves <= kMovesForRoomMax) candidates.emplace_back(moves, node);
    }
    if (candidates.empty()) return false;
    const NodeIndex node = std::ranges::min(candidates).second;
    for (const TenantNumber number : SmallestFirst(node)) {
      if (cluster_.FitsNow(cluster_.tenant(newcomer), node)) break;
      if (!FindFits(number, node)) continue;
      const NodeIndex to = technique_->Choose(cluster_.tenant(number), fits_);
      if (to == kNoNode) continue;
      Move(number, to);
      ++outcome_.failovers_for_room;
    }
    fits_.assign(1, node);
    return cluster_.FitsNow(cluster_.tenant(newcomer), node);
  }

  // How many of the smallest must go; more than allowed if they would not suffice.
  std::size_t MovesForRoom(TenantNumber newcomer, NodeIndex node) {
    std::vector<TenantNumber> gone;
    const std::vector<TenantNumber> smallest = SmallestFirst(node);
    for (const TenantNumber number : smallest) {
      if (gone.size() > kMovesForRoomMax) break;
      if (cluster_.FitsNow(cluster_.tenant(newcomer), node)) break;
      if (!FindFits(number, node)) continue;
      cluster_.Take(number);
      gone.push_back(number);
    }
    const bool enough = cluster_.FitsNow(cluster_.tenant(newcomer), node);
    for (const TenantNumber number : gone) cluster_.Place(number, node);
    return enough ? gone.size() : kMovesForRoomMax + 1;
  }

  std::vector<TenantNumber> SmallestFirst(NodeIndex node) const {
    std::vector<std::pair<double, TenantNumber>> by_size;
    for (const TenantNumber number : cluster_.tenants(node)) {
      by_size.emplace_back(cluster_.SizeOf(cluster_.tenant(number).demand), number);
    }
    std::ranges::sort(by_size);
    std::vector<TenantNumber> numbers;
    numbers.reserve(by_size.size());
    for (const auto& [size, number] : by_size) numbers.push_back(number);
    return numbers;
  }

  bool FindFits(TenantNumber number, NodeIndex except) {
    cluster_.FindFits(cluster_.tenant(number), except, fits_);
    return !fits_.empty();
  }

  void Move(TenantNumber number, NodeIndex to) {
    Take(number);
    Put(number, to);
    ++outcome_.failovers;
    outcome_.moved_mib += cluster_.tenant(number).demand[DemandResource::kDisk];
  }

  void Put(TenantNumber number, NodeIndex node) {
    cluster_.Place(number, node);
    technique_->Placed(cluster_.tenant(number));
    digest_.Add(number);
    digest_.Add(node);
  }

  void Take(TenantNumber number) {
    const NodeIndex from = cluster_.tenant(number).node;
    cluster_.Take(number);
    technique_->Left(cluster_.tenant(number), from);
  }

  const TenantPool& pool_;
  bool oracle_;
  std::uint64_t promised_at_most_;
  Step steps_;
  InitialEstimates estimates_;
  ReplicaSets sets_;
  Rng rng_;
  TenantCluster cluster_;
  std::optional<TraceLibrary> truth_;
  std::unique_ptr<Technique> technique_;
  Step now_ = 0;
  std::vector<TenantNumber> present_;
  std::vector<std::vector<TenantNumber>> departing_;  // By step.
  std::vector<NodeIndex> fits_;
  Digest digest_;
  TenantOutcome outcome_;
};

}  // namespace

TenantOutcome SimulateTenants(const TenantPopulation& population, const TechniqueName& technique,
                              const TenantSimulation& options) {
  BERTH_CHECK(population.pool.size() > 0 && options.nodes > 0 && options.hours > 0);
  return Rehearsal(population, technique, options).Run();
}

}  // namespace berth

// The evaluation against an even plainer one: every machine asked every predicate, and the smallest
// of the documented formula.
#include "allocate/evaluate.h"

#include <gtest/gtest.h>

#include "allocate/gang.h"
#include "allocate/refusal.h"
#include "fleet/predicates.h"
#include "support/random_fleet.h"

namespace berth {
namespace {

using testing::InstancesOf;
using testing::RandomFleet;
using testing::RandomService;

struct Policy {
  std::uint32_t clusters = 8;
  std::uint32_t buckets = 10;
  std::string_view also = "";  // Rules that come first, each with a comma.

  AllocatePolicy Parsed() const {
    const std::string text =
        fmt::format("allocate: {{clusters: {}, rules: [{}{{best_fit: {}}}]}}", clusters, also,
                    buckets == 0 ? "{}" : fmt::format("{{buckets: {}}}", buckets));
    const Document document = ParseDocument(text, "policy").value();
    Result<AllocatePolicy> policy = ParseAllocatePolicy(document.root());
    EXPECT_TRUE(policy.ok()) << policy.status().message();
    return std::move(policy).value();
  }
};

// Whether the tenant's quota takes one instance more, or it is not one more.
bool MayGrow(const Ask& ask) {
  const TenantState& tenant = ask.inventory[ask.tenant];
  ResourceTotals used = tenant.used;
  used += ask.traits.limit;
  return ask.IsCounted() || WithinQuota(tenant.record, used);
}

bool IsValidPlainly(const Ask& ask, MachineIndex index) {
  const MachineState& machine = ask.inventory[index];
  const Constraints& constraints = ask.service.constraints;
  std::uint32_t on_machine = 0;
  std::uint32_t in_rack = 0;
  std::uint32_t in_domain = 0;
  bool apart = false;
  if (const ServiceState* service = ask.inventory.FindService(ask.service.name)) {
    for (const Instance& instance : service->instances) {
      if (!instance.HoldsRoom()) continue;
      const MachineState& other = *ask.inventory.Find(instance.machine);
      if (instance.machine == machine.record.name) ++on_machine;
      if (other.rack == machine.rack) ++in_rack;
      if (other.record.update_domain == machine.record.update_domain) ++in_domain;
      apart = apart || !SameScope(constraints.within, other, machine);
    }
  }
  return TakesPlacements(machine.record.health) && SupportsType(machine.record, ask.traits.type) &&
         HasLabels(machine.record.labels, constraints.labels) &&
         HasRoom(machine.usable, machine.allocated, ask.traits.limit) &&
         MayJoin(machine.occupancy, ask.tenant, constraints.isolate) && !apart &&
         in_rack < MaxPerRack(constraints, ask.service.InstanceCount()) &&
         in_domain < MaxPerUpdateDomain(constraints) && on_machine < MaxPerMachine(constraints) &&
         MayGrow(ask);
}

// The mean share of cpu and memory that stays free, in millionths, in ceil(S*N) of N buckets.
std::int64_t ScorePlainly(const Ask& ask, MachineIndex index, std::uint32_t buckets) {
  const MachineState& machine = ask.inventory[index];
  std::int64_t sum = 0;
  for (const Resource r : {Resource::kCpu, Resource::kMemory}) {
    const std::int64_t left = machine.usable[r] - machine.allocated[r] - ask.traits.limit[r];
    sum += static_cast<std::int64_t>(static_cast<double>(left) *
                                     (1e6 / static_cast<double>(machine.usable[r])));
  }
  const std::int64_t points = sum / 2;
  return buckets == 0 ? points : (points * buckets + 999'999) / 1'000'000;
}

struct Plain {
  std::vector<MachineIndex> best;
  bool fits_somewhere = false;
};

Plain EvaluatePlainly(const Ask& ask, const std::vector<ClusterIndex>& order,
                      const Policy& policy) {
  Plain plain;
  std::vector<MachineIndex> candidates;
  std::uint32_t suitable = 0;
  for (const ClusterIndex cluster : order) {
    const std::size_t before = candidates.size();
    for (const MachineIndex machine : ask.inventory[cluster].machines) {
      if (IsValidPlainly(ask, machine)) candidates.push_back(machine);
    }
    if (candidates.size() > before && ++suitable == policy.clusters) break;
  }
  for (std::uint32_t i = 0; i < ask.inventory.machines().size(); ++i) {
    plain.fits_somewhere = plain.fits_somewhere || IsValidPlainly(ask, MachineIndex{i});
  }
  std::int64_t least = INT64_MAX;
  for (const MachineIndex machine : candidates) {
    least = std::min(least, ScorePlainly(ask, machine, policy.buckets));
  }
  for (const MachineIndex machine : candidates) {
    if (ScorePlainly(ask, machine, policy.buckets) == least) plain.best.push_back(machine);
  }
  std::ranges::sort(plain.best, {}, [&](MachineIndex m) {
    const Machine& at = ask.inventory[m].record;
    return std::tie(at.datacenter, at.cluster, at.row, at.rack, at.name);
  });
  return plain;
}

// Calls f(view, ask, policy) for random fleets and asks, also of services that run already.
template <typename F>
void ForRandomAsks(std::uint64_t rounds, F f) {
  for (std::uint64_t seed = 0; seed < rounds; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Rng rng(seed);
    Inventory view = RandomFleet(rng);
    Service service = RandomService(rng, "new");
    if (rng.Below(2) == 0) {
      if (const ServiceState* old = view.FindService("old0")) service = old->record;
    }
    const Policy policy{.clusters = static_cast<std::uint32_t>(1 + rng.Below(4)),
                        .buckets = static_cast<std::uint32_t>(rng.Below(12))};
    Footprint footprint;
    if (const ServiceState* state = view.FindService(service.name))
      footprint = Footprint(view, *state);
    f(view, AskFor(view, service, InstancesOf(view, service).front(), footprint), policy);
  }
}

TEST(EvaluateProperties, AgreesWithAskingEveryMachine) {
  std::size_t found = 0;
  ForRandomAsks(1500, [&](Inventory&, const Ask& ask, const Policy& plain) {
    const AllocatePolicy policy = plain.Parsed();
    const std::vector<ClusterIndex> order = OrderClusters(policy, ask);
    const Evaluation evaluation = EvaluateFromScratch(policy, ask, order);
    const Plain expected = EvaluatePlainly(ask, order, plain);
    EXPECT_EQ(evaluation.best, expected.best);
    if (!expected.best.empty()) ++found;
  });
  EXPECT_GT(found, 250U);  // Otherwise the fleets are too full to tell anything.
}

TEST(EvaluateProperties, NeverRefusesWhatFitsSomewhere) {
  ForRandomAsks(1500, [&](Inventory&, const Ask& ask, Policy plain) {
    plain.clusters = 1;
    const AllocatePolicy policy = plain.Parsed();
    const std::vector<ClusterIndex> order = OrderClusters(policy, ask);
    EXPECT_EQ(EvaluateFromScratch(policy, ask, order).best.empty(),
              !EvaluatePlainly(ask, order, plain).fits_somewhere);
  });
}

TEST(EvaluateProperties, FunnelCountsWhatIsLeftRuleByRule) {
  ForRandomAsks(1000, [&](Inventory&, const Ask& ask, const Policy& plain) {
    const AllocatePolicy policy = plain.Parsed();
    const Evaluation evaluation = EvaluateFromScratch(policy, ask, OrderClusters(policy, ask));
    std::uint32_t before = evaluation.funnel.machines;
    for (const FunnelStep& step : evaluation.funnel.steps) {
      EXPECT_LE(step.left, before);
      before = step.left;
    }
    EXPECT_EQ(before, evaluation.best.size());
  });
}

TEST(EvaluateProperties, ARefusalNamesARuleAndMachinesThatReallyLackSomething) {
  std::size_t shut_out = 0;
  ForRandomAsks(1000, [&](Inventory& view, const Ask& ask, Policy plain) {
    plain.also = "{below_cluster_limit: {cpu: 40%}}, ";
    const AllocatePolicy policy = plain.Parsed();
    const Evaluation evaluation = EvaluateFromScratch(policy, ask, OrderClusters(policy, ask));
    if (!evaluation.best.empty()) return;
    const Refusal refusal = ExplainRefusal(policy, ask, evaluation.funnel);
    EXPECT_FALSE(refusal.because.empty());
    EXPECT_FALSE(refusal.nearest.empty());
    for (const NearMiss& miss : refusal.nearest) {
      EXPECT_FALSE(miss.lacks.empty());
      if (miss.rule.str() == "below_cluster_limit") ++shut_out;
      FromScratch chooser(policy);
      const WhyNot why = ExplainMachine(policy, chooser, ask, *view.IndexOf(miss.machine));
      EXPECT_FALSE(why.valid);
      EXPECT_FALSE(why.reasons.empty());
    }
  });
  EXPECT_GT(shut_out, 100U);
}

TEST(GangProperties, PlacesAllOrNothingAndLeavesTheViewAsItWas) {
  std::size_t whole = 0;
  std::size_t refused = 0;
  for (std::uint64_t seed = 0; seed < 800; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Rng rng(seed);
    Inventory view = RandomFleet(rng);
    const Service service = RandomService(rng, "new");
    const std::vector<Instance> wanted = InstancesOf(view, service);
    const Inventory before = view;
    const AllocatePolicy policy = Policy{}.Parsed();
    FromScratch chooser(policy);
    const Choosing choosing{.policy = policy, .chooser = chooser, .rng = rng.Fork("draws")};
    const GangResult result = PlaceGang(choosing, view, service, wanted);
    EXPECT_EQ(testing::Differences(view, before), "");
    EXPECT_FALSE(result.funnels.empty());
    if (result.refusal) {
      ++refused;
      EXPECT_TRUE(result.placed.empty());
      continue;
    }
    ++whole;
    ASSERT_EQ(result.placed.size(), wanted.size());
    // One after the other, each on the fleet that those before it left.
    testing::PutInto(view, service);
    for (const Placement& placement : result.placed) {
      Instance instance = wanted[placement.instance];
      const MachineState& machine = *view.Find(placement.machine);
      EXPECT_TRUE(HasRoom(machine.usable, machine.allocated, instance.limit));
      EXPECT_TRUE(
          MayJoin(machine.occupancy, *view.IndexOf(service.tenant), service.constraints.isolate));
      instance.machine = placement.machine;
      instance.state = InstanceState::kPlaced;
      testing::PutInto(view, instance);
    }
    const Footprint footprint(view, *view.FindService("new"));
    for (const Placement& placement : result.placed) {
      const MachineIndex index = *view.IndexOf(placement.machine);
      const MachineIndex first = *view.IndexOf(result.placed.front().machine);
      EXPECT_LE(footprint.OnMachine(index), MaxPerMachine(service.constraints));
      EXPECT_LE(footprint.InRack(view[index].rack),
                MaxPerRack(service.constraints, service.InstanceCount()));
      EXPECT_TRUE(SameScope(service.constraints.within, view[first], view[index]));
    }
  }
  EXPECT_GT(whole, 100U);
  EXPECT_GT(refused, 100U);
}

}  // namespace
}  // namespace berth

// The order in which a gang's instances are placed, and gangs against a search of every assignment.
#include "allocate/gang.h"

#include <gtest/gtest.h>

#include "allocate/evaluator.h"
#include "support/plain_fleet.h"
#include "support/random_fleet.h"

namespace berth {
namespace {

using testing::InstancesOf;
using testing::PlainFleet;
using testing::PutInto;
using testing::Sized;

AllocatePolicy PolicyOf(std::string_view rules) {
  const Document document =
      ParseDocument(fmt::format("allocate: {{rules: [{}]}}", rules), "policy").value();
  Result<AllocatePolicy> policy = ParseAllocatePolicy(document.root());
  EXPECT_TRUE(policy.ok()) << policy.status().message();
  return std::move(policy).value();
}

// Each instance for itself in this order, each seeing those before it: whether all found room.
bool PlacesOneByOne(const AllocatePolicy& policy, Inventory view, const Service& service,
                    std::vector<Instance> in_order) {
  Evaluator chooser(policy);
  const Choosing choosing{.policy = policy, .chooser = chooser, .rng = Rng(1)};
  PutInto(view, service);
  for (Instance& instance : in_order) {
    const GangResult result = PlaceGang(choosing, view, service, {&instance, 1});
    if (result.refusal) return false;
    instance.machine = result.placed.front().machine;
    instance.state = InstanceState::kPlaced;
    PutInto(view, instance);
  }
  return true;
}

std::vector<Instance> SmallestFirst(std::vector<Instance> instances) {
  std::ranges::stable_sort(instances, {},
                           [](const Instance& i) { return i.limit[Resource::kCpu]; });
  return instances;
}

// The fleet of a hand-made case: machines and a type for each of these sizes, and a gang of one
// instance of each type.
struct HandMade {
  HandMade(const std::vector<std::int64_t>& machines, const std::vector<std::int64_t>& gang) {
    PutInto(view, Tenant{.name = TenantId("acme"), .quota = std::nullopt});
    for (std::size_t i = 0; i < machines.size(); ++i) {
      Machine machine;
      machine.name = MachineId(fmt::format("m{}", i));
      machine.capacity = Sized(machines[i], machines[i]);
      PutInto(view, machine);
    }
    service.name = "gang";
    service.tenant = TenantId("acme");
    service.klass = ClassId("gold");
    for (const std::int64_t cpu : gang) {
      InstanceType type;
      type.name = TypeId(fmt::format("of{}", cpu));
      type.size = Sized(cpu, cpu);
      PutInto(view, type);
      service.groups.push_back({.type = type.name, .role = {}, .count = 1});
    }
    wanted = InstancesOf(view, service);
  }

  std::vector<std::string> Placed(const AllocatePolicy& policy) {
    Evaluator chooser(policy);
    const Choosing choosing{.policy = policy, .chooser = chooser, .rng = Rng(1)};
    std::vector<std::string> machines;
    for (const Placement& placement : PlaceGang(choosing, view, service, wanted).placed) {
      machines.push_back(placement.machine.str());
    }
    return machines;
  }

  Inventory view;
  Service service;
  std::vector<Instance> wanted;
};

TEST(GangOrder, PlacesTheLargeBeforeTheSmallTakeTheirRoom) {
  // The emptiest machine first: the small one alone would go to the only machine that takes the
  // large one.
  HandMade fleet({8, 4}, {2, 8});
  const AllocatePolicy policy = PolicyOf("worst_fit");
  EXPECT_FALSE(PlacesOneByOne(policy, fleet.view, fleet.service, SmallestFirst(fleet.wanted)));
  EXPECT_EQ(fleet.Placed(policy), (std::vector<std::string>{"m1", "m0"}));
}

TEST(GangOrder, PlacesTheLargeWhereTheSmallWouldHaveBeenTightest) {
  // The tightest machine first: 2 alone would go to the machine of 5, 4 to that of 6, and 5 to
  // none.
  HandMade fleet({5, 6}, {2, 4, 5});
  const AllocatePolicy policy = PolicyOf("best_fit");
  EXPECT_FALSE(PlacesOneByOne(policy, fleet.view, fleet.service, SmallestFirst(fleet.wanted)));
  EXPECT_EQ(fleet.Placed(policy), (std::vector<std::string>{"m1", "m1", "m0"}));
}

// Whether all can be placed, trying every machine for each.
bool SearchPlaces(PlainFleet& fleet, const Service& service, std::span<const Instance> wanted) {
  if (wanted.empty()) return true;
  for (const MachineId taker : fleet.Takers(service, wanted.front())) {
    Instance placed = wanted.front();
    placed.machine = taker;
    placed.state = InstanceState::kPlaced;
    fleet.Take(placed);
    const bool all = SearchPlaces(fleet, service, wanted.subspan(1));
    fleet.Forget(placed.id);
    if (all) return true;
  }
  return false;
}

// A few machines, some of them taken, the same as records in two forms.
class TinyFleet {
 public:
  explicit TinyFleet(Rng& rng)
      : evicts_(rng.Below(3) == 0),
        plain_(evicts_ ? std::set<ClassId>{ClassId("bronze")} : std::set<ClassId>{}) {
    Take(PolicyText{testing::PolicyWithEvictions(100)});
    Take(Tenant{.name = TenantId("acme"), .quota = testing::RandomQuota(rng)});
    Take(Tenant{.name = TenantId("globex"), .quota = std::nullopt});
    for (std::uint64_t i = 0; i < 3; ++i) {
      InstanceType type;
      type.name = TypeId(fmt::format("t{}", i));
      type.size = Sized(1 + static_cast<std::int64_t>(rng.Below(6)),
                        1 + static_cast<std::int64_t>(rng.Below(6)));
      Take(type);
    }
    const std::uint64_t machines = 2 + rng.Below(3);
    for (std::uint64_t i = 0; i < machines; ++i) Take(AnyMachine(rng, i));
    for (std::uint64_t i = 0; i < machines; ++i) Occupy(rng, i);
  }

  void Take(const Record& record) {
    PutInto(view_, record);
    plain_.Take(record);
  }

  static Service AnyGang(Rng& rng) {
    Service service;
    service.name = "gang";
    service.tenant = TenantId("acme");
    service.klass = ClassId("gold");
    for (std::uint64_t group = 0; group < 1 + rng.Below(3); ++group) {
      service.groups.push_back({.type = TypeId(fmt::format("t{}", group)),
                                .role = {},
                                .count = static_cast<std::uint32_t>(1 + rng.Below(2))});
    }
    service.constraints = testing::RandomConstraints(rng);
    service.constraints.labels.clear();
    return service;
  }

  bool evicts() const { return evicts_; }
  Inventory& view() { return view_; }
  PlainFleet& plain() { return plain_; }

 private:
  static Machine AnyMachine(Rng& rng, std::uint64_t number) {
    Machine machine;
    machine.name = MachineId(fmt::format("m{}", number));
    machine.cluster = ClusterId(fmt::format("c{}", rng.Below(2)));
    machine.rack = RackId(fmt::format("r{}", rng.Below(2)));
    machine.capacity = Sized(5 + static_cast<std::int64_t>(rng.Below(10)),
                             5 + static_cast<std::int64_t>(rng.Below(10)));
    if (rng.Below(10) == 0) machine.health = Health::kDraining;
    return machine;
  }

  // Puts a service of one instance somewhere, if it finds room.
  void Occupy(Rng& rng, std::uint64_t number) {
    Service service;
    service.name = fmt::format("old{}", number);
    service.tenant = TenantId(rng.Below(2) == 0 ? "acme" : "globex");
    service.klass = ClassId(rng.Below(2) == 0 ? "gold" : "bronze");
    service.groups = {{.type = TypeId(fmt::format("t{}", rng.Below(3))), .role = {}, .count = 1}};
    service.constraints.isolate = rng.Below(6) == 0;
    Instance instance = InstancesOf(view_, service).front();
    PlainFleet nobody_yields = plain_.WithoutYielding();
    const std::vector<MachineId> takers = nobody_yields.Takers(service, instance);
    if (takers.empty()) return;
    instance.machine = takers[rng.Below(takers.size())];
    instance.state = InstanceState::kPlaced;
    Take(service);
    Take(instance);
  }

  bool evicts_;
  Inventory view_;
  PlainFleet plain_;
};

// One by one on the plain fleet, and then without those who yielded: every step and the whole hold.
void CheckPlacement(TinyFleet& fleet, const Service& service, const std::vector<Instance>& wanted,
                    const GangResult& result) {
  ASSERT_EQ(result.placed.size(), wanted.size());
  PlainFleet after = fleet.plain();
  after.Take(service);
  for (const Placement& placement : result.placed) {
    Instance instance = wanted[placement.instance];
    const std::vector<MachineId> takers = after.Takers(service, instance);
    ASSERT_NE(std::ranges::find(takers, placement.machine), takers.end());
    instance.machine = placement.machine;
    instance.state = InstanceState::kPlaced;
    after.Take(instance);
  }
  for (const GangResult::Eviction& eviction : result.evicted) {
    Instance victim = after.instances().at(eviction.instance);
    ASSERT_EQ(victim.machine, eviction.from);
    ASSERT_TRUE(after.Yields(after.services().at(victim.id.service)));
    victim.machine = MachineId();
    victim.state = InstanceState::kPending;
    after.Take(victim);
  }
  ASSERT_EQ(after.Broken(), "");
}

struct GangCounts {
  int possible = 0;
  int placed = 0;
  int impossible = 0;
  int evicting = 0;
  int comparable = 0;      // Possible, and not bound to one place, so that any order may be tried.
  int largest_first = 0;   // Of the comparable,
  int as_listed = 0;       // how many each order
  int smallest_first = 0;  // places.
};

void CompareWithSearch(std::uint64_t seed, GangCounts& counts) {
  Rng rng(seed);
  TinyFleet fleet(rng);
  const Service service = TinyFleet::AnyGang(rng);
  const std::vector<Instance> wanted = InstancesOf(fleet.view(), service);
  static const std::vector<std::string> kRules = {"best_fit", "worst_fit",
                                                  "{best_fit: {buckets: 3}}"};
  const AllocatePolicy policy =
      PolicyOf((fleet.evicts() ? "{fits: {evicting: true}}, fewest_evictions, " : "") +
               kRules[rng.Below(kRules.size())]);
  Evaluator chooser(policy);
  const Choosing choosing{.policy = policy, .chooser = chooser, .rng = rng.Fork("draws")};

  const Inventory before = fleet.view();
  const GangResult result = PlaceGang(choosing, fleet.view(), service, wanted);
  ASSERT_EQ(testing::Differences(fleet.view(), before), "");
  PlainFleet searched = fleet.plain();
  searched.Take(service);
  const bool possible = SearchPlaces(searched, service, wanted);
  ++(possible ? counts.possible : counts.impossible);
  if (result.refusal) {
    ASSERT_TRUE(result.placed.empty() && result.evicted.empty());
  } else {
    ASSERT_TRUE(possible);
    ++counts.placed;
    if (!result.evicted.empty()) ++counts.evicting;
    CheckPlacement(fleet, service, wanted, result);
  }
  if (!possible || fleet.evicts() || service.constraints.within != Scope::kZone) return;
  ++counts.comparable;
  if (!result.refusal) ++counts.largest_first;
  if (PlacesOneByOne(policy, fleet.view(), service, wanted)) ++counts.as_listed;
  if (PlacesOneByOne(policy, fleet.view(), service, SmallestFirst(wanted))) ++counts.smallest_first;
}

TEST(GangOrder, PlacesNearlyAllThatASearchOfEveryAssignmentCan) {
  GangCounts counts;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    CompareWithSearch(seed, counts);
    if (::testing::Test::HasFatalFailure()) return;
  }
  fmt::print(
      "{} of {} possible gangs placed, {} impossible, {} evict; of {} the largest first places {}, "
      "as listed {}, the smallest first {}\n",
      counts.placed, counts.possible, counts.impossible, counts.evicting, counts.comparable,
      counts.largest_first, counts.as_listed, counts.smallest_first);
  EXPECT_GT(counts.possible, 500);
  EXPECT_GT(counts.impossible, 500);
  EXPECT_GT(counts.evicting, 50);
  EXPECT_GE(counts.placed * 100, counts.possible * 97);
  EXPECT_GT(counts.largest_first, counts.as_listed);
  EXPECT_GT(counts.as_listed, counts.smallest_first);
}

}  // namespace
}  // namespace berth

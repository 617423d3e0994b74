#include "allocate/what_if/defragment.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/document.h"
#include "fleet/fleet_testing.h"
#include "support/random_fleet.h"

namespace berth {
namespace {

AllocatePolicy Shipped() {
  const Document document = ParseDocument(ShippedPolicy(), "policy").value();
  return ParseAllocatePolicy(document.root()).value();
}

DefragmentPlan PlanFor(const Inventory& fleet, std::uint64_t moves_max = 20) {
  return PlanDefragmentation(Shipped(), fleet, moves_max);
}

std::string Moves(const DefragmentPlan& plan) {
  std::string text;
  for (const PlannedMove& move : plan.moves) {
    text += fmt::format("{}{}: {} to {}", text.empty() ? "" : ", ", ToString(move.instance),
                        move.from.str(), move.to.str());
  }
  return text;
}

// An ordinary service of so many cores on each machine named.
Operations Running(std::string_view name, const std::vector<std::string>& machines,
                   std::int64_t cpu, Constraints constraints = {}) {
  Service service = ServiceOf(name, static_cast<std::uint32_t>(machines.size()));
  service.constraints = std::move(constraints);
  return Create(service, machines, cpu);
}

TEST(Defragment, EmptiesTheLittleUsedMachineIntoTheFullest) {
  // Three machines of 8 cores: 6, 3 and 1 allocated. m3's core fits on both others, and m1 is the
  // better fit; m2 cannot go anywhere.
  World world;
  world.Do(Running("a", {"m1"}, 6) + Running("b", {"m2"}, 3) + Running("c", {"m3"}, 1));
  const DefragmentPlan plan = PlanFor(world.inventory());
  EXPECT_EQ(Moves(plan), "c/0: m3 to m1");
  EXPECT_EQ(plan.emptied, std::vector{MachineId("m3")});
  EXPECT_EQ(plan.moves[0].could_take, 2U);
  EXPECT_EQ(plan.moves[0].choice, 1U);
  EXPECT_DOUBLE_EQ(plan.before.Density(), 10.0 / 24);
  EXPECT_DOUBLE_EQ(plan.after.Density(), 10.0 / 16);
  EXPECT_DOUBLE_EQ(plan.after.Utilisation(), plan.before.Utilisation());
  EXPECT_EQ(plan.FreedMillicores(), 8000);
  // "small" is 1 core: 14 fit, wherever the free ones are.
  ASSERT_EQ(plan.rooms.size(), 1U);
  EXPECT_EQ(plan.rooms[0].running, 3U);
  EXPECT_EQ(plan.rooms[0].fit_before, 14U);
  EXPECT_EQ(plan.rooms[0].fit_after, 14U);
}

TEST(Defragment, RoomInOnePieceTakesMoreOfALargeType) {
  World world;
  InstanceType large{
      .name = TypeId("large"), .size = Amounts(5), .skus = {}, .requires_labels = {}};
  Service wide = ServiceOf("wide", 1);
  wide.groups[0].type = large.name;
  Instance one = InstanceOf("wide", 0, "m1", 5);
  one.type = large.name;
  world.Do({Put{large}});
  world.Do(Operations{Put{wide}, Put{one}} + Running("b", {"m2"}, 4) + Running("c", {"m3"}, 4));
  const DefragmentPlan plan = PlanFor(world.inventory());
  EXPECT_EQ(Moves(plan), "b/0: m2 to m3");
  ASSERT_EQ(plan.rooms.size(), 2U);
  EXPECT_EQ(plan.rooms[1].type, TypeId("large"));
  EXPECT_EQ(plan.rooms[1].fit_before, 0U);
  EXPECT_EQ(plan.rooms[1].fit_after, 1U);
}

TEST(Defragment, StopsAtSoManyMovesAndEmptiesNoMachineHalf) {
  World world;
  world.Do(Running("a", {"m1", "m1"}, 1) + Running("b", {"m2", "m2", "m2"}, 1) +
           Running("c", {"m3"}, 1));
  EXPECT_EQ(PlanFor(world.inventory(), 0).moves.size(), 0U);
  const DefragmentPlan one = PlanFor(world.inventory(), 1);
  EXPECT_EQ(one.emptied, std::vector{MachineId("m3")});
  const DefragmentPlan two = PlanFor(world.inventory(), 2);
  EXPECT_EQ(two.emptied, std::vector{MachineId("m3")});  // One move is left, m1 needs two.
  const DefragmentPlan all = PlanFor(world.inventory(), 20);
  EXPECT_EQ(all.emptied.size(), 2U);
  EXPECT_EQ(all.moves.size(), 3U);
  EXPECT_EQ(all.after.machines_in_use, 1U);
}

TEST(Defragment, RespectsWhatServicesAskFor) {
  World world;
  // a is isolated on m1 and the rival is on both others; neither b nor the rival may stand twice on
  // a machine. So a can go nowhere, and the rival's cannot either.
  const Constraints apart{.labels = {}, .max_per_machine = 1};
  Service rival = ServiceOf("r", 2);
  rival.tenant = TenantId("rival");
  rival.constraints = apart;
  world.Do(Running("a", {"m1"}, 1, {.labels = {}, .isolate = true}) +
           Running("b", {"m2", "m3"}, 1, apart) + Create(rival, {"m2", "m3"}));
  const DefragmentPlan plan = PlanFor(world.inventory());
  EXPECT_EQ(Moves(plan), "");
  EXPECT_EQ(plan.before, plan.after);
  EXPECT_EQ(plan.fragments.size(), 3U);
}

TEST(Defragment, LeavesMachinesThatAreNotReadyAlone) {
  World world;
  world.Do(Running("a", {"m1"}, 2) + Running("b", {"m2"}, 1) + Running("c", {"m3"}, 1));
  Machine draining = MachineIn("m1");
  draining.health = Health::kDraining;
  Machine updating = MachineIn("m2");
  updating.health = Health::kUpdating;
  world.Do({Put{.record = draining, .replaces = true}, Put{.record = updating, .replaces = true}});
  const DefragmentPlan plan = PlanFor(world.inventory());
  EXPECT_EQ(Moves(plan), "");
  ASSERT_EQ(plan.fragments.size(), 1U);
  EXPECT_EQ(plan.fragments[0].machine, MachineId("m3"));
}

TEST(Fragments, AreThoseWithFewCoresTakenOrCoresThatNothingCanUse) {
  World world;
  InstanceType tall{
      .name = TypeId("tall"), .size = Amounts(1, 8), .skus = {}, .requires_labels = {}};
  world.Do({Put{tall}});
  // All 32Gi of m1 with half of its cores; all cores of m2; one core of m3.
  Service db = ServiceOf("db", 4);
  db.groups[0].type = tall.name;
  Operations change = {Put{db}};
  for (std::uint32_t i = 0; i < 4; ++i) {
    Instance instance = InstanceOf("db", i, "m1");
    instance.type = tall.name;
    instance.limit = tall.size;
    change.emplace_back(Put{instance});
  }
  world.Do(change);
  const std::vector<CommonType> tallest = CommonestTypes(world.inventory(), 1);
  world.Do(Running("a", {"m2"}, 8) + Running("b", {"m3"}, 1));
  ASSERT_EQ(tallest.size(), 1U);
  EXPECT_EQ(tallest[0].running, 4U);
  const std::vector<Fragment> fragments = FindFragments(world.inventory(), tallest);
  ASSERT_EQ(fragments.size(), 2U);
  EXPECT_EQ(fragments[0].machine, MachineId("m3"));
  EXPECT_TRUE(fragments[0].little_used);
  // Room for four of 8Gi: four of its seven free cores, the others are stranded.
  EXPECT_EQ(fragments[0].stranded_millicores, 3000);
  EXPECT_EQ(fragments[1].machine, MachineId("m1"));
  EXPECT_FALSE(fragments[1].little_used);
  EXPECT_TRUE(fragments[1].stranded);
  EXPECT_EQ(fragments[1].stranded_millicores, 4000);
  EXPECT_EQ(fragments[1].short_of, Resource::kMemory);
}

// --- Against every possibility ---

std::optional<Inventory> Moved(const Inventory& fleet, const InstanceId& id, MachineId to) {
  ChangeSet change{.operations = {Move{id, fleet.Find(id)->machine, to}},
                   .seen = fleet.revision(),
                   .at = {},
                   .guard = {}};
  Judgement judgement = Judge(fleet, change, {});
  if (judgement.violation) return std::nullopt;
  Inventory after = fleet;
  for (const Update& update : judgement.updates) after.Install(update);
  return after;
}

std::vector<InstanceId> InstancesOn(const Inventory& fleet, const MachineState& machine) {
  std::vector<InstanceId> ids;
  for (const InstanceRef& ref : machine.instances) {
    ids.push_back({fleet[ref.service].record.name, ref.number});
  }
  return ids;
}

// Whether any order and any targets empty the machine onto others in use.
bool CanBeEmptied(const Inventory& fleet, MachineId name) {
  const MachineState& machine = *fleet.Find(name);
  if (machine.instances.empty()) return true;
  for (const InstanceId& id : InstancesOn(fleet, machine)) {
    for (const MachineState& target : fleet.machines()) {
      if (target.instances.empty() || target.record.name == name) continue;
      const std::optional<Inventory> after = Moved(fleet, id, target.record.name);
      if (after && CanBeEmptied(*after, name)) return true;
    }
  }
  return false;
}

// At most 5 machines and 6 instances, with every kind of constraint.
Inventory TinyFleet(Rng& rng) {
  Inventory fleet;
  for (const Record& record : testing::RandomTypesAndTenants(rng)) testing::PutInto(fleet, record);
  const std::uint64_t machines = 2 + rng.Below(4);
  for (std::uint64_t m = 0; m < machines; ++m) {
    Machine machine = MachineIn(fmt::format("m{}", m), fmt::format("k{}", m % 3));
    machine.row = RowId(fmt::format("row{}", m % 2));
    machine.capacity = testing::Sized(4 + static_cast<std::int64_t>(rng.Below(8)), 32);
    if (rng.Below(8) == 0) machine.health = static_cast<Health>(1 + rng.Below(3));
    testing::PutInto(fleet, machine);
  }
  std::uint64_t placed = 0;
  for (std::uint64_t s = 0; s < 4 && placed < 6; ++s) {
    Service service = testing::RandomService(rng, fmt::format("s{}", s));
    service.groups.resize(1);
    service.groups[0].type = TypeId(rng.Below(2) == 0 ? "small" : "tall");
    service.groups[0].count = static_cast<std::uint32_t>(1 + rng.Below(2));
    service.constraints.labels = {};
    testing::PutInto(fleet, service);
    const MachineState* first = nullptr;
    for (Instance instance : testing::InstancesOf(fleet, service)) {
      const MachineState& machine = fleet.machines()[rng.Below(machines)];
      const bool together =
          first == nullptr || SameScope(service.constraints.within, *first, machine);
      if (placed < 6 && together && instance.limit.FitsIn(machine.Free())) {
        first = &machine;
        instance.machine = machine.record.name;
        instance.state = InstanceState::kPlaced;
        ++placed;
      }
      testing::PutInto(fleet, instance);
    }
  }
  return fleet;
}

// Every move holds on the state that those before it leave, and no move makes density worse.
Inventory FollowPlan(Inventory fleet, const DefragmentPlan& plan) {
  for (const PlannedMove& move : plan.moves) {
    EXPECT_EQ(fleet.Find(move.instance)->machine, move.from);
    const double density = MeasurePacking(fleet).Density();
    std::optional<Inventory> after = Moved(fleet, move.instance, move.to);
    if (!after) {
      ADD_FAILURE() << ToString(move.instance) << " to " << move.to.str();
      return fleet;
    }
    fleet = *std::move(after);
    EXPECT_GE(MeasurePacking(fleet).Density(), density);
  }
  return fleet;
}

TEST(DefragmentReference, FindsAGainOnTinyFleetsWheneverAMachineCanBeEmptied) {
  std::uint64_t gains = 0;
  std::uint64_t none = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Rng rng(seed);
    const Inventory fleet = TinyFleet(rng);
    const std::uint64_t moves_max = rng.Below(7);
    const DefragmentPlan plan = PlanFor(fleet, moves_max);
    EXPECT_LE(plan.moves.size(), moves_max);
    const Inventory after = FollowPlan(fleet, plan);
    EXPECT_EQ(MeasurePacking(after), plan.after);
    const bool possible = std::ranges::any_of(fleet.machines(), [&](const MachineState& machine) {
      return !machine.instances.empty() && machine.record.health == Health::kReady &&
             machine.instances.size() <= moves_max && CanBeEmptied(fleet, machine.record.name);
    });
    EXPECT_EQ(plan.after.Density() > plan.before.Density(), possible);
    EXPECT_EQ(plan.emptied.empty(), !possible);
    (possible ? gains : none) += 1;
  }
  EXPECT_GT(gains, 100U);
  EXPECT_GT(none, 100U);
}

TEST(DefragmentReference, PlansOnRandomFleetsHoldStepByStepAndMoveNothingTwice) {
  std::uint64_t moves = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Rng rng(seed);
    const Inventory fleet = testing::RandomFleet(rng);
    const DefragmentPlan plan = PlanFor(fleet);
    const Inventory after = FollowPlan(fleet, plan);
    EXPECT_EQ(MeasurePacking(after), plan.after);
    EXPECT_EQ(plan.before.machines_in_use - plan.after.machines_in_use, plan.emptied.size());
    std::vector<InstanceId> moved;
    for (const PlannedMove& move : plan.moves) {
      moved.push_back(move.instance);
      EXPECT_EQ(fleet.Find(move.to)->record.health, Health::kReady);
      EXPECT_FALSE(fleet.Find(move.to)->instances.empty());
    }
    std::ranges::sort(moved);
    EXPECT_EQ(std::ranges::adjacent_find(moved), moved.end());
    EXPECT_EQ(Moves(PlanFor(fleet)), Moves(plan));
    moves += moved.size();
  }
  EXPECT_GT(moves, 300U);
}

}  // namespace
}  // namespace berth

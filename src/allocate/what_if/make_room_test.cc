#include "allocate/what_if/make_room.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/document.h"
#include "berth/rng.h"
#include "fleet/fleet_testing.h"

namespace berth {
namespace {

AllocatePolicy RoomPolicy(std::string_view text) {
  return ParseAllocatePolicy(ParseDocument(text, "policy").value().root()).value();
}

// Machines m1 and m2 in rack k1 and m3 in k2, each of 8 cpu; "big" waits for so many of them.
class MakeRoomTest : public ::testing::Test {
 protected:
  void Run(std::string_view name, const std::string& machine, std::int64_t cpu,
           const Constraints& constraints = {}) {
    Service service = ServiceOf(name, 1);
    service.constraints = constraints;
    world_.Do(Create(service, {machine}, cpu));
  }
  std::string PlanFor(std::int64_t cpu, const Outlook* outlook = nullptr,
                      std::string_view policy = ShippedPolicy()) {
    if (world_.inventory().FindService("big") == nullptr) {
      world_.Do(Create(ServiceOf("big", 1), {""}, cpu));
    }
    const std::optional<RoomPlan> plan =
        PlanRoom(RoomPolicy(policy), world_.inventory(),
                 *world_.inventory().Find(InstanceId{"big", 0}), outlook);
    if (!plan) return "none";
    std::string text = fmt::format("room on {}", plan->machine.str());
    for (const PlannedMove& move : plan->moves) {
      text += fmt::format(", {} to {}", ToString(move.instance), move.to.str());
    }
    return text;
  }

  World world_;
};

// Two cores are free on each machine.
TEST_F(MakeRoomTest, MovesTheSmallestThatIsEnough) {
  Run("a", "m1", 4);
  Run("b", "m1", 2);
  Run("c", "m2", 5);
  Run("d", "m2", 1);
  Run("e", "m3", 6);
  // Of 3 cores m2 lacks one, and d is just that.
  EXPECT_EQ(PlanFor(3), "room on m2, d/0 to m1");
}

TEST_F(MakeRoomTest, MovesTwoWhereOneIsNotEnough) {
  for (const std::string machine : {"m1", "m2", "m3"}) {
    for (int i = 0; i < 7; ++i) Run(fmt::format("{}-{}", machine, i), machine, 1);
  }
  EXPECT_EQ(PlanFor(3), "room on m1, m1-0/0 to m2, m1-1/0 to m3");
}

TEST_F(MakeRoomTest, MovesNoMoreThanThree) {
  for (const std::string machine : {"m1", "m2", "m3"}) {
    for (int i = 0; i < 6; ++i) Run(fmt::format("{}-{}", machine, i), machine, 1);
  }
  EXPECT_EQ(PlanFor(6), "none");  // It would take four; room for four there is.
}

TEST_F(MakeRoomTest, MovesNothingWhereThereIsRoom) {
  Run("a", "m1", 6);
  EXPECT_EQ(PlanFor(3), "none");
}

TEST_F(MakeRoomTest, MovesNothingWhereRoomIsNotWhatLacks) {
  for (const std::string machine : {"m1", "m2", "m3"}) Run("on-" + machine, machine, 6);
  EXPECT_EQ(PlanFor(9), "none");  // More than any machine has.
}

TEST_F(MakeRoomTest, MovesNobodyWhoMustStay) {
  // b's own rack is the only one that it may not share: all others are in it.
  Constraints apart;
  apart.max_per_rack = 1;
  Service b = ServiceOf("b", 2);
  b.constraints = apart;
  world_.Do(Create(b, {"m1", "m3"}, 1));
  Run("a", "m1", 5);
  Run("c", "m2", 6);
  Run("d", "m3", 5);
  // m1 lacks one core. b/0 may go to m2, in its own rack, and nowhere else.
  EXPECT_EQ(PlanFor(3), "room on m1, b/0 to m2");
}

constexpr MachineIndex kNoMachine{UINT32_MAX};

// What is foreseen: a machine named is doomed by whoever comes.
class Dooms final : public Outlook {
 public:
  explicit Dooms(MachineIndex doomed) : doomed_(doomed) {}
  void Follow(Inventory&, Time, Duration) override {}
  bool Refresh(Inventory&, std::uint32_t) override { return false; }
  void Observe(const Instance&, const Resources&, Time) override {}
  std::uint64_t epoch() const override { return 0; }
  Resources Usage(MachineIndex) const override { return {}; }
  Resources NewcomerUsage(const Traits&) const override { return {}; }
  Risk RiskOf(const Traits&, MachineIndex machine) const override {
    return {.repetitions = 100, .before = 0, .after = machine == doomed_ ? 100U : 0U};
  }
  bool IsHeldOut(MachineIndex) const override { return false; }
  LoadWeights WeightsIn(ClusterIndex) const override { return {}; }

 private:
  MachineIndex doomed_;
};

TEST_F(MakeRoomTest, MovesNobodyToAMachineThatTheyWouldDoom) {
  constexpr std::string_view kLooksAhead =
      "allocate: {rules: [violation_probability: {theta: 0.01}, best_fit]}";
  Run("a", "m1", 6);
  Run("b", "m1", 1);
  Run("c", "m2", 7);
  Run("d", "m3", 7);
  const Dooms second(*world_.inventory().IndexOf(MachineId("m2")));
  EXPECT_EQ(PlanFor(2, &second, kLooksAhead), "room on m1, b/0 to m3");
}

// What is foreseen of m2 is foreseen of one newcomer, not of two.
TEST_F(MakeRoomTest, SendsNoTwoToOneMachineWhereItLooksAhead) {
  constexpr std::string_view kLooksAhead =
      "allocate: {rules: [violation_probability: {theta: 0.01}, first_machines_first]}";
  Run("a", "m1", 2);
  Run("b", "m1", 2);
  Run("c", "m1", 3);
  Run("d", "m2", 4);
  Run("e", "m3", 5);
  EXPECT_EQ(PlanFor(5, nullptr, kLooksAhead), "room on m1, a/0 to m2, b/0 to m2");
  const Dooms nowhere(kNoMachine);
  EXPECT_EQ(PlanFor(5, &nowhere, kLooksAhead), "room on m1, a/0 to m2, b/0 to m3");
}

TEST_F(MakeRoomTest, MakesNoRoomThatTwoOnOneMachineWouldMake) {
  constexpr std::string_view kLooksAhead =
      "allocate: {rules: [violation_probability: {theta: 0.01}, first_machines_first]}";
  Run("a", "m1", 2);
  Run("b", "m1", 2);
  Run("c", "m1", 3);
  Run("d", "m2", 4);
  Run("e", "m3", 7);
  EXPECT_EQ(PlanFor(5, nullptr, kLooksAhead), "room on m1, a/0 to m2, b/0 to m2");
  const Dooms nowhere(kNoMachine);
  EXPECT_EQ(PlanFor(5, &nowhere, kLooksAhead), "none");
}

// --- Against every possibility ---

std::optional<Inventory> AfterMove(const Inventory& fleet, const InstanceId& id, MachineId to) {
  const ChangeSet change{.operations = {Move{id, fleet.Find(id)->machine, to}},
                         .seen = fleet.revision(),
                         .at = {},
                         .guard = {}};
  Judgement judgement = Judge(fleet, change, {});
  if (judgement.violation) return std::nullopt;
  Inventory after = fleet;
  for (const Update& update : judgement.updates) after.Install(update);
  return after;
}

bool WouldTake(const Inventory& fleet, const InstanceId& waiting, MachineId machine) {
  return AfterMove(fleet, waiting, machine).has_value();
}

bool WouldTakeIfLarger(Inventory fleet, const InstanceId& waiting, MachineId machine) {
  const MachineState& state = *fleet.Find(machine);
  if (!fleet.Find(waiting)->limit.FitsIn(state.usable)) return false;
  Machine larger = state.record;
  larger.capacity += Amounts(100);
  fleet.Install({.key = KeyOf(larger), .record = larger, .revision = fleet.revision()});
  return WouldTake(fleet, waiting, machine);
}

// The least that must leave the machine, in any order and to any other, or to any that took none of
// them: how many, and how much of it they take.
using Least = std::optional<std::pair<std::size_t, double>>;
void Lessen(Least& least, const Least& other) {
  if (other && (!least || *other < *least)) least = other;
}
Least LeastToLeave(const Inventory& fleet, const InstanceId& waiting, MachineId from,
                   std::size_t most, bool apart, const std::vector<MachineId>& took = {}) {
  if (WouldTake(fleet, waiting, from)) return std::pair(std::size_t{0}, 0.0);
  if (most == 0) return std::nullopt;
  Least least;
  const MachineState& machine = *fleet.Find(from);
  for (const InstanceRef& ref : machine.instances) {
    const InstanceId id{fleet[ref.service].record.name, ref.number};
    if (id.service == waiting.service) continue;
    const double size = static_cast<double>(fleet.Find(id)->limit[Resource::kCpu]) /
                        static_cast<double>(machine.usable[Resource::kCpu]);
    for (const MachineState& to : fleet.machines()) {
      const MachineId name = to.record.name;
      if (name == from || (apart && std::ranges::find(took, name) != took.end())) continue;
      const std::optional<Inventory> after = AfterMove(fleet, id, name);
      if (!after) continue;
      std::vector<MachineId> took_too = took;
      took_too.push_back(name);
      const Least rest = LeastToLeave(*after, waiting, from, most - 1, apart, took_too);
      if (rest) Lessen(least, std::pair(rest->first + 1, rest->second + size));
    }
  }
  return least;
}

Constraints AnyConstraints(Rng& rng) {
  Constraints constraints;
  if (rng.Below(4) == 0) constraints.max_per_machine = 1;
  if (rng.Below(4) == 0) constraints.max_per_rack = 1;
  if (rng.Below(6) == 0) constraints.isolate = true;
  if (rng.Below(6) == 0) constraints.within = Scope::kRow;
  return constraints;
}

// Four machines, nearly full, and one instance that waits.
void FillNearly(Rng& rng, World& world) {
  Machine m4 = MachineIn("m4", "k3");
  m4.row = RowId("r2");
  m4.capacity = Amounts(6, 32);
  world.Do({Put{m4}});
  for (int s = 0; s < 12; ++s) {
    Service service =
        ServiceOf(fmt::format("s{}", s), 1 + static_cast<std::uint32_t>(rng.Below(2)));
    service.constraints = AnyConstraints(rng);
    if (rng.Below(4) == 0) service.tenant = TenantId("rival");
    std::vector<std::string> machines;
    for (std::uint32_t i = 0; i < service.InstanceCount(); ++i) {
      machines.push_back(fmt::format("m{}", 1 + rng.Below(4)));
    }
    const Operations create =
        Create(service, machines, 1 + static_cast<std::int64_t>(rng.Below(4)));
    if (world.Why(create).empty()) world.Do(create);
  }
  Service waits = ServiceOf("waits", 1);
  waits.constraints = AnyConstraints(rng);
  world.Do(Create(waits, {""}, 2 + static_cast<std::int64_t>(rng.Below(5))));
}

// By how many moves room was made.
std::vector<std::uint64_t> ComparePlans(const AllocatePolicy& policy, const Outlook* outlook) {
  const InstanceId waiting{"waits", 0};
  std::vector<std::uint64_t> by_moves(kRoomMovesMax + 1);
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Rng rng(seed);
    World world;
    FillNearly(rng, world);
    const Inventory& fleet = world.inventory();
    Least least;
    bool there_is_room = false;
    for (const MachineState& machine : fleet.machines()) {
      const MachineId name = machine.record.name;
      there_is_room = there_is_room || WouldTake(fleet, waiting, name);
      if (!WouldTakeIfLarger(fleet, waiting, name)) continue;
      Lessen(least, LeastToLeave(fleet, waiting, name, kRoomMovesMax, outlook != nullptr));
    }
    const std::optional<RoomPlan> plan = PlanRoom(policy, fleet, *fleet.Find(waiting), outlook);
    EXPECT_EQ(plan.has_value(), least && !there_is_room);
    if (!plan || !least) {
      ++by_moves[0];
      continue;
    }
    ++by_moves[plan->moves.size()];
    Inventory after = fleet;
    double size = 0;
    for (const PlannedMove& move : plan->moves) {
      EXPECT_EQ(move.from, plan->machine);
      size += static_cast<double>(fleet.Find(move.instance)->limit[Resource::kCpu]) /
              static_cast<double>(fleet.Find(move.from)->usable[Resource::kCpu]);
      std::optional<Inventory> next = AfterMove(after, move.instance, move.to);
      if (!next) {
        ADD_FAILURE() << ToString(move.instance);
        return by_moves;
      }
      after = *std::move(next);
    }
    EXPECT_TRUE(WouldTake(after, waiting, plan->machine));
    EXPECT_EQ(plan->moves.size(), least->first);
    EXPECT_NEAR(size, least->second, 1e-9);
  }
  return by_moves;
}

TEST(MakeRoomReference, MovesTheFewestAndSmallestOnTinyFleets) {
  for (const std::uint64_t count : ComparePlans(RoomPolicy(ShippedPolicy()), nullptr)) {
    EXPECT_GT(count, 2U);
  }
}

TEST(MakeRoomReference, DoesSoToOneMachineEachWhereItLooksAhead) {
  const Dooms nowhere(kNoMachine);
  const AllocatePolicy policy = RoomPolicy("allocate: {rules: [violation_probability, best_fit]}");
  for (const std::uint64_t count : ComparePlans(policy, &nowhere)) EXPECT_GT(count, 1U);
}

}  // namespace
}  // namespace berth

// What the defragmenter foresees is foreseen of the fleet as it is when it asks, whatever happens
// between its steps.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "base/virtual_executor.h"
#include "berth/engine.h"
#include "fleet/fleet_testing.h"
#include "store/memory_store.h"

namespace berth {
namespace {

// Machines of 8 cpu that may promise twice as much. Type c4 is of 4 cpu; `report` waits for all
// that machine a may promise, and goes nowhere else.
class ForeseeingDefragmenter {
 public:
  ForeseeingDefragmenter() {
    engine_.Start([](const Status& status) { EXPECT_TRUE(status.ok()) << status.message(); });
    Settle();
    Submit(
        ApplyPolicy{"oversubscription: {cpu: 200%}\n"
                    "oversub: {defragment: true, held_out: {per_cluster: 0}}\n"
                    "allocate: {rules: [violation_probability, first_machines_first]}"});
    ChangeFleet fleet{.put = {Tenant{TenantId("acme"), {}}}, .remove = {}};
    for (const int cpu : {4, 16}) {
      fleet.put.emplace_back(InstanceType{.name = TypeId(fmt::format("c{}", cpu)),
                                          .size = Amounts(cpu),
                                          .skus = {},
                                          .requires_labels = {}});
    }
    Submit(std::move(fleet));
    watch_ = store_.WatchFrom(Revision{}, executor_, [this](const WatchEvent& event) {
      for (const Update& update : event.committed->updates) {
        const auto* decision = update.record ? std::get_if<Decision>(&*update.record) : nullptr;
        if (decision == nullptr || decision->reason != MoveReason::kFragmentation) continue;
        moves_.push_back(*decision);
      }
    });
  }

  void AddMachine(std::string_view name) {
    Machine machine = MachineIn(name);
    if (name == "a") machine.labels = OneLabel("only", "a");
    Submit(ChangeFleet{.put = {machine}, .remove = {}});
  }
  // One of type c4 that was seen to take so much.
  void CreateOn(std::string_view machine, const std::string& name, int takes_cpu) {
    Service service = ServiceOf(name, 1);
    service.groups[0].type = TypeId("c4");
    Submit(CreateService{service});
    if (MachineOf(name) != machine) {
      Submit(MoveInstance{.instance = {name, 0}, .to = MachineId(machine)});
    }
    engine_.Observe({name, 0}, Amounts(takes_cpu), executor_.now());
  }
  // Stops after so many tasks; false: fewer were enough to come to an end.
  bool AskForReport(std::size_t tasks) {
    Service report = ServiceOf("report", 1);
    report.klass = ClassId("bronze");
    report.groups[0].type = TypeId("c16");
    report.constraints.labels = OneLabel("only", "a");
    engine_.Submit({.what = CreateService{report}}, {});
    return executor_.RunUntil(executor_.now(), tasks) == tasks;
  }
  // Not through this engine, which hears of it like of all that others commit.
  void CommitByOther(Operations operations) {
    const ChangeSet change{.operations = std::move(operations),
                           .seen = engine_.view().revision(),
                           .at = executor_.now(),
                           .guard = {}};
    store_.Commit(change, executor_, [](const CommitReply& reply) {
      EXPECT_EQ(reply.outcome, CommitReply::Outcome::kCommitted);
    });
    executor_.RunUntil(executor_.now() + std::chrono::seconds(5));
  }
  std::string MachineOf(const std::string& service) const {
    return engine_.view().Find(InstanceId{service, 0})->machine.str();
  }
  const std::vector<Decision>& moves() const { return moves_; }

 private:
  void Settle() { executor_.RunUntil(executor_.now()); }
  void Submit(Action action) {
    engine_.Submit({.what = std::move(action)}, [](const Reply& reply) {
      EXPECT_TRUE(reply.accepted()) << reply.status.message();
    });
    Settle();
  }

  VirtualExecutor executor_;
  MemoryStore store_;
  Engine engine_{store_, executor_, {}};
  std::unique_ptr<Watch> watch_;
  std::vector<Decision> moves_;
};

// They come into its view while it takes its lease, and nobody else asked for anything since.
TEST(DefragmenterForesees, MachinesThatCameJustNow) {
  std::size_t tasks = 0;
  for (bool more = true; more; ++tasks) {
    SCOPED_TRACE(fmt::format("after {} tasks", tasks));
    ForeseeingDefragmenter fleet;
    fleet.AddMachine("a");
    fleet.CreateOn("a", "x", 3);
    fleet.AddMachine("b");
    more = fleet.AskForReport(tasks);
    fleet.CommitByOther({Put{MachineIn("c")}, Put{MachineIn("d")}, Put{MachineIn("e")}});
    EXPECT_EQ(fleet.MachineOf("report"), "a");
    EXPECT_EQ(fleet.moves().size(), 1U);
  }
  EXPECT_GT(tasks, 20U);
}

// A plan of two moves, each to a machine that has room for one that takes 3 cpu, until another
// process places one of 4 cpu where the second is to go.
TEST(DefragmenterForesees, WhoCameSinceThePlanWasMade) {
  std::array<std::size_t, 3> runs_by_moves{};
  std::size_t tasks = 0;
  for (bool more = true; more; ++tasks) {
    SCOPED_TRACE(fmt::format("after {} tasks", tasks));
    ForeseeingDefragmenter fleet;
    fleet.AddMachine("a");
    fleet.CreateOn("a", "x", 3);
    fleet.CreateOn("a", "y", 3);
    for (const std::string name : {"b", "c"}) {
      fleet.AddMachine(name);
      fleet.CreateOn(name, "on-" + name, 2);
    }
    more = fleet.AskForReport(tasks);
    Service other = ServiceOf("other", 1);
    other.groups[0].type = TypeId("c4");
    Instance instance = InstanceOf("other", 0, "c", 4);
    instance.type = TypeId("c4");
    instance.state = InstanceState::kPlaced;
    fleet.CommitByOther({Put{other}, Put{instance}});
    ASSERT_LE(fleet.moves().size(), 2U);
    ++runs_by_moves[fleet.moves().size()];
    for (const Decision& move : fleet.moves()) {
      EXPECT_EQ(move.placed.front().foreseen->after, 0U) << move.subject;
    }
  }
  for (const std::size_t runs : runs_by_moves) EXPECT_GT(runs, 0U);
}

}  // namespace
}  // namespace berth

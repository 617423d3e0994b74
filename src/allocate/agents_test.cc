// Several agents over one store on a virtual executor: random requests, and what must hold after
// every commit.
#include <gtest/gtest.h>

#include <set>

#include "allocate/agent.h"
#include "base/virtual_executor.h"
#include "fleet/predicates.h"
#include "store/memory_store.h"
#include "support/late_store.h"
#include "support/random_fleet.h"
#include "support/scripted_store.h"

namespace berth {
namespace {

using testing::LateStore;
using testing::RandomMachines;
using testing::RandomService;
using testing::RandomTypesAndTenants;

constexpr std::string_view kBestFitWithRetries =
    "allocate: {retries: 5, rules: [{best_fit: {buckets: 4}}]}";

void CheckMachines(const Inventory& fleet) {
  for (const MachineState& machine : fleet.machines()) {
    if (machine.vacant()) continue;
    ASSERT_TRUE(machine.allocated.FitsIn(machine.usable)) << machine.record.name.str();
    const bool shared = machine.occupancy.tenants.size() > 1;
    ASSERT_FALSE(shared && machine.occupancy.isolating > 0) << machine.record.name.str();
  }
}

void CheckServices(const Inventory& fleet) {
  for (const ServiceState& service : fleet.services()) {
    if (service.vacant()) continue;
    const Service& record = service.record;
    ASSERT_EQ(service.instances.size(), record.InstanceCount()) << record.name;
    const Footprint footprint(fleet, service);
    const MachineState* first = nullptr;
    for (const Instance& instance : service.instances) {
      if (!instance.HoldsRoom()) continue;
      const MachineIndex index = *fleet.IndexOf(instance.machine);
      if (first == nullptr) first = &fleet[index];
      ASSERT_LE(footprint.OnMachine(index), MaxPerMachine(record.constraints)) << record.name;
      ASSERT_LE(footprint.InRack(fleet[index].rack),
                MaxPerRack(record.constraints, record.InstanceCount()))
          << record.name;
      ASSERT_TRUE(SameScope(record.constraints.within, *first, fleet[index])) << record.name;
    }
  }
}

Action RandomAction(Rng& rng) {
  const std::string name = fmt::format("s{}", rng.Below(12));
  const InstanceId instance{name, static_cast<std::uint32_t>(rng.Below(4))};
  switch (rng.Below(8)) {
    case 0:
      return DeleteService{name};
    case 1: {
      ScaleService scale{.service = name, .groups = RandomService(rng, name).groups};
      return scale;
    }
    case 2:
      return MoveInstance{instance, MachineId()};
    case 3:
      return ReportInstance{instance, static_cast<Reported>(rng.Below(4))};
    case 4:
      return SetHealth{MachineId(fmt::format("c0-m{}", rng.Below(3))),
                       static_cast<Health>(rng.Below(4))};
    case 5:
      return ResizeService{name, TypeId(testing::TypeNames()[rng.Below(5)]),
                           testing::Sized(1 + static_cast<std::int64_t>(rng.Below(8)), 2)};
    default:
      return CreateService{RandomService(rng, name)};
  }
}

// A store, agents over it, and a mirror of every commit that is checked as it comes.
class CrowdOfAgents {
 public:
  explicit CrowdOfAgents(std::uint64_t seed)
      : rng_(seed), late_(store_, executor_, rng_.Fork("late")) {
    watch_ = store_.WatchFrom(Revision{}, executor_, [this](const WatchEvent& event) {
      mirror_.Apply(*event.committed);
      CheckMachines(mirror_);
      CheckServices(mirror_);
      for (const Update& update : event.committed->updates) {
        if (update.key.kind == RecordKind::kDecision)
          ++logged_[{update.key.name, update.key.number}];
      }
    });
    for (std::uint64_t i = 0; i < 2 + rng_.Below(4); ++i) {
      agents_.push_back(
          std::make_unique<Agent>(late_, executor_,
                                  Agent::Options{.name = fmt::format("a{}", i),
                                                 .default_policy = std::string(kBestFitWithRetries),
                                                 .refresh_when_idle = i % 2 == 0}));
      agents_.back()->Start(
          [](const Status& status) { EXPECT_TRUE(status.ok()) << status.message(); });
    }
    executor_.RunUntilIdle();
    ChangeFleet fleet{.put = RandomTypesAndTenants(rng_), .remove = {}};
    for (Record& machine : RandomMachines(rng_, true)) fleet.put.push_back(std::move(machine));
    agents_.front()->Submit({.what = std::move(fleet)}, [](const Reply& reply) {
      EXPECT_TRUE(reply.accepted()) << reply.status.message();
    });
    executor_.RunUntilIdle();
  }

  void SubmitRandom(int requests) {
    for (int i = 0; i < requests; ++i) {
      Request request{.what = RandomAction(rng_)};
      if (rng_.Below(4) == 0) request.idempotency_key = fmt::format("key{}", rng_.Below(10));
      ++asked_;
      agents_[rng_.Below(agents_.size())]->Submit(std::move(request), [this](const Reply& reply) {
        ++answered_;
        if (!reply.status.ok() || !reply.decision || reply.duplicate) return;
        const bool gave_up =
            reply.decision->refusal && reply.decision->refusal->rule == RuleId("retries");
        if (!gave_up) told_.push_back(reply.decision->id);
      });
      executor_.RunUntil(executor_.now() +
                         Duration(static_cast<std::int64_t>(rng_.Below(3)) * 100));
    }
    executor_.RunUntilIdle();
  }

  void CheckEnd() {
    EXPECT_EQ(answered_, asked_);
    for (const DecisionId& id : told_) EXPECT_EQ(logged_[id], 1) << ToString(id);
    EXPECT_EQ(std::set<DecisionId>(told_.begin(), told_.end()).size(), told_.size());
    for (const auto& agent : agents_) {
      EXPECT_EQ(agent->view().revision(), mirror_.revision());
      EXPECT_EQ(testing::Differences(agent->view(), mirror_), "") << agent->name();
    }
  }

  std::uint64_t conflicts() const {
    std::uint64_t sum = 0;
    for (const auto& agent : agents_) sum += agent->stats().conflicts;
    return sum;
  }
  std::uint64_t merged() const {
    std::uint64_t sum = 0;
    for (const auto& agent : agents_) sum += agent->stats().merged;
    return sum;
  }

 private:
  Rng rng_;
  VirtualExecutor executor_;
  MemoryStore store_;
  LateStore late_;
  Inventory mirror_;
  std::unique_ptr<Watch> watch_;
  std::vector<std::unique_ptr<Agent>> agents_;
  std::uint64_t asked_ = 0;
  std::uint64_t answered_ = 0;
  std::vector<DecisionId> told_;
  std::map<DecisionId, int> logged_;
};

TEST(AgentProperties, ManyAgentsKeepTheFleetValidAndAnswerOnce) {
  std::uint64_t conflicts = 0;
  std::uint64_t merged = 0;
  std::vector<std::uint64_t> seeds = {430};  // Scaled in a service of which it saw a mixture.
  for (std::uint64_t seed = 0; seed < 100; ++seed) seeds.push_back(seed);
  for (const std::uint64_t seed : seeds) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    CrowdOfAgents crowd(seed);
    crowd.SubmitRandom(60);
    crowd.CheckEnd();
    conflicts += crowd.conflicts();
    merged += crowd.merged();
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(conflicts, 50U);  // Otherwise they did not meet.
  EXPECT_GT(merged, 50U);
}

// Two small instances, asked of an agent over a store whose every answer is the same.
struct AlwaysAnswered {
  explicit AlwaysAnswered(CommitReply::Outcome outcome)
      : store(testing::FleetForSmall({8}), [outcome](int) { return outcome; }) {
    agent.Start([](const Status& status) { EXPECT_TRUE(status.ok()) << status.message(); });
    std::optional<Reply> answer;
    agent.Submit({.what = CreateService{testing::SmallService(2)}},
                 [&](Reply told) { answer = std::move(told); });
    executor.RunUntilIdle();
    EXPECT_TRUE(answer.has_value());
    reply = answer.value_or(Reply{});
    EXPECT_EQ(testing::Differences(agent.view(), store.fleet()), "");  // Nothing tentative is left.
  }

  VirtualExecutor executor;
  testing::ScriptedStore store;
  Agent agent{store, executor, {.name = "a0", .default_policy = std::string(kBestFitWithRetries)}};
  Reply reply;
};

TEST(Agent, GivesUpAfterSoManyConflictsAndSaysSo) {
  const AlwaysAnswered lost(CommitReply::Outcome::kConflict);
  EXPECT_EQ(lost.store.commits, 6);  // Once, and five retries.
  ASSERT_TRUE(lost.reply.decision && lost.reply.decision->refusal);
  EXPECT_FALSE(lost.reply.accepted());
  EXPECT_EQ(lost.reply.decision->refusal->rule, RuleId("retries"));
  EXPECT_EQ(lost.reply.decision->refusal->cure, Cure::kRetry);
  EXPECT_TRUE(lost.reply.decision->placed.empty());
  EXPECT_EQ(lost.agent.stats().conflicts, 6U);
}

TEST(Agent, TellsARefusalOfTheStoreAndKeepsNothing) {
  const AlwaysAnswered refused(CommitReply::Outcome::kRefused);
  EXPECT_EQ(refused.store.commits, 1);
  EXPECT_FALSE(refused.reply.accepted());
}

TEST(Agent, ReadsTheFleetAnewWhenTheStoreFails) {
  const AlwaysAnswered failed(CommitReply::Outcome::kFailed);
  EXPECT_EQ(failed.reply.status.code(), Code::kUnavailable);
  EXPECT_EQ(failed.reply.status.message(), "the disk is full");
  EXPECT_EQ(failed.store.reads, 2);
}

}  // namespace
}  // namespace berth

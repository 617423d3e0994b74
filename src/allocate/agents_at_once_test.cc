// One to sixteen agents over one store, each at the end of a slow line of its own, many requests in
// flight at once: at rest every view is the store's, nothing is broken, and what was told is what
// was done.
#include <gtest/gtest.h>

#include <map>

#include "allocate/agent.h"
#include "base/virtual_executor.h"
#include "store/memory_store.h"
#include "support/lagging_store.h"
#include "support/plain_fleet.h"
#include "support/random_fleet.h"

namespace berth {
namespace {

using testing::Differences;
using testing::LaggingStore;
using testing::PlainFleet;
using testing::RandomService;
using testing::Sized;

constexpr std::uint32_t kRetries = 20;

struct Sums {
  std::uint64_t commits = 0;
  std::uint64_t conflicts = 0;
  std::uint64_t merged = 0;
  std::uint64_t accepted = 0;
  std::uint64_t refused = 0;
  std::uint64_t invalid = 0;  // About what is not there, or is there already.
  std::uint64_t gave_up = 0;
  std::uint64_t evicting = 0;
  std::uint32_t most_conflicts = 0;  // Of one request.

  friend bool operator==(const Sums&, const Sums&) = default;
};

// The store, its log as it comes, and agents at the ends of their lines.
class AgentsAtOnce {
 public:
  struct Setting {
    std::uint64_t seed;
    std::uint64_t agents;
    bool overtaking = false;
  };
  AgentsAtOnce(const Setting& setting, std::string_view policy) : rng_(setting.seed) {
    watch_ = store_.WatchFrom(Revision{}, executor_, [this](const WatchEvent& e) {
      log_[e.committed->revision] = e.committed;
    });
    for (std::uint64_t i = 0; i < setting.agents; ++i) {
      lines_.push_back(std::make_unique<LaggingStore>(
          store_, executor_, LaggingStore::Line{rng_.Fork(i), setting.overtaking}));
      agents_.push_back(
          std::make_unique<Agent>(*lines_.back(), executor_,
                                  Agent::Options{.name = fmt::format("a{}", i),
                                                 .default_policy = std::string(ShippedPolicy()),
                                                 .refresh_when_idle = i % 2 == 0}));
      agents_.back()->Start(
          [](const Status& status) { EXPECT_TRUE(status.ok()) << status.message(); });
    }
    Submit(0, {.what = ApplyPolicy{std::string(policy)}});
    executor_.RunUntilIdle();
  }

  void Submit(std::size_t agent, Request request) {
    ++asked_;
    agents_[agent]->Submit(std::move(request), [this](Reply reply) { Hear(std::move(reply)); });
  }
  void RunFor(std::uint64_t microseconds) {
    executor_.RunUntil(executor_.now() + std::chrono::microseconds(microseconds));
  }

  // Runs until all is at rest, and checks what must hold then.
  void Rest(const std::set<ClassId>& yielding) {
    executor_.RunUntilIdle();
    EXPECT_EQ(told_.size(), asked_);
    CheckViews();
    CheckFleet(yielding);
    CheckTold();
  }

  Sums sums() const {
    Sums sums = heard_;
    for (const auto& agent : agents_) {
      sums.commits += agent->stats().commits;
      sums.conflicts += agent->stats().conflicts;
      sums.merged += agent->stats().merged;
    }
    return sums;
  }
  Rng& rng() { return rng_; }
  std::size_t agents() const { return agents_.size(); }

 private:
  static bool GaveUp(const Reply& reply) {
    return reply.decision && reply.decision->refusal &&
           reply.decision->refusal->rule == RuleId("retries");
  }

  void Hear(Reply reply) {
    ++(!reply.status.ok() ? heard_.invalid : reply.accepted() ? heard_.accepted : heard_.refused);
    if (GaveUp(reply)) ++heard_.gave_up;
    if (reply.decision) {
      if (!reply.decision->evicted.empty()) ++heard_.evicting;
      heard_.most_conflicts = std::max(heard_.most_conflicts, reply.decision->conflicts);
      EXPECT_LE(reply.decision->conflicts, kRetries);
    }
    told_.push_back(std::move(reply));
  }

  void CheckViews() {
    std::shared_ptr<const Inventory> truth;
    store_.Read(executor_, [&](const Result<std::shared_ptr<const Inventory>>& read) {
      truth = read.value();
    });
    executor_.RunUntilIdle();
    for (const auto& agent : agents_) {
      EXPECT_TRUE(agent->settled());
      EXPECT_EQ(agent->view().revision(), truth->revision());
      EXPECT_EQ(Differences(agent->view(), *truth), "") << agent->name();
    }
  }

  void CheckFleet(const std::set<ClassId>& yielding) const {
    PlainFleet plain(yielding);
    for (const auto& [revision, committed] : log_) {
      for (const Update& update : committed->updates) plain.Take(update);
      ASSERT_EQ(plain.Broken(), "") << "at revision " << ToNumber(revision);
    }
  }

  // What was committed was told, once; and what was told not to be was not.
  void CheckTold() const {
    std::set<Revision> told_of;
    for (const Reply& reply : told_) {
      const bool changed_nothing = !reply.status.ok() || GaveUp(reply);
      EXPECT_EQ(reply.revision == Revision{}, changed_nothing);
      if (changed_nothing) continue;
      EXPECT_TRUE(told_of.insert(reply.revision).second) << "told twice";
      ASSERT_TRUE(log_.contains(reply.revision));
      if (reply.decision) CheckDecision(*reply.decision, log_.at(reply.revision)->updates);
    }
    EXPECT_EQ(told_of.size(), log_.size());
  }

  static void CheckDecision(const Decision& told, const std::vector<Update>& updates) {
    std::map<RecordKey, std::optional<Record>> committed;
    for (const Update& update : updates) committed[update.key] = update.record;
    const auto decided = committed.find(KeyOf(Record(told)));
    ASSERT_NE(decided, committed.end()) << ToString(told.id);
    EXPECT_EQ(std::get<Decision>(*decided->second), told) << ToString(told.id);
    if (told.refusal) {
      EXPECT_EQ(committed.size(), 1U) << ToString(told.id);
      EXPECT_TRUE(told.placed.empty() && told.evicted.empty());
    }
    const auto machine_of = [&](const InstanceId& id) {
      const auto at = committed.find(KeyOf(id));
      EXPECT_TRUE(at != committed.end() && at->second) << ToString(id);
      return std::get<Instance>(*at->second).machine;
    };
    for (const Placement& placement : told.placed) {
      EXPECT_EQ(machine_of({told.subject, placement.instance}), placement.machine);
    }
    for (const InstanceId& evicted : told.evicted) EXPECT_EQ(machine_of(evicted), MachineId());
  }

  Rng rng_;
  VirtualExecutor executor_;
  MemoryStore store_;
  std::map<Revision, std::shared_ptr<const Committed>> log_;
  std::unique_ptr<Watch> watch_;
  std::vector<std::unique_ptr<LaggingStore>> lines_;
  std::vector<std::unique_ptr<Agent>> agents_;
  std::uint64_t asked_ = 0;
  std::vector<Reply> told_;
  Sums heard_;
};

std::string PolicyOf(bool evicts, std::string_view conflicts, std::string_view rules) {
  return fmt::format(
      "classes:\n"
      "  - {{name: gold, availability: 100%, importance: 3}}\n"
      "  - {{name: bronze, availability: 50%, importance: 1, may_wait: false, evictable: {}}}\n"
      "allocate: {{conflicts: {}, rules: [{}{}]}}\n",
      evicts, conflicts, evicts ? "{fits: {evicting: true}}, fewest_evictions, " : "", rules);
}

Action AnyAction(Rng& rng, const std::vector<MachineId>& machines) {
  const std::string name = fmt::format("s{}", rng.Below(16));
  const InstanceId instance{name, static_cast<std::uint32_t>(rng.Below(4))};
  const MachineId machine = machines[rng.Below(machines.size())];
  switch (rng.Below(12)) {
    case 0:
      return DeleteService{name};
    case 1:
    case 2:
      return ScaleService{.service = name, .groups = RandomService(rng, name).groups};
    case 3:
      return MoveInstance{instance, rng.Below(2) == 0 ? MachineId() : machine};
    case 4:
      return SetHealth{machine,
                       rng.Below(2) == 0 ? Health::kReady : static_cast<Health>(1 + rng.Below(3))};
    case 5:
      return ResizeService{name, TypeId(testing::TypeNames()[rng.Below(5)]),
                           Sized(1 + static_cast<std::int64_t>(rng.Below(8)), 2)};
    case 6:
      return PlacePending{name};
    default: {
      Service service = RandomService(rng, name);
      service.klass = ClassId(rng.Below(2) == 0 ? "gold" : "bronze");
      return CreateService{service};
    }
  }
}

Sums RunRandomly(std::uint64_t seed, std::uint64_t agents) {
  const bool evicts = seed % 2 == 0;
  AgentsAtOnce at_once({.seed = seed, .agents = agents, .overtaking = seed % 3 == 0},
                       PolicyOf(evicts, "{top: 100, window: 50}", "{best_fit: {buckets: 8}}"));
  Rng& rng = at_once.rng();
  ChangeFleet fleet{.put = testing::RandomTypesAndTenants(rng), .remove = {}};
  std::vector<MachineId> machines;
  for (Record& machine : testing::RandomMachines(rng, true)) {
    machines.push_back(std::get<Machine>(machine).name);
    fleet.put.push_back(std::move(machine));
  }
  at_once.Submit(0, {.what = std::move(fleet)});
  at_once.RunFor(2000);
  const std::set<ClassId> yielding =
      evicts ? std::set<ClassId>{ClassId("bronze")} : std::set<ClassId>{};
  for (int burst = 0; burst < 3; ++burst) {
    for (int i = 0; i < 40; ++i) {
      at_once.Submit(rng.Below(at_once.agents()), {.what = AnyAction(rng, machines)});
      at_once.RunFor(rng.Below(150));
    }
    at_once.Rest(yielding);
  }
  return at_once.sums();
}

class SeveralAgents : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(SeveralAgents, AtRestSeeTheStoresFleetUnbrokenAndToldWhatWasDone) {
  const std::uint64_t agents = GetParam();
  Sums all;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const Sums sums = RunRandomly(seed, agents);
    if (::testing::Test::HasFailure()) return;
    all.commits += sums.commits;
    all.conflicts += sums.conflicts;
    all.merged += sums.merged;
    all.accepted += sums.accepted;
    all.refused += sums.refused;
    all.invalid += sums.invalid;
    all.gave_up += sums.gave_up;
    all.evicting += sums.evicting;
    all.most_conflicts = std::max(all.most_conflicts, sums.most_conflicts);
  }
  fmt::print(
      "{} agents: {} commits, {} conflicts, {} merged, {} accepted, {} refused, {} invalid, {} "
      "gave up, {} "
      "evict, {} conflicts of one request at most\n",
      agents, all.commits, all.conflicts, all.merged, all.accepted, all.refused, all.invalid,
      all.gave_up, all.evicting, all.most_conflicts);
  EXPECT_GT(all.accepted, 300U);
  EXPECT_GT(all.refused, 100U);
  EXPECT_GT(all.merged, 50U);
  EXPECT_GT(all.evicting, 0U);
  if (agents > 1) {
    EXPECT_GT(all.conflicts, 20U);  // Otherwise they did not meet.
  }
}

INSTANTIATE_TEST_SUITE_P(OneToSixteen, SeveralAgents, ::testing::Values(1, 2, 4, 8, 16));

// Every machine takes one instance and no two are equally tight: all agents want the same one.
Sums RunHotSpot(std::uint64_t seed, std::string_view conflicts) {
  constexpr std::int64_t kMachines = 250;
  constexpr int kServices = 200;
  AgentsAtOnce at_once({.seed = seed, .agents = 8}, PolicyOf(false, conflicts, "best_fit"));
  ChangeFleet fleet;
  fleet.put.emplace_back(Tenant{.name = TenantId("acme"), .quota = std::nullopt});
  InstanceType type;
  type.name = TypeId("whole");
  type.size = Sized(4, 4);
  fleet.put.emplace_back(type);
  for (std::int64_t i = 0; i < kMachines; ++i) {
    Machine machine;
    machine.name = MachineId(fmt::format("m{}", i));
    machine.capacity = Sized(4, 4);
    machine.capacity[Resource::kCpu] += i;
    fleet.put.emplace_back(machine);
  }
  at_once.Submit(0, {.what = std::move(fleet)});
  at_once.RunFor(2000);
  for (int i = 0; i < kServices; ++i) {
    Service service;
    service.name = fmt::format("s{}", i);
    service.tenant = TenantId("acme");
    service.klass = ClassId("gold");
    service.groups = {{.type = TypeId("whole"), .role = {}, .count = 1}};
    at_once.Submit(static_cast<std::size_t>(i) % at_once.agents(),
                   {.what = CreateService{service}});
    at_once.RunFor(at_once.rng().Below(200));
  }
  at_once.Rest({});
  return at_once.sums();
}

TEST(HotSpot, AvoidingConflictsMakesFewerOnAHotSpot) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const Sums avoiding = RunHotSpot(seed, "{top: 100, window: 50}");
    const Sums stubborn = RunHotSpot(seed, "{top: 1, window: 50}");
    fmt::print("avoiding {} conflicts of {} commits, {} gave up; otherwise {} of {}, {} gave up\n",
               avoiding.conflicts, avoiding.commits, avoiding.gave_up, stubborn.conflicts,
               stubborn.commits, stubborn.gave_up);
    EXPECT_EQ(RunHotSpot(seed, "{top: 100, window: 50}"), avoiding);
    EXPECT_EQ(avoiding.gave_up, 0U);
    EXPECT_GT(avoiding.conflicts, 0U);
    EXPECT_LT(avoiding.conflicts * stubborn.commits, stubborn.conflicts * avoiding.commits);
  }
}

}  // namespace
}  // namespace berth

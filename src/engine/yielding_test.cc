// Who yields, live: the engine over a store in virtual time, against the scheduler driven by hand.
#include "engine/yielding.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "allocate/explain.h"
#include "base/virtual_executor.h"
#include "berth/engine.h"
#include "berth/rng.h"
#include "qos/class_terms.h"
#include "qos/plain_scheduler.h"
#include "qos/standing.h"
#include "store/memory_store.h"

namespace berth {
namespace {

using std::chrono::seconds;

constexpr std::string_view kClasses = R"(
classes:
- {name: keeper, availability: 100%, importance: 9}
- {name: high, availability: 90%, importance: 3, may_wait: true}
- {name: middle, availability: 70%, importance: 2, may_wait: true}
- {name: low, availability: 50%, importance: 1, may_wait: true}
)";

Resources Amounts(std::int64_t cpu) {
  Resources amounts;
  amounts[Resource::kCpu] = cpu * 1000;
  amounts[Resource::kMemory] = cpu << 30;
  return amounts;
}

class YieldingTest : public ::testing::Test {
 protected:
  YieldingTest() {
    StartEngine();
    ChangeFleet fleet;
    fleet.put.emplace_back(Tenant{.name = TenantId("t"), .quota = {}});
    for (std::int64_t cpu = 1; cpu <= 4; ++cpu) {
      InstanceType type;
      type.name = TypeId(fmt::format("c{}", cpu));
      type.size = Amounts(cpu);
      fleet.put.emplace_back(type);
    }
    Submit(fleet);
  }

  void StartEngine(const std::string& name = "a") {
    engine_ = std::make_unique<Engine>(store_, executor_, EngineOptions{.agents = 2, .name = name});
    engine_->Start([](const Status& status) { EXPECT_TRUE(status.ok()) << status.message(); });
    Settle();
  }
  // Without letting time pass.
  void Settle() { executor_.RunUntil(executor_.now()); }
  void Advance(Duration by) { executor_.RunUntil(executor_.now() + by); }

  Reply Submit(Action action) {
    Reply answer{.status = Status(Code::kInternal, "no answer")};
    engine_->Submit({.what = std::move(action)}, [&](Reply reply) { answer = std::move(reply); });
    Settle();
    return answer;
  }
  void Accept(Action action) {
    const Reply reply = Submit(std::move(action));
    EXPECT_TRUE(reply.accepted()) << reply.status.message();
  }
  void UsePolicy(std::string_view scheduler) {
    Accept(ApplyPolicy{fmt::format("scheduler: {}\n{}", scheduler, kClasses)});
  }
  void AddMachine(const std::string& name, std::int64_t cpu, const Labels& labels = {},
                  const std::string& rack = "r") {
    Machine machine;
    machine.name = MachineId(name);
    machine.datacenter = DatacenterId("d");
    machine.cluster = ClusterId("c");
    machine.row = RowId("w");
    machine.rack = RackId(rack);
    machine.sku = SkuId("k");
    machine.capacity = Amounts(cpu);
    machine.labels = labels;
    Accept(ChangeFleet{.put = {machine}, .remove = {}});
  }
  static Service ServiceOf(const std::string& name, const std::string& klass, std::int64_t cpu,
                           std::uint32_t count = 1) {
    Service service;
    service.name = name;
    service.tenant = TenantId("t");
    service.klass = ClassId(klass);
    service.groups = {{TypeId(fmt::format("c{}", cpu)), RoleId(), count}};
    return service;
  }
  void Create(const std::string& name, const std::string& klass, std::int64_t cpu,
              std::uint32_t count = 1) {
    Accept(CreateService{ServiceOf(name, klass, cpu, count)});
  }
  const Instance& Of(const std::string& service, std::uint32_t number = 0) {
    const Instance* found = engine_->view().Find(InstanceId{service, number});
    EXPECT_NE(found, nullptr) << service;
    return *found;
  }
  std::string On(const std::string& service, std::uint32_t number = 0) {
    return Of(service, number).machine.str();
  }

  VirtualExecutor executor_{TimeFromMicros(1'700'000'000'000'000)};
  MemoryStore store_;
  std::unique_ptr<Engine> engine_;
};

TEST_F(YieldingTest, TheOneWithTimeToSpareYieldsToTheOneWithout) {
  UsePolicy("qos");
  AddMachine("m", 2);
  Create("b", "low", 2);
  EXPECT_EQ(On("b"), "m");
  Advance(seconds(100));  // Half is promised: b may wait for a hundred seconds.
  std::optional<Decision> preemption;
  const auto watch =
      store_.WatchFrom(engine_->view().revision(), executor_, [&](const WatchEvent& event) {
        for (const Update& update : event.committed->updates) {
          if (update.key.kind != RecordKind::kDecision) continue;
          const auto& decision = std::get<Decision>(*update.record);
          if (!decision.evicted.empty()) preemption = decision;
        }
      });
  Create("s", "high", 2);
  EXPECT_EQ(On("s"), "m");
  EXPECT_EQ(On("b"), "");
  EXPECT_EQ(Of("b").timeline.preemptions, 1U);
  EXPECT_EQ(Of("b").timeline.ran, seconds(100));
  ASSERT_TRUE(preemption.has_value());
  EXPECT_EQ(preemption->evicted, (std::vector<InstanceId>{{"b", 0}}));
  EXPECT_EQ(preemption->yielded,
            (std::vector<Yielded>{{.to = 0, .spare = seconds(100), .left = seconds(0)}}));
  EXPECT_NE(SummarizeDecision(*preemption)
                .find("preempted b/0, 1 m 40 s above its target, for s/0, 0 s to violation"),
            std::string::npos)
      << SummarizeDecision(*preemption);
  EXPECT_EQ(engine_->stats().preempted, 1U);
  EXPECT_EQ(engine_->stats().seated, 1U);
}

TEST_F(YieldingTest, TimeAloneBringsThoseThatWaitBack) {
  UsePolicy("{by: qos, watchdog: 5s}");
  AddMachine("m", 2);
  Create("a", "low", 2);
  Create("b", "low", 2);
  EXPECT_EQ(On("b"), "");
  // After half of the time each has about its half.
  Advance(seconds(600));
  for (const std::string name : {"a", "b"}) {
    const Delivered delivered = DeliveredOf(Of(name), executor_.now());
    EXPECT_NEAR(Availability(delivered), 0.5, 0.05) << name;
    EXPECT_EQ(delivered.ran + delivered.waited, seconds(600)) << name;
  }
  EXPECT_GT(engine_->stats().preempted, 5U);
}

// Nobody reports starts, so that what preemption costs is not known: each has its place until the
// other needs it, not until the next watchdog.
TEST_F(YieldingTest, EqualsWhoseStartsNobodyReportsTakeLongTurns) {
  UsePolicy("qos");
  AddMachine("m", 2);
  Create("a", "low", 2);
  Advance(seconds(1000));
  Create("b", "low", 2);
  EXPECT_EQ(On("b"), "m");
  Advance(seconds(3600));
  EXPECT_GE(engine_->stats().preempted, 3U);
  EXPECT_LE(engine_->stats().preempted, 5U);
  for (const std::string name : {"a", "b"}) {
    EXPECT_GE(Availability(DeliveredOf(Of(name), executor_.now())), 0.5) << name;
  }
}

TEST_F(YieldingTest, WithoutASchedulerNobodyYields) {
  Accept(ApplyPolicy{std::string(kClasses)});
  AddMachine("m", 2);
  Create("b", "low", 2);
  Advance(seconds(100));
  Create("s", "high", 2);
  Advance(seconds(1000));
  EXPECT_EQ(On("b"), "m");
  EXPECT_EQ(engine_->stats().passes, 0U);
}

TEST_F(YieldingTest, ByPriorityTheMoreImportantTakesAtOnceAndKeeps) {
  UsePolicy("priority");
  AddMachine("m", 2);
  Create("b", "low", 2);
  Create("s", "high", 2);
  EXPECT_EQ(On("s"), "m");
  Advance(seconds(1000));
  EXPECT_EQ(On("s"), "m");
  EXPECT_EQ(Of("b").timeline.preemptions, 1U);
}

// Both at risk: the more important takes the place whatever the leeways.
TEST_F(YieldingTest, AtRiskTheLessImportantYields) {
  UsePolicy("qos");
  AddMachine("m", 2);
  Create("b", "low", 2);
  Create("s", "high", 2);
  EXPECT_EQ(On("s"), "m");
  EXPECT_EQ(On("b"), "");
}

TEST_F(YieldingTest, ServicesThatYieldWholeDo) {
  UsePolicy("qos");
  AddMachine("m0", 2);
  AddMachine("m1", 2);
  Service whole = ServiceOf("b", "low", 2, 2);
  whole.yield_whole = true;
  Accept(CreateService{whole});
  Advance(seconds(100));
  Create("s", "high", 2);
  EXPECT_NE(On("s"), "");
  EXPECT_EQ(On("b", 0), "");
  EXPECT_EQ(On("b", 1), "");
  // And come back whole: one place is not enough.
  Advance(seconds(20));
  EXPECT_EQ(On("b", 0), "");
  EXPECT_EQ(On("b", 1), "");
  Accept(DeleteService{"s"});
  EXPECT_NE(On("b", 0), "");
  EXPECT_NE(On("b", 1), "");
}

TEST_F(YieldingTest, AGangThatDoesNotFitLetsOthersPass) {
  UsePolicy("qos");
  AddMachine("m", 3);
  Create("first", "high", 2);
  Create("gang", "high", 2, 3);
  Create("small", "high", 1);
  EXPECT_EQ(On("small"), "m");
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(On("gang", i), "");
}

TEST_F(YieldingTest, AtMostOneOfAServiceOnAMachineAndInARack) {
  UsePolicy("qos");
  AddMachine("m0", 2, {}, "r0");
  AddMachine("m1", 2, {}, "r0");
  AddMachine("m2", 2, {}, "r1");
  for (const std::string name : {"a", "b", "c"}) Create(name, "low", 2);
  Advance(seconds(100));
  Service spread = ServiceOf("s", "high", 1, 2);
  spread.constraints.max_per_rack = 1;
  Accept(CreateService{spread});
  Settle();
  ASSERT_NE(On("s", 0), "");
  ASSERT_NE(On("s", 1), "");
  EXPECT_TRUE((On("s", 0) == "m2") != (On("s", 1) == "m2")) << On("s", 0) << " " << On("s", 1);
  // The third finds no rack, and the pass after it ends.
  Accept(ScaleService{"s", {{TypeId("c1"), RoleId(), 3}}});
  EXPECT_EQ(On("s", 2), "");
}

TEST_F(YieldingTest, ADrainedInstanceWaitsAndTakesThePlaceOfAnother) {
  UsePolicy("qos");
  AddMachine("m0", 2);
  AddMachine("m1", 2);
  Create("a", "high", 2);
  Create("b", "low", 2);
  const std::string place = On("a");
  Advance(seconds(100));
  Accept(SetHealth{MachineId(place), Health::kDraining});
  EXPECT_EQ(On("b"), "");
  EXPECT_NE(On("a"), "");
  EXPECT_NE(On("a"), place);
}

TEST_F(YieldingTest, WhatAnotherProcessCommitsIsKnown) {
  UsePolicy("qos");
  AddMachine("m", 2);
  Create("b", "low", 2);
  // Another process has the lease, so this one only looks on.
  Engine other(store_, executor_, {.agents = 1, .name = "z"});
  other.Start([](const Status&) {});
  Settle();
  Advance(seconds(100));
  Create("s", "high", 2);
  EXPECT_EQ(On("s"), "m");
  EXPECT_EQ(engine_->stats().preempted + other.stats().preempted, 1U);
  EXPECT_EQ(store_.stats().revision, engine_->view().revision());
}

// Random arrivals and departures on machines that are kept busy, so that all are placed by the
// scheduler; now and then the process is started anew.
class Live : public YieldingTest {
 protected:
  // One waits for a machine of its own for ever, so that every newcomer joins the queue.
  void Begin() {
    UsePolicy("{by: qos, watchdog: 1s}");
    const Labels special = {{LabelName("special"), LabelName("yes")}};
    AddMachine("special", 4, special);
    Service keeper = ServiceOf("keeper", "keeper", 4);
    keeper.constraints.labels = special;
    Accept(CreateService{keeper});
    Service blocker = ServiceOf("blocker", "low", 4);
    blocker.constraints.labels = special;
    Accept(CreateService{blocker});
    ASSERT_EQ(On("blocker"), "");
  }
};

class NoFilter final : public HostFilter {
 public:
  bool MayRun(const Want&, HostIndex) const override { return true; }
};

class ByHand {
 public:
  explicit ByHand(const FleetSettings& settings)
      : scheduler_(NewPlainQosScheduler(
            {.classes = TermsOf(settings.classes), .allocation_time = {}}, filter_)) {}

  void AddHost(const std::string& name, std::int64_t cpu) {
    scheduler_->AddHost(Amounts(cpu));
    hosts_.push_back(name);
  }
  void Admit(const std::string& name, std::uint32_t klass, std::int64_t cpu, Time now) {
    requests_[name] = scheduler_->Admit({.demand = Amounts(cpu), .klass = klass}, now);
  }
  void Complete(const std::string& name) {
    scheduler_->Complete(requests_.at(name));
    requests_.erase(name);
  }
  // True if it runs and did not start yet.
  bool Start(const std::string& name, Time now) {
    const RequestAccount& account = (*scheduler_).requests()[requests_.at(name)];
    if (!account.placed || account.allocation > Duration() || account.since == now) return false;
    scheduler_->SetAllocation(requests_.at(name), now - account.since, now);
    SetStartUnknown(requests_.at(name), false);
    return true;
  }
  std::size_t Pass(Time now) {
    const PassOutcome outcome = scheduler_->Pass(now);
    for (const Grant& grant : outcome.grants) {
      if (scheduler_->requests()[grant.request].placed) SetStartUnknown(grant.request, true);
    }
    return outcome.victims.size();
  }

  std::string On(const std::string& name) const {
    const RequestAccount& account = scheduler_->requests()[requests_.at(name)];
    return account.placed ? hosts_[ToNumber(account.host)] : "";
  }
  Delivered DeliveredTo(const std::string& name, Time now) const {
    return scheduler_->requests()[requests_.at(name)].At(now);
  }
  const std::map<std::string, RequestIndex>& requests() const { return requests_; }

 private:
  void SetStartUnknown(RequestIndex request, bool unknown) {
    RequestAccount account = scheduler_->requests()[request];
    account.start_unknown = unknown;
    scheduler_->Correct(request, account);
  }

  NoFilter filter_;
  std::unique_ptr<Scheduler> scheduler_;
  std::vector<std::string> hosts_;
  std::map<std::string, RequestIndex> requests_;
};

constexpr std::array<std::string_view, 4> kNames = {"keeper", "high", "middle", "low"};

TEST_F(Live, DecidesAsTheSchedulerDrivenByHand) {
  Begin();
  ByHand by_hand(engine_->view().settings());
  for (const std::int64_t cpu : {4, 6, 8}) {
    const std::string name = fmt::format("m{}", cpu);
    AddMachine(name, cpu);
    by_hand.AddHost(name, cpu);
  }
  Rng rng(11);
  std::size_t preemptions = 0;
  std::uint32_t created = 0;
  std::uint32_t restarts = 0;
  for (int step = 0; step < 400; ++step) {
    Advance(seconds(1));
    const Time now = executor_.now();
    preemptions += by_hand.Pass(now);
    const auto any = [&] {
      return std::next(by_hand.requests().begin(),
                       static_cast<std::ptrdiff_t>(rng.Below(by_hand.requests().size())))
          ->first;
    };
    if (by_hand.requests().size() < 14 && rng.Below(3) == 0) {
      const std::string name = fmt::format("s{:04}", created++);
      const auto klass = static_cast<std::uint32_t>(1 + rng.Below(3));
      const auto cpu = static_cast<std::int64_t>(1 + rng.Below(4));
      Create(name, std::string(kNames[klass]), cpu);
      by_hand.Admit(name, klass, cpu, now);
      preemptions += by_hand.Pass(now);
    }
    if (!by_hand.requests().empty() && rng.Below(8) == 0) {
      const std::string name = any();
      Accept(DeleteService{name});
      by_hand.Complete(name);
      preemptions += by_hand.Pass(now);
    }
    if (!by_hand.requests().empty() && rng.Below(2) == 0) {
      const std::string name = any();
      if (by_hand.Start(name, now)) {
        Accept(ReportInstance{{name, 0}, Reported::kStarted});
        preemptions += by_hand.Pass(now);
      }
    }
    if (rng.Below(60) == 0) {
      StartEngine();
      preemptions += by_hand.Pass(now);  // A process begins with one.
      ++restarts;
    }
    for (const auto& [name, request] : by_hand.requests()) {
      ASSERT_EQ(On(name), by_hand.On(name)) << name << " at step " << step;
      ASSERT_EQ(DeliveredOf(Of(name), now), by_hand.DeliveredTo(name, now))
          << name << " at step " << step;
    }
  }
  EXPECT_GT(preemptions, 50U);
  EXPECT_GT(restarts, 2U);
}

}  // namespace
}  // namespace berth

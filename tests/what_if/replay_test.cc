// Past requests asked again: the same under the same policy, and under another what that one would
// have decided.
#include "sim/replay.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "allocate/policy.h"
#include "recorder.h"
#include "store/memory_store.h"
#include "support/random_fleet.h"

namespace berth {
namespace {

constexpr std::string_view kRoomy = "allocate: {rules: [leaves_free: {cpu: 65%}, best_fit]}\n";

ReplayComparison Compare(const RecordedLog& log, std::string_view policy) {
  Result<ReplayComparison> compared = ReplayUnderPolicy(log, std::string(policy), nullptr);
  EXPECT_TRUE(compared.ok()) << compared.status().message();
  return std::move(compared).value();
}

// Leaves out the policy's text: a replay under a policy has one, where the shipped one has none.
std::string DifferencesOf(Inventory a, Inventory b) {
  for (Inventory* fleet : {&a, &b}) {
    fleet->Install({.key = KeyOf(RecordKind::kPolicy, ""), .record = {}, .revision = {}});
  }
  return testing::Differences(a, b);
}

TEST(Replay, UnderTheSamePolicyEverythingIsAsItWas) {
  std::uint64_t refused = 0;
  std::uint64_t waited = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Recorder recorder;
    recorder.LiveRandomly(seed, 80);
    const RecordedLog log = recorder.ReadLog();
    const ReplayComparison compared = Compare(log, ShippedPolicy());
    EXPECT_TRUE(compared.whole);
    EXPECT_EQ(DifferencesOf(*log.now, compared.control.end), "");
    EXPECT_EQ(DifferencesOf(*log.now, compared.other.end), "");
    for (std::size_t i = 0; i < compared.recorded.requests.size(); ++i) {
      const RecordedRequest& request = compared.recorded.requests[i];
      SCOPED_TRACE(fmt::format("revision {}: {}", ToNumber(request.revision), Describe(request)));
      for (const ReplayRun* run : {&compared.control, &compared.other}) {
        const ReplayOutcome& outcome = run->outcomes[i];
        const bool waits = request.decision && request.decision->refusal;
        EXPECT_EQ(ToString(outcome.answer), waits ? "waits" : "accepted") << outcome.because;
        if (request.decision) {
          EXPECT_EQ(outcome.placed, request.decision->placed);
        }
      }
      waited += compared.control.outcomes[i].answer == ReplayAnswer::kWaits ? 1U : 0U;
    }
    for (const auto& [rule, count] : compared.recorded.unknown_by_rule) refused += count;
  }
  EXPECT_GT(refused, 50U);  // Their numbers were used up all the same.
  EXPECT_GT(waited, 20U);
}

// --- Another policy ---

// The same requests, asked straight of an engine under that policy.
class Straight {
 public:
  explicit Straight(std::string_view policy)
      : engine_(store_, executor_, {.default_policy = std::string(policy)}) {
    engine_.Start([](const Status& status) { EXPECT_TRUE(status.ok()); });
    executor_.RunUntilIdle();
  }

  // None: it is about a service that is not there. A change of nothing takes its number.
  std::optional<Reply> Submit(const Action& action) {
    std::string about;
    if (const auto* scale = std::get_if<ScaleService>(&action)) about = scale->service;
    if (const auto* remove = std::get_if<DeleteService>(&action)) about = remove->service;
    const bool moot = !about.empty() && engine_.view().FindService(about) == nullptr;
    Reply answer;
    engine_.Submit({.what = moot ? Action(ChangeFleet{}) : action},
                   [&](Reply reply) { answer = std::move(reply); });
    executor_.RunUntilIdle();
    return moot ? std::nullopt : std::optional(answer);
  }
  const Inventory& view() const { return engine_.view(); }

 private:
  VirtualExecutor executor_;
  MemoryStore store_;
  Engine engine_;
};

// Services that come, grow and go, on a fleet with room for all of them under the shipped policy.
std::vector<Action> Workload(std::uint64_t seed) {
  Rng rng(seed);
  ChangeFleet fleet;
  fleet.put = {Tenant{.name = TenantId("t"), .quota = {}}};
  for (const std::int64_t cpu : {1, 2, 5}) {
    InstanceType type;
    type.name = TypeId(fmt::format("c{}", cpu));
    type.size = testing::Sized(cpu, 2 * cpu);
    fleet.put.emplace_back(type);
  }
  for (int m = 0; m < 12; ++m) {
    Machine machine;
    machine.name = MachineId(fmt::format("m{}", m));
    machine.datacenter = DatacenterId("d");
    machine.cluster = ClusterId("c");
    machine.row = RowId("row");
    machine.rack = RackId(fmt::format("r{}", m % 3));
    machine.update_domain = DomainId("ud");
    machine.sku = SkuId("s");
    machine.capacity = testing::Sized(16, 64);
    fleet.put.emplace_back(machine);
  }
  std::vector<Action> actions = {fleet};
  std::vector<Service> alive;
  for (int i = 0; i < 60; ++i) {
    const std::uint64_t kind = rng.Below(4);
    if (kind == 0 && alive.size() > 3) {
      actions.emplace_back(DeleteService{alive.front().name});
      alive.erase(alive.begin());
    } else if (kind == 1 && !alive.empty()) {
      InstanceGroup group = alive.back().groups.front();
      group.count = static_cast<std::uint32_t>(1 + rng.Below(4));
      actions.emplace_back(ScaleService{alive.back().name, {group}});
    } else if (alive.size() < 10) {
      Service service;
      service.name = fmt::format("s{}", i);
      service.tenant = TenantId("t");
      service.klass = ClassId("gold");
      service.groups = {{.type = TypeId(fmt::format("c{}", std::array{1, 2, 5}[rng.Below(3)])),
                         .role = RoleId(),
                         .count = static_cast<std::uint32_t>(1 + rng.Below(4))}};
      actions.emplace_back(CreateService{service});
      alive.push_back(service);
    }
  }
  return actions;
}

TEST(Replay, UnderAStricterPolicyIsWhatAStraightRunOfTheRequestsGives) {
  std::uint64_t refused = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const std::vector<Action> actions = Workload(seed);
    Recorder recorder;
    for (const Action& action : actions) ASSERT_TRUE(recorder.Submit(action).accepted());
    const ReplayComparison compared = Compare(recorder.ReadLog(), kRoomy);
    ASSERT_EQ(compared.other.outcomes.size(), actions.size());
    Straight straight(kRoomy);
    for (std::size_t i = 0; i < actions.size(); ++i) {
      SCOPED_TRACE(Describe(compared.recorded.requests[i]));
      const std::optional<Reply> reply = straight.Submit(actions[i]);
      const ReplayOutcome& outcome = compared.other.outcomes[i];
      EXPECT_EQ(compared.control.outcomes[i].answer, ReplayAnswer::kAccepted);
      EXPECT_EQ(ToString(outcome.answer), !reply              ? "moot"
                                          : reply->accepted() ? "accepted"
                                                              : "refused");
      if (!reply) continue;
      ASSERT_TRUE(reply->decision.has_value());
      EXPECT_EQ(outcome.placed, reply->decision->placed);
      if (reply->accepted()) continue;
      ++refused;
      EXPECT_EQ(outcome.rule, reply->decision->refusal->rule.str());
      EXPECT_EQ(outcome.because, reply->decision->refusal->because);
    }
    EXPECT_EQ(compared.other.samples.back().packing, MeasurePacking(straight.view()));
  }
  EXPECT_GT(refused, 50U);
}

TEST(Replay, ReachesAsFarBackAsTheLogAndSaysSo) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Recorder recorder({.age = std::chrono::hours(24), .revisions = 40});
    recorder.LiveRandomly(seed, 80);
    const std::uint64_t last = ToNumber(recorder.view().revision());
    const ReplayComparison compared = Compare(recorder.ReadLog(), kRoomy);
    EXPECT_FALSE(compared.whole);
    EXPECT_EQ(ToNumber(compared.from), last - 39);
    EXPECT_GT(compared.from_time, TimeFromMicros(1'000'000));
    EXPECT_EQ(compared.control.outcomes.size(), compared.recorded.requests.size());
    EXPECT_EQ(compared.other.outcomes.size(), compared.recorded.requests.size());
  }
}

TEST(Replay, OfAFleetWithoutRequestsIsRefused) {
  Recorder recorder;
  ASSERT_TRUE(recorder.Submit(Workload(1).front()).accepted());
  const Result<ReplayComparison> compared =
      ReplayUnderPolicy(recorder.ReadLog(), std::string(kRoomy), nullptr);
  ASSERT_FALSE(compared.ok());
  EXPECT_NE(compared.status().message().find("no request that could be asked again"),
            std::string::npos);
}

TEST(Replay, AClassThatThePolicyLacksIsARefusal) {
  Recorder recorder;
  for (const Action& action : Workload(3)) recorder.Submit(action);
  const ReplayComparison compared =
      Compare(recorder.ReadLog(), "classes: [{name: other, availability: 99%, importance: 1}]\n");
  const ReplayOutcome& first = compared.other.outcomes[1];
  EXPECT_EQ(first.answer, ReplayAnswer::kRefused);
  EXPECT_EQ(first.rule, "invalid");
  EXPECT_EQ(first.because, "there is no class gold");
  EXPECT_EQ(compared.other.samples.back().packing.instances, 0U);
}

// --- What a log says was asked ---

TEST(RecordedRequests, AreWorkedOutFromWhatEachCommitChanged) {
  Recorder recorder;
  const auto expect = [&](const Action& action) {
    EXPECT_TRUE(recorder.Submit(action).status.ok());
  };
  const std::vector<Action> fleet = Workload(1);
  Service web = std::get<CreateService>(*std::ranges::find_if(fleet, [](const Action& action) {
                  return std::holds_alternative<CreateService>(action);
                })).service;
  web.name = "web";
  web.groups = {{.type = TypeId("c1"), .role = RoleId(), .count = 2}};
  Service late = web;
  late.name = "late";
  late.klass = ClassId("silver");
  late.groups = {{.type = TypeId("c5"), .role = RoleId(), .count = 40}};
  Service huge = late;
  huge.name = "huge";
  huge.klass = ClassId("gold");

  expect(fleet.front());
  expect(CreateService{web});
  const MachineId first = recorder.view().Find(InstanceId{"web", 0})->machine;
  expect(CreateService{late});  // Waits.
  expect(CreateService{huge});  // Refused: what it asked for is lost.
  expect(ScaleService{"web", {{.type = TypeId("c1"), .role = RoleId(), .count = 3}}});
  expect(ReportInstance{{"web", 0}, Reported::kStarted});
  expect(ReportInstance{{"web", 0}, Reported::kOutOfMemory});
  expect(MoveInstance{{"web", 0}, MachineId("m11")});
  expect(MoveInstance{{"web", 0}, MachineId()});
  expect(SetHealth{first, Health::kDown});  // What ran there moves, which is no request.
  expect(ResizeService{"web", TypeId("c1"), testing::Sized(2, 2)});
  expect(ApplyPolicy{std::string(kRoomy)});
  expect(SuspendInstance{{"web", 1}, WaitReason::kPreempted});
  expect(DeleteService{"late"});
  expect(ChangeFleet{.put = {}, .remove = {KeyOf(RecordKind::kType, "c2")}});

  const RecordedRequests all = RequestsOf(recorder.ReadLog(), Inventory());
  std::vector<std::string> words;
  for (const RecordedRequest& request : all.requests) words.push_back(Describe(request));
  EXPECT_EQ(words,
            (std::vector<std::string>{
                "change of the fleet", "create web", "create late", "scale web", "report web/0",
                "report web/0", "move web/0", "move web/0", fmt::format("set {} down", first.str()),
                "resize web", "policy", "suspend web/1", "delete late", "change of the fleet"}));
  EXPECT_EQ(all.unknown_by_rule, (std::map<std::string, std::uint64_t>{{"fits", 1}}));
  const auto action = [&](std::size_t i) { return std::get<Action>(all.requests[i].what); };
  EXPECT_EQ(std::get<ReportInstance>(action(5)).report, Reported::kOutOfMemory);
  EXPECT_EQ(std::get<MoveInstance>(action(6)).to, MachineId("m11"));
  EXPECT_TRUE(std::get<MoveInstance>(action(7)).to.empty());
  EXPECT_EQ(std::get<ResizeService>(action(9)).limit, testing::Sized(2, 2));
  EXPECT_EQ(std::get<SuspendInstance>(action(11)).reason, WaitReason::kPreempted);
}

}  // namespace
}  // namespace berth

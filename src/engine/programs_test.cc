// Programs of the user's as recommenders of an engine: the example of the documents, asked between
// other tasks instead of on a thread of its own.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/virtual_executor.h"
#include "berth/engine.h"
#include "engine/replicator.h"
#include "engine/sizer.h"
#include "fleet/fleet_testing.h"
#include "rightsize/live_program.h"
#include "store/memory_store.h"
#include "support/paths.h"

namespace berth {
namespace {

constexpr Duration kAMinute = std::chrono::minutes(1);
constexpr double kAMebibyte = 1 << 20;

// The same clock and the same tasks.
class Beside final : public Executor {
 public:
  explicit Beside(Executor& other) : other_(other) {}
  Time now() const override { return other_.now(); }
  void Post(Task task) override { other_.Post(std::move(task)); }
  void PostAt(Time at, Task task) override { other_.PostAt(at, std::move(task)); }

 private:
  Executor& other_;
};

// Machines of 8 cpu and 32Gi; services of type small, 2 cpu and 4Gi.
class EngineProgramsTest : public ::testing::Test {
 protected:
  EngineProgramsTest() {
    Open("median", "median.py");
    Open("dies", "dies.sh");
    Begin();
    for (int i = 0; i < 4; ++i) {
      Submit(ChangeFleet{.put = {MachineIn(fmt::format("m{}", i))}, .remove = {}});
    }
    Submit(ChangeFleet{.put = {Tenant{TenantId("acme"), {}}, InstanceType{.name = TypeId("small"),
                                                                          .size = Amounts(2, 4),
                                                                          .skus = {},
                                                                          .requires_labels = {}}},
                       .remove = {}});
    Submit(CreateService{ServiceOf("web", 2)});
  }

  void Open(const std::string& name, std::string_view file) {
    Result<std::shared_ptr<ExternalProgram>> opened = ExternalProgram::Open(
        {(testing::SourceDir() / "testdata/external" / file).string()}, std::chrono::seconds(20));
    ASSERT_TRUE(opened.ok()) << opened.status().message();
    programs_.Add(name, std::make_unique<LiveProgram>(std::move(opened).value(),
                                                      std::make_unique<Beside>(executor_),
                                                      [](const std::string& /*what*/) {}));
  }
  void Settle() { executor_.RunUntil(executor_.now()); }
  void Begin(std::vector<Observation> sizing = {}, std::vector<Observation> scaling = {}) {
    engine_ = std::make_unique<Engine>(store_, executor_, EngineOptions{.programs = &programs_});
    engine_->Start([](const Status& status) { EXPECT_TRUE(status.ok()); });
    Settle();
    EXPECT_EQ(engine_->sizer().Restore(sizing), 0U);
    EXPECT_EQ(engine_->replicator().Restore(scaling), 0U);
    Settle();
  }
  void Restart() {
    std::vector<Observation> sizing = engine_->sizer().TakeChanged(SIZE_MAX);
    std::vector<Observation> scaling = engine_->replicator().TakeChanged(SIZE_MAX);
    engine_.reset();
    Begin(std::move(sizing), std::move(scaling));
  }
  Reply Ask(Action action) {
    Reply answer;
    engine_->Submit({.what = std::move(action)}, [&](Reply reply) { answer = std::move(reply); });
    Settle();
    return answer;
  }
  void Submit(Action action) {
    const Reply reply = Ask(std::move(action));
    EXPECT_TRUE(reply.accepted()) << reply.status.message();
  }
  void Policy(const std::string& text) { Submit(ApplyPolicy{text}); }

  // Every instance uses so much while time passes.
  void Use(double cpu_milli, double memory_mi, Duration span) {
    const Time until = executor_.now() + span;
    while (executor_.now() < until) {
      std::vector<InstanceId> ids;
      for (const Instance& one : engine_->view().FindService("web")->instances) {
        ids.push_back(one.id);
      }
      for (const InstanceId& id : ids) {
        const UsagePoint cpu{executor_.now(), cpu_milli};
        const UsagePoint memory{executor_.now(), memory_mi * kAMebibyte};
        engine_->ObserveUsage(id, Resource::kCpu, {&cpu, 1});
        engine_->ObserveUsage(id, Resource::kMemory, {&memory, 1});
      }
      executor_.RunUntil(executor_.now() + kAMinute);
    }
  }
  std::vector<LiveRecommendation> Limits() {
    return engine_->sizer().Recommendations({.service = "web"}).items;
  }
  LiveCount Count() {
    const CountPage page = engine_->replicator().Recommendations({.service = "web"});
    return page.items.empty() ? LiveCount{} : page.items.front();
  }
  std::size_t Instances() { return engine_->view().FindService("web")->instances.size(); }

  VirtualExecutor executor_;
  MemoryStore store_;
  LivePrograms programs_;
  std::unique_ptr<Engine> engine_;
};

TEST_F(EngineProgramsTest, SayHowLargeAndHowMany) {
  Policy(
      "rightsizing: {recommender: 'external:median', beside: [window]}\n"
      "scaling: {scaler: 'external:median'}\n");
  Use(1500, 1000, 10 * kAMinute);
  const std::vector<LiveRecommendation> limits = Limits();
  ASSERT_EQ(limits.size(), 2U);
  EXPECT_EQ(limits[0].recommender, "external:median");
  EXPECT_EQ(limits[0].why, "2.25: the median of the last day's windows, and a half");
  EXPECT_EQ(limits[0].advice.target, 2250);
  EXPECT_EQ(limits[1].why, "1200Mi: the most of the last day's windows, and a fifth");
  ASSERT_EQ(limits[0].others.size(), 1U);
  EXPECT_EQ(limits[0].others[0].recommender, "window");
  // 3 cpu at 60% of 2 are two and a half.
  EXPECT_EQ(Count().scaler, "external:median");
  EXPECT_EQ(Count().count, 4U);
  EXPECT_EQ(Count().why, "4: what it takes, and one more");
  EXPECT_EQ(Instances(), 2U) << "in dry-run";
  EXPECT_EQ(programs_.Find("median")->counts().failures, 0U);
}

TEST_F(EngineProgramsTest, InAutoWhatTheySayIsDoneWhenTheyHaveSaidIt) {
  Policy(
      "rightsizing: {mode: auto, recommender: 'external:median'}\n"
      "scaling: {mode: auto, max: 9, scaler: 'external:median'}\n");
  Use(1500, 6000, kAMinute);
  EXPECT_EQ(Instances(), 4U) << "within the first look";
  Use(1500, 6000, 6 * kAMinute);
  EXPECT_EQ(engine_->view().Find(InstanceId{"web", 0})->limit[Resource::kMemory],
            static_cast<std::int64_t>(7200 * kAMebibyte));
}

TEST_F(EngineProgramsTest, ARestartLosesNothing) {
  Policy(
      "rightsizing: {recommender: 'external:median'}\n"
      "scaling: {scaler: 'external:median'}\n");
  Use(1500, 1000, 10 * kAMinute);
  Use(500, 3000, 20 * kAMinute);
  const std::vector<LiveRecommendation> before = Limits();
  Restart();
  ASSERT_EQ(Limits().size(), 2U);
  EXPECT_EQ(Limits()[0].why, before[0].why);
  EXPECT_EQ(Limits()[1].advice, before[1].advice);
  Use(500, 1000, 20 * kAMinute);
  EXPECT_EQ(Limits()[1].advice.target, static_cast<std::int64_t>(3600 * kAMebibyte))
      << "the program was told what it knew before";
  EXPECT_EQ(Count().count, 2U);
}

TEST_F(EngineProgramsTest, AProgramThatFailsLeavesWhatItSaid) {
  Policy("rightsizing: {recommender: 'external:dies'}");
  Use(100, 1000, 10 * kAMinute);
  // It ends over and over, and is started again later and later.
  std::size_t silent = 0;
  for (int i = 0; i < 8; ++i) {
    Use(100, 1000, 5 * kAMinute);
    const std::vector<LiveRecommendation> limits = Limits();
    ASSERT_EQ(limits.size(), 2U);
    EXPECT_EQ(limits[0].advice.target, 1000);
    const std::size_t at = limits[0].why.find("; the program has not answered since ");
    silent += at == std::string::npos ? 0 : 1;
  }
  EXPECT_GT(silent, 0U);
  EXPECT_GT(programs_.Find("dies")->counts().failures, 0U);
  EXPECT_EQ(programs_.Waiting(), 0U);
}

TEST_F(EngineProgramsTest, ANameThatTheServerDoesNotHaveIsRefused) {
  EXPECT_EQ(Ask(ApplyPolicy{"rightsizing: {recommender: 'external:mean'}"}).status.message(),
            "policy:1:28: rightsizing.recommender: there is no program 'mean' here; start the "
            "server with --program mean=PATH");
  EXPECT_EQ(Ask(ApplyPolicy{"scaling: {scaler: 'external:mean'}"}).status.message(),
            "policy:1:19: scaling.scaler: there is no program 'mean' here; start the server with "
            "--program mean=PATH");
}

// As where another process has it, and this one shares the store.
TEST_F(EngineProgramsTest, WithoutTheProgramNothingIsSaid) {
  Policy("rightsizing: {recommender: 'external:median'}\nscaling: {scaler: 'external:median'}\n");
  LivePrograms none;
  engine_ = std::make_unique<Engine>(store_, executor_, EngineOptions{.programs = &none});
  engine_->Start([](const Status& status) { EXPECT_TRUE(status.ok()); });
  Settle();
  Use(1500, 1000, 10 * kAMinute);
  EXPECT_TRUE(Limits().empty());
  EXPECT_FALSE(Count().count);
  engine_.reset();
}

}  // namespace
}  // namespace berth

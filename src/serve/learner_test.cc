#include "serve/learner.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <utility>

#include "base/virtual_executor.h"
#include "berth/engine.h"
#include "fleet/fleet_testing.h"
#include "oversub/tenant_amounts.h"
#include "store/memory_store.h"

namespace berth {
namespace {

using std::chrono::minutes;

// Ten steps of ten minutes before it, and on a step.
const Time kEnd = Time(minutes(1'000'000));

Instance Ended() {
  Instance instance;
  instance.id = {"db", 0};
  instance.type = TypeId("large");
  instance.limit[Resource::kCpu] = 4000;
  instance.limit[Resource::kMemory] = std::int64_t{8} << 30;
  instance.limit[Resource::kDisk] = std::int64_t{64} << 30;
  instance.timeline.created = kEnd - minutes(40);
  return instance;
}

class TraceOfTest : public ::testing::Test {
 protected:
  void Take(const std::string& metric, Duration before_end, double value) {
    const Time at = kEnd - before_end;
    EXPECT_TRUE(samples_.Take({"db/0", metric}, {{at, value}}, kEnd).ok());
  }

  const std::unique_ptr<Observations> observations_ = NewMemoryObservations();
  Samples samples_{*observations_};
};

TEST_F(TraceOfTest, NothingIsLearntOfWhatWasNotSampled) {
  EXPECT_FALSE(TraceOf(samples_, Ended(), kEnd).has_value());
}

// Five steps: four whole ones, and the one in which it ends. Of a step the most counts; what is not
// known is as before, at first as when it was first known; disk was never sampled.
TEST_F(TraceOfTest, IsWhatTheSamplesSay) {
  Take("cpu_milli", minutes(28), 700);   // In the second step,
  Take("cpu_milli", minutes(22), 900);   // twice.
  Take("cpu_milli", minutes(3), 100.5);  // In the fourth.
  Take("memory_bytes", minutes(40), 3 << 20);
  Take("memory_bytes", Duration(), (5 << 20) + 1);
  Take("network_mbit", minutes(40), 12);
  const std::optional<DemandTrace> trace = TraceOf(samples_, Ended(), kEnd);
  ASSERT_TRUE(trace.has_value());
  const std::uint32_t disk = 64 << 10;
  const std::vector<Demand> wanted = {
      {900, 3, disk}, {900, 3, disk}, {900, 3, disk}, {101, 3, disk}, {101, 6, disk}};
  EXPECT_EQ(trace->samples, wanted);
  EXPECT_EQ(trace->role, TenantRole::kPrimary);
  EXPECT_TRUE(CheckTrace(*trace).ok());
}

TEST_F(TraceOfTest, SavedSamplesCountToo) {
  Take("cpu_milli", minutes(28), 700);
  ASSERT_TRUE(samples_.Save(kEnd + minutes(60)).ok());
  ASSERT_EQ(samples_.in_memory(), 0U);
  const std::optional<DemandTrace> trace = TraceOf(samples_, Ended(), kEnd);
  ASSERT_TRUE(trace.has_value());
  EXPECT_EQ(trace->samples.front()[DemandResource::kCpu], 700U);
}

// It had the name of one that took much more in the same five minutes.
TEST_F(TraceOfTest, NothingIsLearntOfItsPredecessor) {
  Instance instance = Ended();
  instance.timeline.created += minutes(2);
  Take("cpu_milli", minutes(39), 3000);  // Another's.
  Take("cpu_milli", minutes(37), 800);
  EXPECT_FALSE(TraceOf(samples_, instance, kEnd).has_value());
  Take("cpu_milli", minutes(34), 700);
  const std::optional<DemandTrace> trace = TraceOf(samples_, instance, kEnd);
  ASSERT_TRUE(trace.has_value());
  for (const Demand& step : trace->samples) EXPECT_EQ(step[DemandResource::kCpu], 700U);
}

// Its first five minutes are its own, although they began before it.
TEST_F(TraceOfTest, WhatItTookFromItsCreationOnCounts) {
  Instance instance = Ended();
  instance.timeline.created += minutes(2);
  Take("cpu_milli", minutes(38), 800);
  const std::optional<DemandTrace> trace = TraceOf(samples_, instance, kEnd);
  ASSERT_TRUE(trace.has_value());
  EXPECT_EQ(trace->samples.front()[DemandResource::kCpu], 800U);
}

// In memory, and counts how often something learnt was written.
class CountingObservations final : public Observations {
 public:
  explicit CountingObservations(int& writes) : writes_(writes) {}

  Status Write(std::span<const Observation> entries) override {
    writes_ += static_cast<int>(std::ranges::count_if(
        entries, [](const Observation& one) { return one.key.starts_with("learnt/"); }));
    return kept_->Write(entries);
  }
  Status Erase(std::span<const std::string> keys) override { return kept_->Erase(keys); }
  Status Sync() override { return kept_->Sync(); }
  Result<std::optional<std::string>> Get(std::string_view key) const override {
    return kept_->Get(key);
  }
  Status Scan(std::string_view from, std::string_view to, const Visit& visit) const override {
    return kept_->Scan(from, to, visit);
  }

 private:
  int& writes_;
  const std::unique_ptr<Observations> kept_ = NewMemoryObservations();
};

class LearnerTest : public ::testing::Test {
 protected:
  LearnerTest() {
    engine_.Start([](const Status& status) { EXPECT_TRUE(status.ok()) << status.message(); });
    Settle();
    ChangeFleet fleet{.put = {Tenant{TenantId("acme"), {}}, MachineIn("m0")}, .remove = {}};
    for (const char* type : {"small", "large"}) {
      fleet.put.emplace_back(InstanceType{
          .name = TypeId(type), .size = Amounts(1), .skus = {}, .requires_labels = {}});
    }
    Submit(std::move(fleet));
    learner_->Follow(store_, engine_.view().revision());
  }

  // What threads have posted by then is done, too.
  void Settle() {
    for (int i = 0; i < 2; ++i) {
      executor_.RunUntil(executor_.now());
      observer_.Flush();
    }
    executor_.RunUntil(executor_.now());
  }
  void Submit(Action action) {
    engine_.Submit({.what = std::move(action)}, [](const Reply& reply) {
      EXPECT_TRUE(reply.accepted()) << reply.status.message();
    });
    Settle();
  }
  void ComeAndGo(const std::string& service, const char* type = "small") {
    Service created = ServiceOf(service, 1);
    created.groups.front().type = TypeId(type);
    Submit(CreateService{created});
    observer_.Use([service, now = executor_.now()](Samples& samples, Time /*now*/) {
      EXPECT_TRUE(samples.Take({service + "/0", "cpu_milli"}, {{now, 300}}, now).ok());
    });
    learner_->Seen(*engine_.view().Find(InstanceId{service, 0}));
    Submit(DeleteService{service});
  }

  int writes_ = 0;  // On the observer's thread.
  VirtualExecutor executor_{kEnd};
  MemoryStore store_;
  Engine engine_{store_, executor_, {}};
  std::shared_ptr<const TraceLibrary> told_;
  Observer observer_{std::make_unique<CountingObservations>(writes_)};
  std::unique_ptr<Learner> learner_ = std::make_unique<Learner>(
      executor_, observer_, std::make_unique<LearntModels>(nullptr),
      [this](std::shared_ptr<const TraceLibrary> library) { told_ = std::move(library); });
};

TEST_F(LearnerTest, WritesAndTellsOnceAMinute) {
  for (int i = 0; i < 5; ++i) ComeAndGo(fmt::format("s{}", i));
  EXPECT_EQ(learner_->learnt(), 5U);
  EXPECT_EQ(writes_, 0);
  executor_.RunUntil(executor_.now() + minutes(1));
  Settle();
  EXPECT_EQ(writes_, 1);
  ASSERT_NE(told_, nullptr);
  EXPECT_EQ(told_->size(), 5U);
  executor_.RunUntil(executor_.now() + minutes(5));
  Settle();
  EXPECT_EQ(writes_, 1) << "nothing more was learnt";
  ComeAndGo("of_another_type", "large");
  executor_.RunUntil(executor_.now() + minutes(1));
  Settle();
  EXPECT_EQ(writes_, 2) << "and what was written before is not again";
}

TEST_F(LearnerTest, WritesWhatItLearntWhenItIsClosed) {
  ComeAndGo("s0");
  learner_.reset();
  Settle();
  EXPECT_EQ(writes_, 1);
}

TEST(RecallLearnt, ReadsWhatIsKeptAndRefusesWhatIsDamaged) {
  const std::unique_ptr<Observations> observations = NewMemoryObservations();
  EXPECT_EQ(RecallLearnt(*observations, nullptr).value()->size(), 0U);
  DemandTrace trace;
  trace.samples = {{1, 2, 3}};
  LearntModels models(nullptr);
  models.Add("large", FitModel(trace));
  std::vector<Observation> kept = {
      {"learnt/large/primary", models.Encode("large", TenantRole::kPrimary)},
      {"window/other", "x"}};
  ASSERT_TRUE(observations->Write(kept).ok());
  EXPECT_EQ(RecallLearnt(*observations, nullptr).value()->size(), 1U);
  kept[0].value.pop_back();
  ASSERT_TRUE(observations->Write(kept).ok());
  EXPECT_NE(RecallLearnt(*observations, nullptr).status().message().find("learnt/large/primary"),
            std::string::npos);
}

}  // namespace
}  // namespace berth

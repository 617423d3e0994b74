#include "serve/learner.h"

#include <gtest/gtest.h>

#include "oversub/tenant_amounts.h"

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

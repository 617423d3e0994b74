#include <gtest/gtest.h>

#include <string>

#include "real_data/data_dir.h"
#include "real_data/tally.h"

namespace berth {
namespace {

struct PodList {
  std::string_view file;
  std::uint64_t pods = 0;
  std::size_t types = 0;
};

TEST(RealDataAlibabaGpuV2023, HasThePodsItsSourceStates) {
  for (const PodList& list : {PodList{"openb_pod_list_default.csv", 8'152, 151},
                              PodList{"openb_pod_list_cpu250.csv.gz", 9'420, 151},
                              PodList{"openb_pod_list_gpuspec33.csv.gz", 8'152, 457},
                              PodList{"openb_pod_list_multigpu50.csv.gz", 9'061, 151}}) {
    const std::string file = testing::DataFile("alibaba_gpu_v2023/" + std::string(list.file));
    BERTH_SKIP_WITHOUT(file);
    auto trace = OpenTrace("alibaba_gpu_v2023:" + file, {});
    ASSERT_TRUE(trace.ok()) << trace.status().message();
    // A few lists of models differ only by a model that one of them has twice.
    EXPECT_LE(trace.value()->Types().size(), list.types) << list.file;
    EXPECT_EQ(testing::TallyOf(*trace.value()).services, list.pods) << list.file;
  }
}

TEST(RealDataAlibabaGpuV2023, SpansTheTimeItsSourceStates) {
  const std::string file = testing::DataFile("alibaba_gpu_v2023/openb_pod_list_default.csv");
  BERTH_SKIP_WITHOUT(file);
  auto trace = OpenTrace("alibaba_gpu_v2023:" + file, {});
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  const testing::Tally tally = testing::TallyOf(*trace.value());
  EXPECT_EQ(tally.last, Time(std::chrono::seconds(12'901'761)));
  EXPECT_EQ(tally.with_lifetime, tally.services);
}

TEST(RealDataAlibabaBatchV2017, HasTheTasksItsSourceStates) {
  const std::string file = testing::DataFile("alibaba_v2017_batch/batch_task.csv.gz");
  BERTH_SKIP_WITHOUT(file);
  auto trace = OpenTrace("alibaba_batch_v2017:" + file, {.seed = 1, .batch_as_gang = true});
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  // Of 80,553.
  EXPECT_TRUE(trace.value()->Notes().lines.at(0).starts_with("71,536 tasks"));
  EXPECT_EQ(trace.value()->Notes().lines.at(1),
            "9,017 tasks that ask for no cpu or memory are left out");
  const testing::Tally tally = testing::TallyOf(*trace.value());
  EXPECT_EQ(tally.instances, 11'059'704U);
  EXPECT_EQ(tally.largest, 2000U);
  EXPECT_EQ(tally.last, Time(std::chrono::seconds(60'181 + 1'078)));
}

TEST(RealDataAlibabaBatchV2017, HasTheJobsOfCloudSimPy) {
  const std::string file = testing::DataFile("alibaba_v2017_batch/cloudsimpy_jobs.csv.gz");
  BERTH_SKIP_WITHOUT(file);
  auto trace = OpenTrace("alibaba_batch_v2017:" + file, {.seed = 1, .batch_as_gang = true});
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_TRUE(trace.value()->Notes().lines.at(0).starts_with("31,756 tasks"));
  const testing::Tally tally = testing::TallyOf(*trace.value());
  EXPECT_EQ(tally.with_lifetime, tally.services);
}

}  // namespace
}  // namespace berth

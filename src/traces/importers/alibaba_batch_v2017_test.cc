#include <gtest/gtest.h>

#include "support/traces.h"

namespace berth {
namespace {

using std::chrono::microseconds;
using std::chrono::seconds;

std::unique_ptr<Trace> OpenBatchSample(const std::string& name, const TraceOptions& options) {
  auto trace = OpenTrace("alibaba_batch_v2017:" + TestFile("alibaba_batch_v2017/" + name), options);
  EXPECT_TRUE(trace.ok()) << trace.status().message();
  return std::move(trace).value();
}

constexpr TraceOptions kAsGang{.seed = 1, .batch_as_gang = true};

std::string ErrorInTasks(std::string_view rows) {
  return FirstError(NewAlibabaBatchV2017(
      TraceSource::Memory("task_create_time,task_end_time,job_id,task_id,number_of_instances,"
                          "status,number_of_cpus_requested_per_instance_in_the_task,"
                          "normalized_memory_requested_per_instance_in_the_task\n" +
                              std::string(rows),
                          "b.csv"),
      {}));
}

TEST(AlibabaBatchV2017, TakesInstancesAsServicesInTheOrderOfTime) {
  const std::vector<Arrival> arrivals = ReadAll(*OpenBatchSample("batch_task.csv", {}));
  ASSERT_EQ(arrivals.size(), 44U);
  EXPECT_EQ(arrivals[0].service.name, "job-2-1-0");  // At -40 s, where time starts.
  EXPECT_EQ(arrivals[0].at, Time());
  EXPECT_EQ(arrivals[0].service.tenant, TenantId("job-2"));
  EXPECT_EQ(arrivals[0].service.klass, ClassId("bronze"));
  EXPECT_EQ(arrivals[1].service.name, "job-2-1-1");
  EXPECT_EQ(arrivals[2].service.name, "job-1-1-0");
  EXPECT_EQ(arrivals[2].at, Time(seconds(640)));
  EXPECT_EQ(arrivals[2].lifetime, seconds(60));
  EXPECT_EQ(arrivals[2].service.groups,
            (std::vector<InstanceGroup>{{.type = TypeId("c500m-m2Gi"), .role = {}, .count = 1}}));
}

TEST(AlibabaBatchV2017, PlacesATaskWholeIfAsked) {
  const std::vector<Arrival> arrivals = ReadAll(*OpenBatchSample("batch_task.csv", kAsGang));
  ASSERT_EQ(arrivals.size(), 18U);
  EXPECT_EQ(arrivals[1].service.name, "job-1-1-0");
  EXPECT_EQ(arrivals[1].service.InstanceCount(), 3U);
  EXPECT_EQ(arrivals[3].service.name, "job-4-1-0");
  EXPECT_EQ(arrivals[3].lifetime, std::nullopt);  // It ends before it begins.
}

TEST(AlibabaBatchV2017, PlacesALargeTaskInPieces) {
  auto trace = NewAlibabaBatchV2017(
      TraceSource::Memory(",submit_time,duration,cpu,memory,job_id,task_id,instances_num,disk\n"
                          "0,0,1,1,0.1,7,8,4500,0\n",
                          "b.csv"),
      kAsGang);
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  const std::vector<Arrival> arrivals = ReadAll(*trace.value());
  ASSERT_EQ(arrivals.size(), 3U);
  EXPECT_EQ(arrivals[2].service.name, "job-7-8-4000");
  EXPECT_EQ(arrivals[2].service.InstanceCount(), 500U);
}

TEST(AlibabaBatchV2017, ReadsTheJobsOfCloudSimPyByTheirHeader) {
  const std::vector<Arrival> arrivals = ReadAll(*OpenBatchSample("jobs.csv", kAsGang));
  ASSERT_EQ(arrivals.size(), 3U);
  EXPECT_EQ(arrivals[0].service.name, "job-2-5-0");
  EXPECT_EQ(arrivals[0].lifetime, microseconds(60'333'333));
  EXPECT_EQ(arrivals[0].service.groups[0].type, TypeId("c1-m4Gi"));
  EXPECT_EQ(arrivals[2].at, Time(seconds(180)));
  EXPECT_EQ(arrivals[2].service.groups[0].type, TypeId("c500m-m2Gi"));
}

TEST(AlibabaBatchV2017, SaysWhatItAssumed) {
  std::string notes;
  for (const std::string& line : OpenBatchSample("batch_task.csv", {})->Notes().lines) {
    notes += line + '\n';
  }
  EXPECT_EQ(notes,
            "18 tasks of 10 sizes\n"
            "2 tasks that ask for no cpu or memory are left out\n"
            "ignored columns: 'status'\n"
            "cpu 100 is a core; memory is a fraction of the largest machine, taken as 256 GiB\n"
            "a job is a tenant; the instances of its tasks are services of one instance each\n"
            "the class is bronze; there are no constraints\n"
            "an instance lasts as long as its task\n"
            "2 tasks that end before they begin stay to the trace's end\n");
}

TEST(AlibabaBatchV2017, ImportsTheSameTwice) {
  for (const std::string name : {"batch_task.csv", "jobs.csv"}) {
    for (const TraceOptions& options : {TraceOptions(), kAsGang}) {
      EXPECT_EQ(Written(*OpenBatchSample(name, options)), Written(*OpenBatchSample(name, options)));
    }
  }
}

TEST(AlibabaBatchV2017, RefusesWrongRows) {
  EXPECT_EQ(ErrorInTasks("0,1,1,1,0,Terminated,50,0.1\n"),
            "b.csv:2: column 'number_of_instances': '0' is not a whole number from 1 to 100000; "
            "write one");
  EXPECT_EQ(ErrorInTasks("0,1,1,1,100001,Terminated,50,0.1\n"),
            "b.csv:2: column 'number_of_instances': '100001' is not a whole number from 1 to "
            "100000; write one");
  EXPECT_EQ(ErrorInTasks("0,1,1,1,1,Terminated,50,1.1\n"),
            "b.csv:2: column 'normalized_memory_requested_per_instance_in_the_task': '1.1' is not "
            "a number from 0 to 1; write one");
  EXPECT_EQ(ErrorInTasks("0,1,1,1,1,Terminated,50,0.1\n\n1,2,1,1,1,Terminated,50,0.1\n"),
            "b.csv:4: column 'task_id': task 1 of job 1 is there twice; leave one out");
  EXPECT_EQ(ErrorInTasks("0.5,1,1,1,1,Terminated,50,0.1\n"),
            "b.csv:2: column 'task_create_time': '0.5' is not a whole number from -1000000000 to "
            "1000000000; write one");
}

}  // namespace
}  // namespace berth

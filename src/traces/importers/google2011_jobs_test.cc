#include <gtest/gtest.h>

#include "support/traces.h"

namespace berth {
namespace {

using std::chrono::seconds;

std::unique_ptr<Trace> OpenSample() {
  auto trace = OpenTrace("google2011_jobs:" + TestFile("google2011_jobs/jobs.csv"), {});
  EXPECT_TRUE(trace.ok()) << trace.status().message();
  return std::move(trace).value();
}

std::string ErrorInJobs(std::string_view rows) {
  return FirstError(NewGoogle2011Jobs(
      TraceSource::Memory("submit_s,sched_s,end_s,end_type,class,user\n" + std::string(rows),
                          "j.csv"),
      {}));
}

TEST(Google2011Jobs, TakesAJobAsOneInstanceOfTheAssumedSize) {
  const std::vector<Arrival> arrivals = ReadAll(*OpenSample());
  ASSERT_EQ(arrivals.size(), 20U);
  EXPECT_EQ(arrivals[3].at, Time(seconds(600)));
  EXPECT_EQ(arrivals[3].service.name, "job-3");
  EXPECT_EQ(arrivals[3].service.tenant, TenantId("user-2"));
  EXPECT_EQ(arrivals[3].service.klass, ClassId("bronze"));
  EXPECT_EQ(arrivals[3].service.groups,
            (std::vector<InstanceGroup>{
                {.type = TypeId("c1-m4Gi"), .role = RoleId("class-0"), .count = 1}}));
  EXPECT_EQ(arrivals[4].service.klass, ClassId("silver"));
  EXPECT_EQ(arrivals[11].service.klass, ClassId("gold"));
  EXPECT_EQ(FormatResources(OpenSample()->Types().at(0).size), "1 cpu, 4Gi memory");
}

TEST(Google2011Jobs, LastsFromItsScheduleToItsEnd) {
  const std::vector<Arrival> arrivals = ReadAll(*OpenSample());
  EXPECT_EQ(arrivals[0].at, Time());  // Submitted before the trace.
  EXPECT_EQ(arrivals[0].lifetime, seconds(4000));
  EXPECT_EQ(arrivals[1].lifetime, std::nullopt);
  EXPECT_EQ(arrivals[3].lifetime, seconds(39));
  EXPECT_EQ(arrivals[5].lifetime, seconds(0));
  EXPECT_EQ(arrivals[7].lifetime, seconds(10));  // Never scheduled: from its submission.
}

TEST(Google2011Jobs, SaysWhatItAssumed) {
  std::string notes;
  for (const std::string& line : OpenSample()->Notes().lines) notes += line + '\n';
  EXPECT_EQ(notes,
            "ignored columns: 'end_type'\n"
            "there are no sizes: every job is one instance of 1 cpu, 4Gi memory\n"
            "a user is a tenant; the scheduling class is the role\n"
            "scheduling class 3 is gold, 2 and 1 silver, 0 bronze\n"
            "a job lasts from sched_s, or submit_s if it is empty, to end_s; without end_s it "
            "stays\n"
            "an empty submit_s, before the trace, is time 0\n");
}

TEST(Google2011Jobs, ImportsTheSameTwice) {
  EXPECT_EQ(Written(*OpenSample()), Written(*OpenSample()));
}

TEST(Google2011Jobs, RefusesWrongRows) {
  EXPECT_EQ(ErrorInJobs("7,7,9,KILL,0,1\n6,7,9,KILL,0,1\n"),
            "j.csv:3: column 'submit_s': 6 comes after 7; sort the rows by time");
  EXPECT_EQ(ErrorInJobs("7,8,7.5,KILL,0,1\n"),
            "j.csv:2: column 'end_s': 7.5 is before the job began, 8; correct one of them");
  EXPECT_EQ(ErrorInJobs("7,8,9,KILL,4,1\n"),
            "j.csv:2: column 'class': '4' is not a whole number from 0 to 3; write one");
  EXPECT_EQ(ErrorInJobs("7,8,9,KILL,3,ann\n"),
            "j.csv:2: column 'user': 'ann' is not a whole number from 0 to 1000000; write one");
  EXPECT_EQ(ErrorInJobs("-7,8,9,KILL,3,1\n"),
            "j.csv:2: column 'submit_s': '-7' is negative; write seconds from 0 on");
}

}  // namespace
}  // namespace berth

#include <gtest/gtest.h>

#include "support/traces.h"

namespace berth {
namespace {

using std::chrono::microseconds;
using std::chrono::seconds;

std::unique_ptr<Trace> OpenTasksSample(const TraceOptions& options) {
  auto trace = OpenTrace("google2011_tasks:" + TestFile("google2011_tasks/events.csv"), options);
  EXPECT_TRUE(trace.ok()) << trace.status().message();
  return std::move(trace).value();
}

std::string ErrorInEvents(std::string_view rows) {
  return FirstError(NewGoogle2011Tasks(TraceSource::Memory(std::string(rows), "g.csv"), {}));
}

TEST(Google2011Tasks, TakesWhatIsSubmittedAsServicesOfOneInstance) {
  const std::vector<Arrival> arrivals = ReadAll(*OpenTasksSample({}));
  ASSERT_EQ(arrivals.size(), 8U);
  const Service& first = arrivals[0].service;
  EXPECT_EQ(first.name, "job-100-0");
  EXPECT_EQ(first.tenant, TenantId("user-0"));
  EXPECT_EQ(first.klass, ClassId("gold"));
  EXPECT_EQ(first.groups,
            (std::vector<InstanceGroup>{
                {.type = TypeId("c6-m16Gi"), .role = RoleId("class-3"), .count = 1}}));
  EXPECT_EQ(first.constraints.max_per_machine, 1U);
  EXPECT_EQ(arrivals[2].service.klass, ClassId("bronze"));
  EXPECT_EQ(arrivals[2].service.constraints, Constraints());
  EXPECT_EQ(arrivals[3].service.klass, ClassId("silver"));
  EXPECT_EQ(arrivals[3].service.tenant, TenantId("user-2"));
  EXPECT_EQ(arrivals[3].at, Time(seconds(600)));
}

TEST(Google2011Tasks, LastsFromScheduleToEnd) {
  const std::vector<Arrival> arrivals = ReadAll(*OpenTasksSample({}));
  EXPECT_EQ(arrivals[0].lifetime, std::nullopt);  // It ends after the trace does.
  EXPECT_EQ(arrivals[3].lifetime, seconds(60));
  EXPECT_EQ(arrivals[4].service.name, "job-500-0");
  EXPECT_EQ(arrivals[4].lifetime, seconds(103));  // Killed before it was scheduled.
  EXPECT_EQ(arrivals[5].lifetime, seconds(300));
}

TEST(Google2011Tasks, WhatIsSubmittedAgainIsAnotherService) {
  const std::vector<Arrival> arrivals = ReadAll(*OpenTasksSample({}));
  EXPECT_EQ(arrivals[6].service.name, "job-400-2");
  EXPECT_EQ(arrivals[6].lifetime, seconds(100));  // Evicted.
  EXPECT_EQ(arrivals[7].service.name, "job-400-2-2");
  EXPECT_EQ(arrivals[7].at, Time(microseconds(702'000'001)));
  EXPECT_EQ(arrivals[7].lifetime, std::nullopt);
}

TEST(Google2011Tasks, PlacesWhatAJobSubmitsAtOnceWholeIfAsked) {
  const std::vector<Arrival> arrivals =
      ReadAll(*OpenTasksSample({.seed = 1, .batch_as_gang = true}));
  ASSERT_EQ(arrivals.size(), 5U);
  EXPECT_EQ(arrivals[0].service.InstanceCount(), 2U);
  EXPECT_EQ(arrivals[0].service.constraints.max_per_machine, 1U);
  EXPECT_EQ(arrivals[2].service.name, "job-400-0");
  EXPECT_EQ(arrivals[2].service.groups,
            (std::vector<InstanceGroup>{
                {.type = TypeId("c1.5-m2622Mi"), .role = RoleId("class-1"), .count = 2},
                {.type = TypeId("c3-m5243Mi"), .role = RoleId("class-1"), .count = 1}}));
  EXPECT_EQ(arrivals[2].lifetime, seconds(300));  // The longest of its tasks.
}

TEST(Google2011Tasks, PlacesALargeBatchInPieces) {
  std::string text;
  for (int i = 0; i < 2001; ++i) text += "0,,7," + std::to_string(i) + ",,0,u,0,0,0.1,0.1,0,0\n";
  auto trace =
      NewGoogle2011Tasks(TraceSource::Memory(text, "g.csv"), {.seed = 1, .batch_as_gang = true});
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  const std::vector<Arrival> arrivals = ReadAll(*trace.value());
  ASSERT_EQ(arrivals.size(), 2U);
  EXPECT_EQ(arrivals[0].service.InstanceCount(), 2000U);
  EXPECT_EQ(arrivals[1].service.name, "job-7-2000");
  EXPECT_EQ(arrivals[1].service.InstanceCount(), 1U);
}

TEST(Google2011Tasks, SizesArePartsOfTheLargestMachineRoundedUp) {
  const std::vector<InstanceType> types = OpenTasksSample({})->Types();
  ASSERT_EQ(types.size(), 5U);
  EXPECT_EQ(FormatResources(types[0].size), "1m cpu, 1Mi memory");  // Of 1e-05 and 0.
  EXPECT_EQ(FormatResources(types[1].size), "600m cpu, 4169Mi memory");
  EXPECT_EQ(FormatResources(types[4].size), "6 cpu, 16Gi memory");
}

TEST(Google2011Tasks, EventsAfterTheEndChangeNothing) {
  auto trace = NewGoogle2011Tasks(
      TraceSource::Memory("5,,1,0,,0,u,0,0,0.1,0.1,0,0\n9,,1,0,,4,u,0,0,0.1,0.1,0,0\n"
                          "11,,1,0,,1,u,0,0,0.1,0.1,0,0\n12,,1,0,,5,u,0,0,0.1,0.1,0,0\n",
                          "g.csv"),
      {});
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_EQ(ReadAll(*trace.value()).at(0).lifetime, microseconds(4));
}

TEST(Google2011Tasks, SaysWhatItAssumed) {
  std::string notes;
  for (const std::string& line : OpenTasksSample({})->Notes().lines) notes += line + '\n';
  EXPECT_EQ(notes,
            "22 events: 8 tasks submitted, of 5 sizes and 3 users\n"
            "1 tasks without a size are left out\n"
            "1 events of tasks that were submitted before the file begins are ignored\n"
            "ignored columns: missing info, machine ID, disk space request; updates of requests "
            "are ignored too\n"
            "sizes are fractions of the largest machine, taken as 48 cores and 256 GiB; they are "
            "rounded up\n"
            "a task lasts from its schedule event, or its submission if there is none, to the "
            "event that ends it; without one it stays; submitted again it is another service\n"
            "priorities 9 to 11 are gold, 2 to 8 silver, 0 and 1 bronze; the scheduling class is "
            "the role\n"
            "a user is a tenant; its tasks are services of one instance each, so different "
            "machines for the tasks of a job are not enforced\n");
}

TEST(Google2011Tasks, ImportsTheSameTwice) {
  for (const bool as_gang : {false, true}) {
    const TraceOptions options{.seed = 1, .batch_as_gang = as_gang};
    EXPECT_EQ(Written(*OpenTasksSample(options)), Written(*OpenTasksSample(options)));
  }
}

TEST(Google2011Tasks, RefusesWrongRows) {
  EXPECT_EQ(ErrorInEvents(""), "g.csv:1: there are no events; is this the right file?");
  EXPECT_EQ(ErrorInEvents("1,2\n"),
            "g.csv:1: the row has 2 fields, the format 13; make them as many");
  EXPECT_EQ(ErrorInEvents("time,,100,0,,0,u,3,9,0.1,0.1,0,0\n"),
            "g.csv:1: column 'time': 'time' is not a whole number from 0 to 9223372036854775807; "
            "write one");
  EXPECT_EQ(ErrorInEvents("8,,1,0,,0,u,3,9,0.1,0.1,0,0\n7,,1,0,,4,u,3,9,0.1,0.1,0,0\n"),
            "g.csv:2: column 'time': 7 comes after 8; sort the rows by time");
  EXPECT_EQ(ErrorInEvents("0,,1,0,,9,u,3,9,0.1,0.1,0,0\n"),
            "g.csv:1: column 'event type': '9' is not a whole number from 0 to 8; write one");
  EXPECT_EQ(ErrorInEvents("0,,1,0,,0,u,3,12,0.1,0.1,0,0\n"),
            "g.csv:1: column 'priority': '12' is not a whole number from 0 to 11; write one");
  EXPECT_EQ(ErrorInEvents("0,,1,0,,0,u,3,9,1.5,0.1,0,0\n"),
            "g.csv:1: column 'CPU request': '1.5' is not a number from 0 to 1; write one");
  EXPECT_EQ(ErrorInEvents("0,,1,0,,0," + std::string(129, 'u') + ",3,9,1,0.1,0,0\n"),
            "g.csv:1: column 'user': over 128 letters or the user after 100000 others; is this the "
            "right file?");
}

}  // namespace
}  // namespace berth

#include "sim/qos/rehearsal.h"

#include <gtest/gtest.h>

#include <cmath>

#include "qos/plain_scheduler.h"
#include "sim/qos/generate.h"

namespace berth {
namespace {

using std::chrono::seconds;

Resources Room(std::int64_t parts) {
  Resources room;
  room[Resource::kCpu] = parts;
  room[Resource::kMemory] = parts;
  return room;
}

QosRequest NewRequest(int at, int duration, std::uint32_t klass) {
  QosRequest request;
  request.at = Time(seconds(at));
  request.duration = seconds(duration);
  request.demand = Room(10);
  request.klass = klass;
  return request;
}

const std::vector<QosHost> kOneHost = {{.name = "a", .capacity = Room(10), .attributes = {}}};

QosResult Rehearse(std::vector<QosRequest> requests, QosOptions options, NewScheduler scheduler) {
  options.classes = DefaultFleetSettings().classes;
  HeldQosWorkload workload(std::move(requests));
  auto result = RehearseQos(kOneHost, workload, options, scheduler, [](Time) {});
  EXPECT_TRUE(result.ok());
  return std::move(result).value();
}

// Bronze runs 3 s of start and 97 s of work, yields to gold for 3 + 50 s, starts hot in 2 s and
// works the 103 s that are left.
TEST(QosRehearsal, WorkIsDoneOnceAndStartsTakeTheirTime) {
  const QosResult result =
      Rehearse({NewRequest(0, 200, 2), NewRequest(100, 50, 0)}, {}, FindScheduler("priority"));
  EXPECT_EQ(result.end, Time(seconds(100 + 53 + 2 + 103)));
  EXPECT_EQ(result.unfinished, 0U);
  EXPECT_EQ(result.placements, 3U);
  EXPECT_EQ(result.classes[2].preemptions, 1U);
  // Of 258 s it waited 53 and started again for 2.
  EXPECT_FLOAT_EQ(result.availabilities[0], 203.0F / 258);
  EXPECT_FLOAT_EQ(result.availabilities[1], 1);
}

TEST(QosRehearsal, AHostThatFailsGivesItsWorkBackToTheQueue) {
  QosOptions options;
  options.outages = {{.host = 0, .from = Time(seconds(53)), .until = Time(seconds(80))}};
  const QosResult result = Rehearse({NewRequest(0, 100, 2)}, options, FindScheduler("qos"));
  EXPECT_EQ(result.end, Time(seconds(80 + 2 + 50)));
  EXPECT_EQ(result.classes[2].preemptions, 0U);
}

TEST(QosRehearsal, EndsAlthoughSomeoneNeverFits) {
  QosRequest large = NewRequest(0, 100, 2);
  large.demand = Room(11);
  const QosResult result = Rehearse({large, NewRequest(0, 100, 2)}, {}, FindScheduler("qos"));
  EXPECT_EQ(result.unfinished, 1U);
  EXPECT_EQ(result.classes[2].availability_least, 0);
}

// One host: gold takes all of it, so does silver with 90% and bronze with half; two bronze fit.
TEST(QosRehearsal, AdmissionRefusesWhatWouldBreakAPromise) {
  QosOptions options;
  options.admission = true;
  const QosResult result =
      Rehearse({NewRequest(0, 100, 2), NewRequest(0, 100, 2), NewRequest(10, 100, 2),
                NewRequest(20, 100, 0), NewRequest(1000, 100, 0)},
               options, FindScheduler("qos"));
  EXPECT_EQ(result.classes[2].requests, 2U);
  EXPECT_EQ(result.classes[2].refused, 1U);
  EXPECT_EQ(result.classes[0].requests, 1U);  // When the others are done.
  EXPECT_EQ(result.classes[0].refused, 1U);
  ASSERT_EQ(result.availabilities.size(), 5U);
  EXPECT_TRUE(std::isnan(result.availabilities[2]));
  EXPECT_TRUE(std::isnan(result.availabilities[3]));
  EXPECT_FLOAT_EQ(result.availabilities[4], 1);
}

TEST(QosRehearsal, CountsIntervalsByWhatTheActiveGot) {
  QosOptions options;
  options.until = Time(seconds(1800));
  const QosResult result = Rehearse({NewRequest(0, 10'000, 0), NewRequest(300, 10'000, 2)}, options,
                                    FindScheduler("priority"));
  ASSERT_EQ(result.intervals.size(), 3U);
  EXPECT_EQ(result.intervals[0][0].fulfilled, 1U);
  EXPECT_EQ(result.intervals[0][1].active, 0U);
  EXPECT_EQ(result.intervals[0][2].active, 1U);
  EXPECT_EQ(result.intervals[0][2].least, 0);
}

TEST(QosRehearsal, AGeneratedWorkloadRunsTheSameUnderThePlainScheduler) {
  const QosWorkloadShape shape{.requests = 1'500, .length = std::chrono::hours(12)};
  const auto peak = PeakDemand(*GenerateQosWorkload(shape));
  ASSERT_TRUE(peak.ok());
  const std::vector<QosHost> hosts = GenerateQosHosts(peak.value(), 90, Rng(1));
  QosOptions options;
  options.classes = DefaultFleetSettings().classes;
  options.until = Time(std::chrono::hours(14));
  std::vector<std::uint64_t> unseeds;
  for (const NewScheduler scheduler : {FindScheduler("qos"), &NewPlainQosScheduler}) {
    const auto workload = GenerateQosWorkload(shape);
    const auto result = RehearseQos(hosts, *workload, options, scheduler, [](Time) {});
    ASSERT_TRUE(result.ok());
    unseeds.push_back(result.value().unseed);
    EXPECT_GT(result.value().placements, 1'500U);  // Some were preempted.
  }
  EXPECT_EQ(unseeds[0], unseeds[1]);
}

}  // namespace
}  // namespace berth

#include "qos/standing.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

using std::chrono::seconds;

const Time kNow = TimeFromMicros(1'700'000'000'000'000);

// One that ran and waited for so long, and is in its state since a moment ago.
Instance With(InstanceState state, Duration ran, Duration waited) {
  Instance instance;
  instance.state = state;
  instance.timeline = {.created = kNow - ran - waited, .since = kNow, .ran = ran, .waited = waited};
  if (state == InstanceState::kRunning) instance.machine = MachineId("m");
  instance.limit[Resource::kCpu] = 2000;
  return instance;
}

const ServiceClass& Class(std::string_view name) {
  static const FleetSettings kSettings = DefaultFleetSettings();
  return *kSettings.FindClass(ClassId(name));
}

TEST(Standing, CountsTheTimeSinceTheLastTransition) {
  const Time later = kNow + seconds(3);
  EXPECT_EQ(DeliveredOf(With(InstanceState::kRunning, seconds(5), seconds(1)), later),
            (Delivered{seconds(8), seconds(1)}));
  EXPECT_EQ(DeliveredOf(With(InstanceState::kPending, seconds(5), seconds(1)), later),
            (Delivered{seconds(5), seconds(4)}));
  EXPECT_EQ(DeliveredOf(With(InstanceState::kEnded, seconds(5), seconds(1)), later),
            (Delivered{seconds(5), seconds(1)}));
  // A clock that is behind takes nothing away.
  EXPECT_EQ(DeliveredOf(With(InstanceState::kPending, seconds(5), seconds(1)), kNow - seconds(1)),
            (Delivered{seconds(5), seconds(1)}));
}

TEST(Standing, IsAtRiskWithinTheMargin) {
  // Bronze: 20 s / 50% - 20 s - 9 s = 11 s left, the margin is 10 s.
  const Instance waits = With(InstanceState::kPending, seconds(20), seconds(9));
  const InstanceStanding now = StandingOf(Class("bronze"), waits, kNow);
  EXPECT_EQ(now.standing, Standing::kFulfilled);
  EXPECT_EQ(now.leeway, seconds(11));
  EXPECT_EQ(StandingOf(Class("bronze"), waits, kNow + seconds(1)).standing, Standing::kFulfilled);
  EXPECT_EQ(StandingOf(Class("bronze"), waits, kNow + seconds(2)).standing, Standing::kAtRisk);
  EXPECT_EQ(StandingOf(Class("bronze"), waits, kNow + seconds(11)).standing, Standing::kAtRisk);
  EXPECT_EQ(StandingOf(Class("bronze"), waits, kNow + seconds(12)).standing, Standing::kViolated);
  // Who runs is not at risk: its leeway grows.
  const Instance runs = With(InstanceState::kRunning, seconds(20), seconds(19));
  EXPECT_EQ(StandingOf(Class("bronze"), runs, kNow).standing, Standing::kFulfilled);
}

TEST(Standing, SaysHowLongABrokenPromiseTakesToMend) {
  // 1 s of 5: three more seconds make it 4 of 8.
  const Instance bronze = With(InstanceState::kRunning, seconds(1), seconds(4));
  EXPECT_EQ(StandingOf(Class("bronze"), bronze, kNow).recovers_in, seconds(3));
  EXPECT_EQ(StandingOf(Class("bronze"), bronze, kNow + seconds(3)).standing, Standing::kFulfilled);
  // 8 s of 10 where 90% were promised: ten more make it 18 of 20.
  const Instance silver = With(InstanceState::kRunning, seconds(8), seconds(2));
  EXPECT_EQ(StandingOf(Class("silver"), silver, kNow).recovers_in, seconds(10));
  // Of all of the time nothing is left to mend it with.
  const InstanceStanding gold =
      StandingOf(Class("gold"), With(InstanceState::kRunning, seconds(9), seconds(1)), kNow);
  EXPECT_EQ(gold.standing, Standing::kViolated);
  EXPECT_EQ(gold.recovers_in, std::nullopt);
}

TEST(Standing, OfAClassAddsUp) {
  Inventory view;
  const auto install = [&](Record record) {
    RecordKey key = KeyOf(record);
    view.Install(Update{std::move(key), std::move(record), Revision{1}});
  };
  install(Tenant{.name = TenantId("t"), .quota = {}});
  Service service;
  service.name = "s";
  service.tenant = TenantId("t");
  service.klass = ClassId("bronze");
  install(service);
  const auto add = [&](std::uint32_t number, Duration ran, Duration waited) {
    Instance instance = With(InstanceState::kPending, ran, waited);
    instance.id = {"s", number};
    instance.timeline.preemptions = number;
    install(instance);
  };
  add(0, seconds(100), seconds(10));  // 90 s left.
  add(1, seconds(20), seconds(14));   // 6 s left.
  add(2, seconds(1), seconds(4));     // Broken.
  const std::vector<ClassStanding> standings = ClassStandings(view, kNow);
  ASSERT_EQ(standings.size(), 3U);
  EXPECT_EQ(standings[0].instances, 0U);
  const ClassStanding& bronze = standings[2];
  EXPECT_EQ(bronze.name, ClassId("bronze"));
  EXPECT_EQ(bronze.instances, 3U);
  EXPECT_EQ(bronze.pending, 3U);
  EXPECT_EQ(bronze.fulfilled, 1U);
  EXPECT_EQ(bronze.at_risk, 1U);
  EXPECT_EQ(bronze.violated, 1U);
  EXPECT_EQ(bronze.preemptions, 3U);
  EXPECT_EQ(bronze.next_violation, seconds(6));
  // Half was promised and a fifth given, of five seconds and two cores; below 47.5% all is
  // credited.
  EXPECT_NEAR(bronze.penalty_cpu_hours, 0.3 * 5 / 3600 * 2 * 2, 1e-12);
}

}  // namespace
}  // namespace berth

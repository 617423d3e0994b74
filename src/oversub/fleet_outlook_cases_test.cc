// Cases of who is who: in the estimate an instance keeps its age and its observations, and gives
// them to nobody else.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "fleet/fleet_testing.h"
#include "oversub/fleet_outlook.h"
#include "oversub/tenant_amounts.h"
#include "support/random_fleet.h"

namespace berth {
namespace {

using std::chrono::hours;
using testing::PutInto;

class FleetOutlookCases : public ::testing::Test {
 protected:
  FleetOutlookCases() {
    InstanceType small{
        .name = TypeId("small"), .size = Amounts(1), .skus = {}, .requires_labels = {}};
    PutInto(view_, small);
    PutInto(view_, Tenant{.name = TenantId("acme"), .quota = std::nullopt});
    for (const char* name : {"m0", "m1"}) PutInto(view_, MachineIn(name));
  }

  Instance Arrive(const std::string& service, Time created) {
    PutInto(view_, ServiceOf(service, 1));
    Instance instance = InstanceOf(service, 0, "m0");
    instance.state = InstanceState::kPlaced;
    instance.timeline.created = created;
    PutInto(view_, instance);
    return instance;
  }
  void Leave(const Instance& instance) {
    view_.Install({.key = KeyOf(RecordKind::kService, instance.id.service),
                   .record = std::nullopt,
                   .revision = view_.revision()});
  }
  const HostedTenant& TenantOn(std::string_view machine, const Instance& instance) {
    const auto at = static_cast<std::size_t>(*view_.IndexOf(MachineId(machine)));
    return outlook_.risks().machine(at).tenant(
        TenantKeyOf(instance.id.service, instance.id.number));
  }

  Inventory view_;
  const std::shared_ptr<const TraceLibrary> library_ =
      std::make_shared<const TraceLibrary>(TraceLibrary::Build({}).value());
  FleetOutlook outlook_{library_, std::make_shared<ObservedUsage>(), {.repetitions = 2}};
};

// Rehearsals begin at 0.
TEST_F(FleetOutlookCases, WhoWasCreatedAtTimeZeroKeepsTheAge) {
  Instance instance = Arrive("s0", Time());
  outlook_.Follow(view_, Time(), Duration());
  instance.machine = MachineId("m1");
  PutInto(view_, instance);
  outlook_.Follow(view_, Time(hours(3)), Duration());
  EXPECT_EQ(TenantOn("m1", instance).creation, 0);
}

TEST_F(FleetOutlookCases, ASampleIsOfTheInstanceThatWasThereWhenItWasTaken) {
  const Instance first = Arrive("s0", Time(hours(1)));
  outlook_.Follow(view_, Time(hours(2)), Duration());
  outlook_.Observe(first, Amounts(7), Time(hours(2)));
  Leave(first);
  const Instance next = Arrive("s0", Time(hours(2)));
  outlook_.Follow(view_, Time(hours(2)), Duration());
  EXPECT_EQ(outlook_.KnownAs(next), 0U) << "nothing was seen of it";
  EXPECT_EQ(TenantOn("m0", next).observed_peak, Demand());
  EXPECT_EQ(TenantOn("m0", next).promised, UsageDemand(next.limit));
}

// Two of 6 cpu and 20 GiB on 8 and 32, whose like lived for an hour and took a tenth. What is not
// sampled is held at the limit when no model fits any more, as it is without models.
TEST_F(FleetOutlookCases, WhoOutlivesAllModelsUnseenIsHeldAtTheLimit) {
  DemandModel model;
  model.cpu_p90 = model.cpu_peak = 600;
  model.memory = GrowthTo(2048, 2048, 0);
  model.lifetime = 6;
  const auto past =
      std::make_shared<const TraceLibrary>(TraceLibrary::Build({model}, {"small"}).value());
  FleetOutlook outlook(past, std::make_shared<ObservedUsage>(), {.repetitions = 10});
  std::vector<Instance> pair = {Arrive("s0", Time(hours(1))), Arrive("s1", Time(hours(1)))};
  for (Instance& instance : pair) {
    instance.limit = Amounts(6, 20);
    PutInto(view_, instance);
  }
  const auto violated_at = [&](Time now) {
    outlook.Follow(view_, now, Duration());
    return outlook.risks()
        .machine(static_cast<std::size_t>(*view_.IndexOf(MachineId("m0"))))
        .violations();
  };
  EXPECT_EQ(violated_at(Time(hours(1))), 0U);
  EXPECT_EQ(violated_at(Time(hours(2) - kStepLength)), 0U);
  EXPECT_EQ(violated_at(Time(hours(2) + kStepLength)), 10U);
  EXPECT_EQ(violated_at(Time(hours(2000))), 10U);
  EXPECT_EQ(outlook.unforeseen().held, 2);
  Resources little = Amounts(1);
  little[Resource::kMemory] = -1;  // Not sampled.
  for (const Instance& instance : pair) outlook.Observe(instance, little, Time(hours(2000)));
  EXPECT_EQ(violated_at(Time(hours(2000))), 10U) << "of memory";
  for (const Instance& instance : pair) outlook.Observe(instance, Amounts(1, 1), Time(hours(2001)));
  EXPECT_EQ(violated_at(Time(hours(2001))), 0U);
  // A new limit of what was seen is no new need.
  pair[0].limit = Amounts(8, 32);
  PutInto(view_, pair[0]);
  EXPECT_EQ(violated_at(Time(hours(2001))), 0U);
}

TEST_F(FleetOutlookCases, ANewLimitIsWhatIsHeldOfWhoWasNeverSeen) {
  Instance instance = Arrive("s0", Time(hours(1)));
  outlook_.Follow(view_, Time(hours(2)), Duration());
  instance.limit = Amounts(3, 5);
  PutInto(view_, instance);
  outlook_.Follow(view_, Time(hours(2)), Duration());
  EXPECT_EQ(TenantOn("m0", instance).Held(), UsageDemand(Amounts(3, 5)));
}

TEST_F(FleetOutlookCases, WhoWasLeftOutComesInWhenOthersLeave) {
  std::vector<Instance> all;
  for (std::uint32_t i = 0; i < kTenantsPerMachineMax + 2; ++i) {
    all.push_back(Arrive(fmt::format("s{}", i), Time(hours(1))));
  }
  outlook_.Follow(view_, Time(hours(2)), Duration());
  ASSERT_EQ(outlook_.unforeseen().left_out, 2U);
  const MachineIndex m0 = *view_.IndexOf(MachineId("m0"));
  const Resources usage = outlook_.Usage(m0);
  Leave(all[7]);
  outlook_.Follow(view_, Time(hours(2)), Duration());
  EXPECT_EQ(outlook_.unforeseen().left_out, 1U);
  for (const std::size_t gone : {3U, 2000U, 2047U}) Leave(all[gone]);
  outlook_.Follow(view_, Time(hours(2)), Duration());
  EXPECT_EQ(outlook_.unforeseen().left_out, 0U);
  const auto at = static_cast<std::size_t>(m0);
  EXPECT_EQ(outlook_.risks().machine(at).tenant_count(), kTenantsPerMachineMax - 2);
  EXPECT_EQ(outlook_.Usage(m0)[Resource::kCpu], usage[Resource::kCpu] - 4000);
  // And they stay in their places.
  const Instance one_more = Arrive("one_more", Time(hours(2)));
  outlook_.Follow(view_, Time(hours(2)), Duration());
  EXPECT_EQ(TenantOn("m0", one_more).key, TenantKeyOf("one_more", 0));
}

using FleetOutlookDeathTest = FleetOutlookCases;

TEST_F(FleetOutlookDeathTest, HasNoAnswerForAMachineThatCameSince) {
  outlook_.Follow(view_, Time(), Duration());
  PutInto(view_, MachineIn("m2"));
  const MachineIndex came = *view_.IndexOf(MachineId("m2"));
  EXPECT_DEATH((void)outlook_.Usage(came), "machines_.size()");
  EXPECT_DEATH((void)outlook_.ViolationsOn(came), "machines_.size()");
  outlook_.Follow(view_, Time(), Duration());
  EXPECT_EQ(outlook_.Usage(came), Resources());
  EXPECT_EQ(outlook_.ViolationsOn(came), 0U);
}

}  // namespace
}  // namespace berth

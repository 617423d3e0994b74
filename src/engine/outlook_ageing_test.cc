// Estimates age while nothing is asked: after a step of the traces each machine's is up to date
// within five minutes, and until then it is that of the step before.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/virtual_executor.h"
#include "berth/engine.h"
#include "berth/rng.h"
#include "fleet/fleet_testing.h"
#include "oversub/fleet_outlook.h"
#include "oversub/tenant_amounts.h"
#include "store/memory_store.h"

namespace berth {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;

constexpr std::uint32_t kAgeingFutures = 30;
constexpr int kAgeingMachines = 8;

// Of instances that lived for so many steps at least.
std::shared_ptr<const TraceLibrary> RandomPast(Rng& rng, Step shortest) {
  std::vector<DemandModel> models;
  for (int i = 0; i < 80; ++i) {
    DemandModel model;
    model.lifetime = shortest + static_cast<Step>(rng.Below(100));
    const auto maximum = static_cast<std::uint32_t>(rng.Below(8'000));
    model.memory =
        GrowthTo(maximum / 4, maximum,
                 static_cast<Step>(rng.Below(static_cast<std::uint64_t>(model.lifetime))));
    model.disk = GrowthTo(0, 0, 0);
    model.cpu_p90 = static_cast<std::uint32_t>(rng.Below(2'400));
    model.cpu_peak = model.cpu_p90;
    models.push_back(model);
  }
  return std::make_shared<const TraceLibrary>(
      TraceLibrary::Build(std::move(models), {"small"}).value());
}

class Ageing {
 public:
  Ageing(std::uint64_t seed, Step shortest) : rng_(seed), library_(RandomPast(rng_, shortest)) {
    engine_.Start([](const Status& status) { EXPECT_TRUE(status.ok()) << status.message(); });
    RunFor(Duration());
    Submit(
        ApplyPolicy{fmt::format("oversubscription: {{cpu: 400%, memory: 400%}}\n"
                                "oversub: {{repetitions: {}, held_out: {{per_cluster: 0}}}}\n"
                                "allocate: {{rules: [worst_fit, violation_probability]}}",
                                kAgeingFutures)});
    InstanceType small{
        .name = TypeId("small"), .size = Amounts(2, 4), .skus = {}, .requires_labels = {}};
    ChangeFleet fleet{.put = {Tenant{TenantId("acme"), {}}, small}, .remove = {}};
    for (int i = 0; i < kAgeingMachines; ++i)
      fleet.put.emplace_back(MachineIn(fmt::format("m{}", i)));
    Submit(std::move(fleet));
    for (int i = 0; i < 6 * kAgeingMachines; ++i) {
      Submit(CreateService{ServiceOf(fmt::format("s{}", i), 1)});
      RunFor(minutes(rng_.Below(5)));
    }
  }

  Engine& engine() { return engine_; }
  Time now() const { return executor_.now(); }
  void RunFor(Duration length) { executor_.RunUntil(executor_.now() + length); }
  void RunToNext(Duration multiple) {
    RunFor(multiple - executor_.now().time_since_epoch() % multiple);
  }

  // In how many futures each machine is violated: as the engine has it, and plainly at a step.
  std::vector<std::uint32_t> Kept() {
    const auto& outlook = dynamic_cast<const FleetOutlook&>(*engine_.FollowedOutlook());
    std::vector<std::uint32_t> kept;
    for (std::size_t i = 0; i < kAgeingMachines; ++i) {
      kept.push_back(outlook.risks().machine(i).violations());
    }
    return kept;
  }
  std::vector<std::uint32_t> Plain(Step now) const { return Plain(*library_, now); }
  std::vector<std::uint32_t> Plain(const TraceLibrary& library, Step now) const {
    std::vector<std::vector<HostedTenant>> tenants(kAgeingMachines);
    for (const ServiceState& service : engine_.view().services()) {
      for (const Instance& instance : service.instances) {
        const MachineIndex machine = *engine_.view().IndexOf(instance.machine);
        tenants[static_cast<std::size_t>(machine)].push_back(
            {.key = TenantKeyOf(instance.id.service, instance.id.number),
             .tenant_class = library.ClassNamed("small"),
             .role = TenantRole::kPrimary,
             .creation = StepOf(instance.timeline.created),
             .observed_peak = {},
             .promised = UsageDemand(instance.limit)});
      }
    }
    const Thresholds thresholds = ThresholdsOf(CapacityDemand(Amounts(8, 32)), 950);
    std::vector<std::uint32_t> plain;
    for (const std::vector<HostedTenant>& there : tenants) {
      plain.push_back(CountViolations(library, there, now, thresholds, kAgeingFutures));
    }
    return plain;
  }

 private:
  void Submit(Action action) {
    engine_.Submit({.what = std::move(action)}, [](const Reply& reply) {
      EXPECT_TRUE(reply.accepted()) << reply.status.message();
    });
    RunFor(Duration());
  }

  Rng rng_;
  std::shared_ptr<const TraceLibrary> library_;
  VirtualExecutor executor_{Time(std::chrono::hours(1000))};
  MemoryStore store_;
  Engine engine_{store_, executor_, {.refresh_when_idle = true, .demand = library_}};
};

TEST(OutlookAgeing, EachMachineIsUpToDateWithinFiveMinutes) {
  std::size_t late = 0;
  std::size_t changed = 0;
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    Ageing fleet(seed, 3);
    for (int step = 0; step < 12; ++step) {
      SCOPED_TRACE(fmt::format("seed {}, step {}", seed, step));
      fleet.RunToNext(kStepLength);
      fleet.RunFor(milliseconds(250));  // Two or three machines had their turn.
      const std::vector<std::uint32_t> before = fleet.Plain(StepOf(fleet.now()) - 1);
      const std::vector<std::uint32_t> plain = fleet.Plain(StepOf(fleet.now()));
      const std::vector<std::uint32_t> kept = fleet.Kept();
      for (std::size_t i = 0; i < kept.size(); ++i) {
        EXPECT_TRUE(kept[i] == before[i] || kept[i] == plain[i]) << "machine " << i;
        late += kept[i] != plain[i] ? 1U : 0U;
        changed += before[i] != plain[i] ? 1U : 0U;
      }
      fleet.RunFor(minutes(5));
      EXPECT_EQ(fleet.Kept(), plain);
    }
  }
  EXPECT_GT(changed, 50U);
  EXPECT_GT(late, 10U);
  EXPECT_LT(late, changed);
}

// An epoch is an hour. Nobody outlives what was drawn, so that it is only for the models that
// machines are looked at.
TEST(OutlookAgeing, OtherModelsComeIntoUseMachineByMachine) {
  Rng rng(70);
  std::size_t late = 0;
  constexpr Step kLong = 1'000;
  Ageing fleet(71, kLong);
  for (int epoch = 0; epoch < 6; ++epoch) {
    SCOPED_TRACE(fmt::format("epoch {}", epoch));
    const std::shared_ptr<const TraceLibrary> before = fleet.engine().demand();
    const std::shared_ptr<const TraceLibrary> next = RandomPast(rng, kLong);
    fleet.engine().UseDemand(next);
    fleet.RunToNext(std::chrono::hours(1));
    EXPECT_EQ(fleet.engine().demand(), next);
    fleet.RunFor(milliseconds(250));
    const Step now = StepOf(fleet.now());
    const std::vector<std::uint32_t> old = fleet.Plain(*before, now - 1);
    const std::vector<std::uint32_t> plain = fleet.Plain(*next, now);
    const std::vector<std::uint32_t> kept = fleet.Kept();
    for (std::size_t i = 0; i < kept.size(); ++i) {
      EXPECT_TRUE(kept[i] == old[i] || kept[i] == plain[i]) << "machine " << i;
      late += kept[i] != plain[i] ? 1U : 0U;
    }
    fleet.RunFor(minutes(4));  // By turns, before all that are left have to be.
    EXPECT_EQ(fleet.Kept(), plain);
  }
  EXPECT_GT(late, 10U);
}

}  // namespace
}  // namespace berth

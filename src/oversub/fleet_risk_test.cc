#include "oversub/fleet_risk.h"

#include <gtest/gtest.h>

#include "berth/rng.h"
#include "oversub/slow_reference_testing.h"

namespace berth {
namespace {

using testing::ModelsOf;
using testing::RandomSlowTraces;
using testing::RandomTenant;

// The same life with room for all profiles, for two, for none.
TEST(FleetRisk, AnswersTheSameWithFewProfiles) {
  constexpr std::size_t kMachines = 6;
  constexpr std::uint32_t kRepetitions = 20;
  Rng rng(11);
  const auto traces = RandomSlowTraces(rng, 100, 40, 2);
  const auto library = TraceLibrary::Build(ModelsOf(traces)).value();
  std::vector<FleetRisk> fleets;
  for (const std::size_t profiles_max : {kMachines, std::size_t{2}, std::size_t{0}}) {
    fleets.emplace_back(library, FleetRiskOptions{kRepetitions, profiles_max});
    for (std::size_t i = 0; i < kMachines; ++i) {
      fleets.back().AddMachine(ThresholdsOf(Demand(150'000, 400'000, 400'000), 950));
    }
  }
  std::vector<std::vector<HostedTenant>> tenants(kMachines);
  Step now = 500;
  std::uint32_t close = 0;
  for (int step = 0; step < 400; ++step) {
    const std::size_t machine = rng.Below(kMachines);
    now += static_cast<Step>(rng.Below(2));
    for (FleetRisk& fleet : fleets) {
      for (std::size_t i = 0; i < kMachines; ++i) fleet.Advance(i, now);
    }
    std::vector<HostedTenant>& there = tenants[machine];
    if (there.size() < 5 || rng.Below(8 - std::min<std::size_t>(there.size(), 7))) {
      there.push_back(RandomTenant(rng, traces, now));
      for (FleetRisk& fleet : fleets) fleet.Insert(machine, there.back());
    } else {
      for (FleetRisk& fleet : fleets) fleet.Remove(machine, there.back().key);
      there.pop_back();
    }
    if (!there.empty()) {
      const Demand seen(static_cast<std::uint32_t>(rng.Below(20'000)),
                        static_cast<std::uint32_t>(rng.Below(60'000)), 0);
      there.front().observed_peak = Greater(there.front().observed_peak, seen);
      there.front().promised = {0, 0, there.front().promised[DemandResource::kDisk]};
      for (FleetRisk& fleet : fleets) fleet.Observe(machine, there.front());
    }
    const Newcomer newcomer(library, {}, {}, static_cast<std::uint64_t>(step),
                            Newcomer::Arrival::At(now), kRepetitions);
    for (std::size_t i = 0; i < kMachines; ++i) {
      const Risk all = fleets[0].Score(i, newcomer);
      close += all.after != all.before ? 1 : 0;
      for (FleetRisk& fleet : fleets) {
        const Risk risk = fleet.Score(i, newcomer);
        ASSERT_EQ(risk.before, all.before);
        ASSERT_EQ(risk.after, all.after);
        ASSERT_LE(fleet.machine(i).DueAt(), fleets[0].machine(i).DueAt());
      }
    }
  }
  EXPECT_GT(close, 100U);
  EXPECT_GT(fleets[0].bytes(), fleets[1].bytes());
  EXPECT_EQ(fleets[1].bytes(), fleets[2].bytes()) << "too many machines for two profiles";
}

// What 10,000 machines of 100 tenants and 100 repetitions come to: all but the profiles grows with
// the machines, the profiles do not.
TEST(FleetRisk, HoldsTenThousandMachinesInAGigabyte) {
  Rng rng(12);
  const auto traces = RandomSlowTraces(rng, 1'000, 5'000, 2);
  const auto library = TraceLibrary::Build(ModelsOf(traces)).value();
  FleetRisk fleet(library, {});
  fleet.AddMachine(ThresholdsOf(Demand(80'000, 417'792, 5'000'000), 950));
  fleet.Advance(0, 10'000);
  for (int i = 0; i < 100; ++i) fleet.Insert(0, RandomTenant(rng, traces, 10'000));
  const std::size_t machine = fleet.machine(0).bytes();
  const std::size_t profile = fleet.bytes() - machine;
  EXPECT_LT(10'000 * machine + FleetRiskOptions().profiles_max * profile, 1'000'000'000U);
}

}  // namespace
}  // namespace berth

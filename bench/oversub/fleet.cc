// What a fleet's risk takes in memory, and what a machine without a profile costs.
#include <fmt/format.h>

#include "bench/bar.h"
#include "bench/oversub/suites.h"
#include "bench/oversub/tenants.h"
#include "oversub/fleet_risk.h"

namespace berth {

void RunFleet(bool full) {
  const PopulationRegion& region = PopulationRegions().front();
  constexpr std::size_t kTenants = 100;
  const std::size_t machines = full ? 10'000 : 500;
  Rng rng(6);
  const TraceLibrary library = GeneratedLibrary(region, 20'000, rng);
  std::vector<HostedTenant> met;
  while (met.size() < 1'000) met.push_back(TenantMet(region, kBenchStart, rng));

  FleetRisk fleet(library, {});
  const double filled_us = Timed_us([&] {
    for (std::size_t i = 0; i < machines; ++i) {
      fleet.AddMachine(ThresholdsOf(Demand(80'000, 417'792, 4'768'372), 950));
      fleet.Advance(i, kBenchStart);
      for (std::size_t j = 0; j < kTenants; ++j) {
        HostedTenant tenant = met[rng.Below(met.size())];
        tenant.key = rng.Next();
        fleet.Insert(i, tenant);
      }
    }
  });
  Step now = kBenchStart;
  const double aged_us = Timed_us([&] {
    for (; now < kBenchStart + 6; ++now) {
      for (std::size_t i = 0; i < machines; ++i) fleet.Advance(i, now + 1);
    }
  });
  // So many machines have no profiles.
  constexpr std::size_t kTouched = 100;
  const double missed_us = Timed_us([&] {
    for (std::size_t i = 0; i < kTouched; ++i) {
      fleet.Insert(i, NewTenant(region, now, rng));
    }
  });
  const double megabytes = static_cast<double>(fleet.bytes()) / 1e6;
  fmt::print(
      "{} machines, {} tenants each: {:.1f} us an insertion while filling, {:.1f} us when full, "
      "{:.1f} us a machine's ageing by a step, {:.0f} MB\n",
      machines, kTenants, filled_us / static_cast<double>(machines * kTenants),
      missed_us / kTouched, aged_us / static_cast<double>(6 * machines), megabytes);
  if (full) PrintBar("oversub.fleet_megabytes", megabytes, "<=", 1'000);
}

}  // namespace berth

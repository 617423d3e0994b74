#include "oversub/fleet_balance.h"

#include <gtest/gtest.h>

#include "fleet/fleet_testing.h"

namespace berth {
namespace {

// Two machines in each of two rows of two clusters of two datacenters, and on each an instance of a
// service that must stay within the scope.
FleetBalance BalanceWithin(Scope scope) {
  World world;
  const auto on = [](int i) { return "n" + std::to_string(i); };
  for (int i = 0; i < 16; ++i) {
    Machine machine = MachineIn(on(i), "k" + std::to_string(i));
    machine.datacenter = DatacenterId("d" + std::to_string(i / 8));
    machine.cluster = ClusterId("x" + std::to_string(i / 4));
    machine.row = RowId("w" + std::to_string(i / 2 % 2));
    world.Do({Put{machine}});
    Service service = ServiceOf("s" + std::to_string(i), 1);
    service.constraints.within = scope;
    world.Do(Create(service, {on(i)}, 1));
  }
  const TraceLibrary none = TraceLibrary::Build({}).value();
  return BalanceOf(world.inventory(), {}, Newcomers(none, OversubPolicy{}));
}

TEST(FleetBalance, HasOneReachForAllOfARowAClusterOrADatacenter) {
  const struct {
    Scope within;
    std::size_t reaches;
    std::ptrdiff_t machines;
  } cases[] = {{Scope::kZone, 1, 19},
               {Scope::kDatacenter, 2, 8},
               {Scope::kCluster, 4, 4},
               {Scope::kRow, 8, 2}};
  for (const auto& [within, reaches, machines] : cases) {
    const FleetBalance balance = BalanceWithin(within);
    EXPECT_EQ(balance.problem.reaches.size(), reaches);
    ASSERT_EQ(balance.problem.replicas.size(), 16U);
    for (const BalanceReplica& replica : balance.problem.replicas) {
      const std::vector<bool>& reach = balance.problem.reaches[replica.reach];
      EXPECT_EQ(std::ranges::count(reach, true), machines);
      EXPECT_TRUE(reach[replica.machine]);
    }
  }
}

}  // namespace
}  // namespace berth

#include "traces/generate_zone.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

namespace berth {
namespace {

FleetFile CheckedZone(std::uint32_t machines) {
  Result<FleetFile> zone = GenerateZone({.machines = machines, .name = "z"});
  EXPECT_TRUE(zone.ok()) << zone.status().message();
  return std::move(zone).value();
}

std::map<ClusterId, std::vector<Machine>> ByCluster(const FleetFile& zone) {
  std::map<ClusterId, std::vector<Machine>> clusters;
  for (const Machine& machine : zone.machines) clusters[machine.cluster].push_back(machine);
  return clusters;
}

TEST(GenerateZone, HasTheGenerationsOfTable1) {
  const FleetFile zone = CheckedZone(61'583);
  std::map<std::pair<SkuId, std::int64_t>, int> machines;
  for (const Machine& machine : zone.machines) {
    ++machines[{machine.sku, machine.capacity[Resource::kCpu] / 1000}];
  }
  EXPECT_EQ(machines, (std::map<std::pair<SkuId, std::int64_t>, int>{{{SkuId("gen3"), 10}, 7295},
                                                                     {{SkuId("gen4"), 24}, 34'208},
                                                                     {{SkuId("gen5"), 40}, 18'016},
                                                                     {{SkuId("gen6"), 48}, 2064}}));
}

TEST(GenerateZone, HasHomogeneousClustersOfAboutAThousandInLargeZones) {
  const auto clusters = ByCluster(CheckedZone(100'000));
  EXPECT_GE(clusters.size(), 95U);
  EXPECT_LE(clusters.size(), 110U);
  for (const auto& [name, machines] : clusters) {
    EXPECT_GE(machines.size(), 900U);
    EXPECT_LE(machines.size(), 1200U);
    std::set<std::tuple<SkuId, DatacenterId>> kinds;
    for (const Machine& machine : machines) kinds.emplace(machine.sku, machine.datacenter);
    EXPECT_EQ(kinds.size(), 1U) << name.str();
  }
}

TEST(GenerateZone, HasSeveralClustersAndRacksOfTwentyInSmallZones) {
  const FleetFile zone = CheckedZone(2000);
  EXPECT_EQ(zone.machines.size(), 2000U);
  EXPECT_EQ(ByCluster(zone).size(), 13U);
  std::map<std::tuple<DatacenterId, ClusterId, RowId, RackId>, int> racks;
  std::set<DatacenterId> datacenters;
  for (const Machine& machine : zone.machines) {
    ++racks[{machine.datacenter, machine.cluster, machine.row, machine.rack}];
    datacenters.insert(machine.datacenter);
  }
  EXPECT_EQ(datacenters.size(), 2U);
  for (const auto& [path, machines] : racks) {
    EXPECT_LE(machines, 20);
    EXPECT_GE(machines, 15);
  }
}

TEST(GenerateZone, ReadsBackFromItsFile) {
  for (const std::uint32_t machines : {1U, 7U, 45U, 2000U}) {
    const FleetFile zone = CheckedZone(machines);
    EXPECT_EQ(zone.machines.size(), machines);
    const Result<FleetFile> read = ParseFleetFile(FormatFleetFile(zone), "z.yaml");
    ASSERT_TRUE(read.ok()) << read.status().message();
    EXPECT_EQ(read.value(), zone);
  }
}

TEST(GenerateZone, RefusesWhatItCannotBe) {
  EXPECT_EQ(GenerateZone({.machines = 0, .name = "z"}).status().message(),
            "a zone of 0 machines; ask for 1 to 1,000,000");
  EXPECT_EQ(GenerateZone({.machines = 1, .name = "a b"}).status().message(),
            "zone 'a b' is not a name; write 1 to 128 letters, digits, '.', '_' and '-'");
}

}  // namespace
}  // namespace berth

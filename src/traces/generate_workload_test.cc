#include "traces/generate_workload.h"

#include <gtest/gtest.h>

#include <set>

#include "support/traces.h"
#include "traces/generate_zone.h"

namespace berth {
namespace {

FleetFile Zone(std::uint32_t machines) {
  return GenerateZone({.machines = machines, .name = "z"}).value();
}

std::unique_ptr<Trace> Workload(const FleetFile& fleet, const WorkloadOptions& options) {
  auto trace = GenerateWorkload(fleet, options);
  EXPECT_TRUE(trace.ok()) << trace.status().message();
  return std::move(trace).value();
}

std::uint64_t Fnv1a(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char byte : text) {
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3ULL;
  }
  return hash;
}

TEST(GenerateWorkload, IsTheSameForASeedOnEveryCompiler) {
  const auto trace = Workload(Zone(100), {.seed = 42});
  EXPECT_EQ(Fnv1a(Written(*trace)), 958524316864917181U);
}

TEST(GenerateWorkload, DiffersBetweenSeeds) {
  const FleetFile zone = Zone(20);
  EXPECT_EQ(Written(*Workload(zone, {.seed = 1})), Written(*Workload(zone, {.seed = 1})));
  EXPECT_NE(Written(*Workload(zone, {.seed = 1})), Written(*Workload(zone, {.seed = 2})));
}

TEST(GenerateWorkload, ReadsBackFromItsFile) {
  const FleetFile zone = Zone(20);
  const std::string written = Written(*Workload(zone, {.seed = 7}));
  auto read = NewBerthTrace(TraceSource::Memory(written, "t.csv"), {});
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(ReadAll(*read.value()), ReadAll(*Workload(zone, {.seed = 7})));
}

TEST(GenerateWorkload, KeepsOrderAndLength) {
  const auto trace = Workload(Zone(50), {.seed = 3, .length = std::chrono::hours(30)});
  std::set<std::string> names;
  Time last;
  for (const Arrival& arrival : ReadAll(*trace)) {
    EXPECT_GE(arrival.at, last);
    last = arrival.at;
    EXPECT_TRUE(names.insert(arrival.service.name).second) << arrival.service.name;
    EXPECT_GT(arrival.lifetime.value(), Duration(0));
  }
  EXPECT_LT(last, Time(std::chrono::hours(30)));
  EXPECT_GT(last, Time(std::chrono::hours(29)));
}

TEST(GenerateWorkload, BeginsEmptyIfAsked) {
  const std::vector<Arrival> arrivals =
      ReadAll(*Workload(Zone(50), {.seed = 3, .start_full = false}));
  ASSERT_FALSE(arrivals.empty());
  EXPECT_GT(arrivals[0].at, Time());
  EXPECT_EQ(arrivals[0].service.name, "s1");
}

TEST(GenerateWorkload, OffersOnlyWhatFitsOnAFleetOfOthersMaking) {
  FleetFile fleet;
  fleet.skus.push_back({.name = SkuId("small"), .capacity = {}, .labels = {}});
  fleet.skus[0].capacity[Resource::kCpu] = 8000;
  fleet.skus[0].capacity[Resource::kMemory] = std::int64_t{32} << 30;
  fleet.machines = LayOut({.name = ClusterId("c1"),
                           .datacenter = DatacenterId("dc1"),
                           .machines = 10,
                           .racks = 1,
                           .labels = {}},
                          fleet.skus[0]);
  const auto trace = Workload(fleet, {.seed = 1});
  for (const InstanceType& type : trace->Types()) {
    EXPECT_TRUE(type.size.FitsIn(fleet.skus[0].capacity)) << type.name.str();
    EXPECT_TRUE(type.skus.empty()) << type.name.str();
  }
  EXPECT_GT(trace->Types().size(), 20U);
  EXPECT_TRUE(trace->Next().value()->service.tenant.str().starts_with("tenant-"));
}

TEST(GenerateWorkload, RefusesWhatItCannotMake) {
  const auto error = [](const FleetFile& fleet, const WorkloadOptions& options) {
    return GenerateWorkload(fleet, options).status().message();
  };
  EXPECT_EQ(error({}, {}),
            "the fleet has no machine that a VM fits on; add machines of a core and 1Gi");
  EXPECT_EQ(error(Zone(5), {.fill_percent = 0}), "0% of the cores; ask for 1 to 200%");
  EXPECT_EQ(error(Zone(5), {.length = Duration(0)}),
            "a workload of 0s; ask for more than nothing and up to 100 years");
}

}  // namespace
}  // namespace berth

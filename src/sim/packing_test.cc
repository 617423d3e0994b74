#include "sim/packing.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "berth/rng.h"
#include "sim/packing_testing.h"

namespace berth {
namespace {

using testing::At;
using testing::Rehearse;

constexpr std::string_view kFleet = R"(
zone: z
skus: [{name: s, cpu: 8, memory: 32Gi}]
types:
  - {name: small, cpu: 1, memory: 4Gi}
  - {name: large, cpu: 6, memory: 8Gi}
clusters: [{name: c, datacenter: d, sku: s, machines: 4, racks: 2}]
)";

PackingResult Simulate(const std::vector<Arrival>& arrivals, std::uint32_t agents = 1) {
  PackingOptions options;
  options.agents = agents;
  options.sample_every = std::chrono::seconds(10);
  return Rehearse(kFleet, arrivals, options);
}

TEST(Packing, MeasuresAHandMadeDay) {
  // Two large ones cannot share a machine, the fifth finds none; the small one joins a large one.
  const PackingResult result =
      Simulate({At(0, "a", "large", std::nullopt), At(1, "b", "large", 14),
                At(2, "c", "large", std::nullopt), At(3, "d", "large", std::nullopt),
                At(4, "e", "large", std::nullopt), At(5, "f", "small", std::nullopt),
                At(25, "g", "small", std::nullopt)});
  EXPECT_EQ(result.requests.asked, 7U);
  EXPECT_EQ(result.requests.accepted, 6U);
  EXPECT_EQ(result.departures, 1U);
  EXPECT_EQ(result.requests.refusals, (std::map<std::string, std::uint64_t>{{"fits", 1}}));
  ASSERT_GE(result.samples.size(), 2U);
  // At 10 s: four large and a small, 25 of 32 cores, no machine empty.
  EXPECT_DOUBLE_EQ(result.samples[0].utilisation, 25.0 / 32);
  EXPECT_DOUBLE_EQ(result.samples[0].density, 25.0 / 32);
  EXPECT_EQ(result.samples[0].machines_in_use, 4U);
  // At 20 s b has left: either its machine is empty, or f keeps it in use.
  EXPECT_DOUBLE_EQ(result.samples[1].utilisation, 19.0 / 32);
  EXPECT_EQ(result.samples[1].instances, 4U);
}

TEST(Packing, EndsOnTheSameUnseedEveryTime) {
  Rng rng(5);
  std::vector<Arrival> arrivals;
  for (int i = 0; i < 200; ++i) {
    arrivals.push_back(At(i, fmt::format("s{}", i), rng.Below(3) == 0 ? "large" : "small",
                          static_cast<std::int64_t>(rng.Below(60) + 1)));
  }
  const PackingResult once = Simulate(arrivals, 3);
  const PackingResult again = Simulate(arrivals, 3);
  EXPECT_EQ(once.unseed, again.unseed);
  EXPECT_EQ(once.requests.asked, 200U);
  std::uint64_t refused = 0;
  for (const auto& [rule, count] : once.requests.refusals) refused += count;
  EXPECT_EQ(once.requests.accepted + refused, once.requests.asked);

  std::swap(arrivals[10].service.groups[0].type, arrivals[11].service.groups[0].type);
  arrivals[12].service.name = "other";
  EXPECT_NE(Simulate(arrivals, 3).unseed, once.unseed);
}

TEST(Packing, CountsWhatCannotBePlacedUnderItsReason) {
  const PackingResult result = Simulate({At(0, "a", "unheard-of", 5), At(1, "b", "small", 5)});
  EXPECT_EQ(result.requests.asked, 2U);
  EXPECT_EQ(result.requests.accepted, 1U);
  ASSERT_EQ(result.requests.refusals.size(), 1U);
  EXPECT_NE(result.requests.refusals.begin()->first.find("there is no type unheard-of"),
            std::string::npos);
}

// It would go on for as long as anybody waits.
TEST(Packing, RefusesAPolicyThatNamesAScheduler) {
  const Result<FleetFile> fleet = ParseFleetFile(kFleet, "fleet");
  ASSERT_TRUE(fleet.ok()) << fleet.status().message();
  testing::ListTrace trace({At(0, "a", "small", 10)});
  PackingOptions options;
  options.policy = "name: p\nscheduler: qos\n";
  const Result<PackingResult> result = SimulatePacking(fleet.value(), trace, options, nullptr);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(
      result.status().message(),
      "policy:2:12: scheduler: packing is rehearsed first come, first served; leave it out, or "
      "use berth simulate qos");
  options.policy = "name: p\n";
  EXPECT_TRUE(SimulatePacking(fleet.value(), trace, options, nullptr).ok());
}

}  // namespace
}  // namespace berth

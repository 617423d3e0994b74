#include "report/packing_report.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "report/html.h"
#include "report/json.h"
#include "traces/generate_workload.h"
#include "traces/generate_zone.h"

namespace berth {
namespace {

Report Rehearse(const LatencyModel& latency, std::uint64_t seed) {
  const Result<FleetFile> fleet = GenerateZone({.machines = 60});
  EXPECT_TRUE(fleet.ok());
  auto trace = GenerateWorkload(fleet.value(), {.seed = seed, .length = std::chrono::hours(3)});
  EXPECT_TRUE(trace.ok());
  PackingOptions options;
  options.agents = 3;
  options.until = std::chrono::hours(3);
  options.speed_up = 50;
  options.latency = latency;
  options.refresh_when_idle = true;
  options.seed = seed;
  Result<PackingResult> result = SimulatePacking(fleet.value(), *trace.value(), options, nullptr);
  EXPECT_TRUE(result.ok()) << result.status().message();
  return PackingReport(result.value(),
                       {.fleet = "f", .trace = "t", .policy = "p", .command = "c", .seed = seed});
}

constexpr LatencyModel kLight{.hit = std::chrono::milliseconds(14),
                              .miss = std::chrono::milliseconds(88),
                              .commit = std::chrono::milliseconds(2),
                              .hits_per_million = 900'000};

TEST(PackingReport, IsTheSameToTheByteForTheSameSeed) {
  const Report once = Rehearse(kLight, 4);
  const Report again = Rehearse(kLight, 4);
  EXPECT_TRUE(Validate(once).ok()) << Validate(once).message();
  EXPECT_EQ(ToJson(once), ToJson(again));
  EXPECT_EQ(ToHtml(std::span(&once, 1)), ToHtml(std::span(&again, 1)));
  EXPECT_NE(ToJson(once), ToJson(Rehearse(kLight, 5)));
}

TEST(PackingReport, TellsTimesOnlyWhereAnythingTakesTime) {
  const auto tells_times = [](const Report& report) {
    return std::ranges::any_of(
        report.tables, [](const Table& table) { return table.title == "How long answers took"; });
  };
  EXPECT_TRUE(tells_times(Rehearse(kLight, 4)));
  EXPECT_FALSE(tells_times(Rehearse({}, 4)));
}

}  // namespace
}  // namespace berth

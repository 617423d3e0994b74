// How much density the three buckets of the production policy cost against best fit as exact as
// points go, on the public Azure arrivals.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "allocate/policy.h"
#include "bench/allocate/suites.h"
#include "bench/bar.h"
#include "berth/check.h"
#include "sim/packing.h"
#include "traces/generate_zone.h"
#include "traces/open.h"

namespace berth {
namespace {

// How much of the trace on how large a zone: the arrivals of the last hours, which are counted,
// fill 80 to 90% of the cores at their height.
struct Size {
  std::uint32_t machines;
  int hours;
  int warm_up_hours;
};
constexpr Size kQuick{.machines = 760, .hours = 30, .warm_up_hours = 15};
constexpr Size kWhole{.machines = 3300, .hours = 24 * 7, .warm_up_hours = 90};

// BERTH_DATA_DIR, or ../shared/data beside the source.
std::string AzureFile() {
  const char* given = std::getenv("BERTH_DATA_DIR");  // NOLINT(concurrency-mt-unsafe)
  const std::filesystem::path folder =
      given != nullptr ? std::filesystem::path(given)
                       : std::filesystem::path(BERTH_BINARY_DIR) / "../../../shared/data";
  return (folder / "azure_v1_vm_arrivals" / "azure_v1_days20.8_26.4_with_lifetimes.csv.gz")
      .lexically_normal()
      .string();
}

// The production policy, its best fit told apart so finely; 0: as exactly as points go.
std::string ProductionPolicy(int buckets) {
  const auto policies = ShippedPolicies();
  std::string text(std::ranges::find(policies, "production", &ShippedPolicyEntry::name)->text);
  const std::string_view shipped = "best_fit: {buckets: 3, ";
  const std::size_t at = text.find(shipped);
  BERTH_CHECK(at != std::string::npos);
  return text.replace(
      at, shipped.size(),
      buckets == 0 ? "best_fit: {" : fmt::format("best_fit: {{buckets: {}, ", buckets));
}

PackingResult Rehearse(const std::string& file, const Size& size, int buckets) {
  auto trace = OpenTrace("azure_v1:" + file, {});
  BERTH_CHECK(trace.ok());
  const Result<FleetFile> fleet = GenerateZone({.machines = size.machines});
  BERTH_CHECK(fleet.ok());
  PackingOptions options;
  options.policy = ProductionPolicy(buckets);
  options.until = std::chrono::hours(size.hours);
  options.warm_up = std::chrono::hours(size.warm_up_hours);
  Result<PackingResult> result = SimulatePacking(fleet.value(), *trace.value(), options, nullptr);
  BERTH_CHECK(result.ok());
  const PackingMeans& means = result.value().means;
  fmt::print(
      "  {:<11} density {:.2f}% (by volume at most {:.2f}%), {:.1f} machines in use (by volume at "
      "least {:.1f}), cores {:.1f}% allocated, at most {:.1f}%, {} of {} requests refused\n",
      buckets == 0 ? "unquantized" : fmt::format("{} buckets", buckets), 100 * means.density,
      100 * means.density_bound, means.machines_in_use, means.machines_bound,
      100 * means.utilisation, 100 * means.peak_utilisation,
      result.value().requests.asked - result.value().requests.accepted,
      result.value().requests.asked);
  std::fflush(stdout);
  return std::move(result).value();
}

}  // namespace

void RunDensity(bool full) {
  const std::string file = AzureFile();
  const Size& size = full ? kWhole : kQuick;
  fmt::print("\nDensity on the Azure arrivals, production policy, {} machines, hours {} to {}\n",
             size.machines, size.warm_up_hours, full ? "the end" : fmt::format("{}", size.hours));
  if (!std::filesystem::exists(file)) {
    fmt::print("skipped: {} is not there; set BERTH_DATA_DIR to the data folder\n", file);
    return;
  }
  const PackingResult quantized = Rehearse(file, size, 3);
  const PackingResult exact = Rehearse(file, size, 0);
  PrintBar("allocate.density_3_buckets_points_below",
           100 * (exact.means.density - quantized.means.density), "<=", 3);
}

}  // namespace berth

#include "bench/rightsize/frontier.h"

#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "base/parallel.h"
#include "bench/bar.h"
#include "berth/check.h"
#include "sim/rightsizing/frontier.h"
#include "sim/rightsizing/rehearse.h"
#include "sim/rightsizing/split.h"

namespace berth {
namespace {

constexpr const char* kUsage = "build/autopilot/usage.csv.gz";
constexpr const char* kSplit = "docs/experiments/autopilot/split.yaml";

SizingTotals HeldOut(const std::vector<ServiceUsage>& services, const SizingSplit& split,
                     std::string_view recommender, const Sized& kind) {
  const RecommenderEntry entry = FindRecommender(recommender).value();
  std::vector<std::vector<SizingDay>> days(services.size());
  ForEachInParallel(services.size(), CoreCount(), [&](std::size_t i) {
    if (!split.IsHeldOut(services[i].service) || !IsUsed(services[i], kind.resource)) return;
    days[i] = RehearseSizing(services[i], kind.resource, *entry.make(kind));
    std::erase_if(days[i], [&](const SizingDay& day) {
      return !split.Scores(SizingPart::kHeldOut, services[i].service, day.number);
    });
  });
  return SumUp(days);
}

// Of cpu the share of what was used above the limit, of memory kills a task-day.
FrontierPoint PointOf(const SizingTotals& totals, Resource resource) {
  return {.slack = 100 * totals.slack_mean,
          .above = resource == Resource::kCpu ? 100 * totals.share_used_above
                                              : totals.above_per_task_day};
}

void PrintPoint(std::string_view name, const SizingTotals& totals) {
  fmt::print("  {:26} {:8.2f} {:14.4f} {:10.4f}\n", name, 100 * totals.slack_mean,
             100 * totals.share_used_above, totals.above_per_task_day);
}

void RunFrontierOf(Resource resource, const std::vector<ServiceUsage>& services,
                   const SizingSplit& split) {
  const bool cpu = resource == Resource::kCpu;
  fmt::print("{}, held-out part        slack %   used above %   above a task-day\n",
             cpu ? "cpu" : "memory");
  std::vector<FrontierPoint> others;
  const auto peer = [&](std::string_view name, std::string_view recommender, const Sized& kind) {
    const SizingTotals totals = HeldOut(services, split, recommender, kind);
    PrintPoint(name, totals);
    others.push_back(PointOf(totals, resource));
  };
  const Sized usual{.resource = resource};
  peer("vpa", "vpa", usual);
  peer("krr", "krr", usual);
  if (cpu) {
    peer("window, p90 of the load", "window", {.cpu = CpuKind::kServing});
    peer("window, p95 of the load", "window", {.cpu = CpuKind::kLatencySensitive});
  } else {
    peer("window, peak", "window", {.resource = resource, .oom = OomTolerance::kMinimal});
    peer("window, p98 of the load", "window", {.resource = resource, .oom = OomTolerance::kLow});
  }
  const std::vector<FrontierPoint> hull = LowerHull(others);
  for (const std::string_view name : {"ensemble", "weighed_ensemble"}) {
    const SizingTotals totals = HeldOut(services, split, name, usual);
    PrintPoint(name, totals);
    const FrontierPoint point = PointOf(totals, resource);
    const std::optional<double> line = HullAt(hull, point.slack);
    // Beyond its ends the line says nothing.
    if (!line || point.slack > hull.back().slack) {
      fmt::print("  {} has {} slack than any of the line\n", name, line ? "more" : "less");
      continue;
    }
    // Times what the line has at the same slack.
    PrintBar(fmt::format("frontier_{}_{}", cpu ? "cpu" : "memory", name), point.above / *line,
             "<=", 1);
  }
}

}  // namespace

void RunFrontier() {
  if (!std::filesystem::exists(kUsage)) {
    fmt::print("frontier: {} is not here; `scripts/experiments/autopilot usage` writes it\n",
               kUsage);
    return;
  }
  const auto services = ReadServiceUsage(LineReader::Open(kUsage).value());
  const auto split = ReadSizingSplit(kSplit);
  BERTH_CHECK(services.ok() && split.ok());
  for (const Resource resource : {Resource::kCpu, Resource::kMemory}) {
    RunFrontierOf(resource, services.value(), split.value());
  }
}

}  // namespace berth

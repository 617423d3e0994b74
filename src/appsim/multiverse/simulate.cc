#include "appsim/multiverse/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>

#include "appsim/multiverse/region_run.h"
#include "base/parallel.h"
#include "base/text.h"

namespace berth::multiverse {
namespace {

Status Unsimulable(std::string what) { return {Code::kInvalidArgument, std::move(what)}; }

Status CheckMetricGroup(const MetricGroupSpec& group) {
  if (group.category == "learning") {
    return Unsimulable(
        "the policy learns by a trained model, which is not among the files; choose another "
        "alternative with --policy");
  }
  if (group.target_metric == "load") {
    return Unsimulable("a target for the load is not simulated; use a target of another metric");
  }
  for (const MetricSpec& metric : group.metrics) {
    if (metric.forecaster != "reactive") {
      return Unsimulable(
          fmt::format("the forecaster {} is not simulated, only reactive; choose another "
                      "alternative with --policy",
                      Quoted(metric.forecaster)));
    }
    if (metric.filter != "defaultNA") {
      return Unsimulable(
          fmt::format("the filter {} is not simulated, only defaultNA", Quoted(metric.filter)));
    }
    if (metric.related) return Unsimulable("metrics of related services are not simulated");
  }
  return {};
}

std::uint64_t StepsOf(const RunSpec& run) {
  return static_cast<std::uint64_t>(run.length / run.step) + 1;
}

}  // namespace

Status CheckSimulable(const SimulationSet& set, const RunSpec& run, const Quirks& quirks) {
  if (StepsOf(run) > kSetStepsMax) {
    return Unsimulable(
        fmt::format("that are more than {} steps; simulate less time or use a "
                    "wider --step",
                    FormatCount(kSetStepsMax)));
  }
  if (!set.faults.empty()) return Unsimulable("fault models are not simulated; leave it out");
  for (std::size_t s = 0; s < set.application.services.size(); ++s) {
    for (const MetricGroupSpec& group : set.policy.services[s].groups) {
      BERTH_RETURN_IF_ERROR(CheckMetricGroup(group));
    }
    const ServiceSpec& service = set.application.services[s];
    if (quirks.Has(Quirk::kPlacesByLimits) && !service.limits) {
      return Unsimulable(
          fmt::format("the service {} has no limits, and the original never ends when it places "
                      "such instances; give it limits, or --quirk places_by_limits=off",
                      Quoted(service.name)));
    }
  }
  return {};
}

Result<RunResult> SimulateSet(const SimulationSet& set, const RunSpec& run, const Quirks& quirks,
                              std::uint64_t seed) {
  BERTH_RETURN_IF_ERROR(CheckSimulable(set, run, quirks));
  const Rng rng(seed);
  const Duration bucket = set.load.bucket.value_or(run.step);
  std::vector<RegionRun> regions;
  regions.reserve(set.regions.size());
  for (std::size_t region = 0; region < set.regions.size(); ++region) {
    Rng own = rng.Fork(set.regions[region]);
    ArrivalBuckets arrivals;
    if (set.load.has_load[region]) {
      Rng load = own.Fork("load");
      BERTH_TRY(arrivals, DrawArrivals(set.load.patterns[region], set.application.requests.size(),
                                       bucket, run, load));
    }
    regions.emplace_back(set, region, run, quirks, std::move(arrivals), own);
  }
  const std::uint64_t steps = StepsOf(run);
  for (std::uint64_t i = 1; i <= steps; ++i) {
    const Time now = run.start + run.step * static_cast<std::int64_t>(i);
    for (RegionRun& region : regions) region.Step(now);
  }
  RunResult result;
  result.nodes.assign(set.node_types.size(), 0.0);
  result.ordered_nodes.assign(set.node_types.size(), 0.0);
  for (const RegionRun& region : regions) {
    const RegionTotals& totals = region.totals();
    result.generated += totals.generated;
    result.fulfilled += totals.fulfilled;
    result.cost += totals.cost;
    result.items_most = std::max(result.items_most, totals.items_most);
    for (std::size_t type = 0; type < result.nodes.size(); ++type) {
      result.nodes[type] += totals.nodes[type] / static_cast<double>(steps);
      result.ordered_nodes[type] += totals.ordered_nodes[type] / static_cast<double>(steps);
    }
    result.response_times.insert(result.response_times.end(), totals.response_times.begin(),
                                 totals.response_times.end());
  }
  std::sort(result.response_times.begin(), result.response_times.end());
  return result;
}

Result<std::vector<CellResult>> SimulateCells(const ExperimentFolder& folder,
                                              const std::string& folder_name, const Quirks& quirks,
                                              std::uint64_t seed, std::size_t workers,
                                              const std::function<void(std::size_t)>& progress) {
  const std::size_t repetitions = folder.run.repetitions;
  const std::size_t count = folder.cells.size() * repetitions;
  for (const Cell& cell : folder.cells) {
    const Status status = CheckSimulable(cell.set, folder.run, quirks);
    if (!status.ok()) {
      return Status(status.code(),
                    fmt::format("{}: {}", CellName(cell, folder_name), status.message()));
    }
  }
  std::vector<std::optional<Result<RunResult>>> runs(count);
  std::atomic<std::size_t> done = 0;
  ForEachInParallel(count, workers, [&](std::size_t i) {
    runs[i] =
        SimulateSet(folder.cells[i / repetitions].set, folder.run, quirks, seed + i % repetitions);
    progress(++done);
  });
  std::vector<CellResult> cells;
  cells.reserve(folder.cells.size());
  for (std::size_t c = 0; c < folder.cells.size(); ++c) {
    CellResult cell{.name = CellName(folder.cells[c], folder_name)};
    for (const NodeTypeSpec& type : folder.cells[c].set.node_types) {
      cell.node_types.push_back(type.name);
    }
    cell.runs.reserve(repetitions);
    for (std::size_t r = 0; r < repetitions; ++r) {
      Result<RunResult>& run = *runs[c * repetitions + r];
      if (!run.ok()) {
        return Status(run.status().code(),
                      fmt::format("{}: {}", cell.name, run.status().message()));
      }
      cell.runs.push_back(std::move(run).value());
    }
    cells.push_back(std::move(cell));
  }
  return cells;
}

}  // namespace berth::multiverse

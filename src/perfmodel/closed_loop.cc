#include "perfmodel/closed_loop.h"

#include <fmt/format.h>

#include <cmath>

#include "base/quantiles.h"
#include "base/text.h"

namespace berth {
namespace {

// What was seen in each run, by application and Sli.
std::vector<std::vector<double>> RunsAt(const ColocatedApps& apps, std::span<const double> loads,
                                        std::span<const double> limits, std::size_t runs, Rng rng) {
  std::vector<std::vector<double>> seen(apps.apps().size() * kSlis.size());
  for (std::size_t run = 0; run < runs; ++run) {
    const std::vector<DeliveredSlis> delivered = apps.Measure(loads, limits, rng);
    for (std::size_t a = 0; a < delivered.size(); ++a) {
      seen[kSlis.size() * a].push_back(delivered[a].response_ms);
      seen[kSlis.size() * a + 1].push_back(delivered[a].throughput_rps);
    }
  }
  return seen;
}

SliRuns Summed(const std::vector<double>& seen) {
  SliRuns runs{.mean = Mean(seen)};
  double squares = 0;
  for (const double value : seen) squares += (value - runs.mean) * (value - runs.mean);
  if (seen.size() > 1) runs.deviation = std::sqrt(squares / static_cast<double>(seen.size() - 1));
  return runs;
}

Status CheckApps(const ColocatedApps& apps, const PerformanceLayout& layout,
                 const ClosedLoopSettings& settings) {
  const std::size_t count = apps.apps().size();
  bool same = layout.applications.size() == count;
  for (std::size_t i = 0; same && i < count; ++i) {
    same = layout.applications[i].name == apps.apps()[i].name;
  }
  if (!same) {
    return {Code::kInvalidArgument,
            "the models are of other applications; fit them to what berth generate performance "
            "makes"};
  }
  if (settings.loads.size() != count || settings.first_limits.size() != count) {
    return {Code::kInvalidArgument,
            fmt::format("there are {} applications; give as many loads and limits", count)};
  }
  for (const double limit : settings.first_limits) {
    if (!(limit >= kLimitCpuMilliMin && limit <= kDataValueMax)) {
      return {Code::kInvalidArgument,
              fmt::format("a limit of {} milli-cores is below {}", limit, kLimitCpuMilliMin)};
    }
  }
  return {};
}

}  // namespace

Result<ClosedLoopResult> TryLimits(const ColocatedApps& apps, const PerformanceModelSet& models,
                                   const ClosedLoopSettings& settings, std::uint64_t seed,
                                   std::size_t workers) {
  BERTH_TRY(const PerformanceLayout layout, LayoutOf(models.columns));
  BERTH_RETURN_IF_ERROR(CheckApps(apps, layout, settings));
  const Rng rng(seed);
  SloSettings asked{.loads = settings.loads,
                    .slo = settings.slo,
                    .capacity_cpu_milli = settings.capacity_cpu_milli};
  // Refuses loads and objectives that make no sense before anything runs under them.
  BERTH_RETURN_IF_ERROR(SloProblem::Make(models, asked).status());
  ClosedLoopResult result;
  const auto before =
      RunsAt(apps, settings.loads, settings.first_limits, settings.runs, rng.Fork("before"));
  for (std::size_t a = 0; a < apps.apps().size(); ++a) {
    result.before.push_back(
        {Quantile(before[kSlis.size() * a], 0.5), Quantile(before[kSlis.size() * a + 1], 0.5)});
  }
  asked.delivered = result.before;
  BERTH_TRY(const SloProblem problem, SloProblem::Make(models, asked));
  BERTH_TRY(result.advised, FindLimits(problem, settings.method, rng.Fork("limits"), workers));
  const auto after =
      RunsAt(apps, settings.loads, result.advised.limits, settings.runs, rng.Fork("after"));
  for (std::size_t t = 0; t < after.size(); ++t) {
    result.runs.push_back(Summed(after[t]));
    for (const double value : after[t]) {
      if (problem.RatioOf(t, value) > 1) ++result.runs.back().violations;
    }
  }
  return result;
}

}  // namespace berth

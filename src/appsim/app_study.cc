#include "appsim/app_study.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "base/parallel.h"
#include "berth/rng.h"

namespace berth {
namespace {

void AddType(TypeOutcome& sum, const TypeOutcome& more) {
  sum.sent += more.sent;
  sum.answered += more.answered;
  sum.good += more.good;
  for (std::size_t i = 0; i < kLossCauses; ++i) sum.lost[i] += more.lost[i];
  sum.response.Add(more.response);
  sum.response_us += more.response_us;
  sum.waited_us += more.waited_us;
  sum.on_links_us += more.on_links_us;
  sum.waited_at_us.resize(std::max(sum.waited_at_us.size(), more.waited_at_us.size()));
  for (std::size_t i = 0; i < more.waited_at_us.size(); ++i) {
    sum.waited_at_us[i] += more.waited_at_us[i];
  }
}

// All but the means over time, whose weights are the caller's.
void AddTotals(AppTotals& sum, const AppTotals& more, double weight) {
  sum.types.resize(std::max(sum.types.size(), more.types.size()));
  for (std::size_t i = 0; i < more.types.size(); ++i) AddType(sum.types[i], more.types[i]);
  AddType(sum.all, more.all);
  sum.node_types.resize(std::max(sum.node_types.size(), more.node_types.size()));
  for (std::size_t i = 0; i < more.node_types.size(); ++i) {
    sum.node_types[i].node_seconds += more.node_types[i].node_seconds;
    sum.node_types[i].cost_micros += more.node_types[i].cost_micros;
    sum.node_types[i].throttled_seconds += more.node_types[i].throttled_seconds;
  }
  for (std::size_t i = 0; i < sum.latency.size(); ++i) {
    sum.latency[i].count += more.latency[i].count;
    sum.latency[i].whole_us += more.latency[i].whole_us;
    sum.latency[i].violated_us += more.latency[i].violated_us;
  }
  sum.unfinished += more.unfinished;
  sum.cost_micros += more.cost_micros;
  for (std::size_t r = 0; r < kUsedCount; ++r) {
    sum.utilisation[r] += weight * more.utilisation[r];
  }
  sum.services.resize(std::max(sum.services.size(), more.services.size()));
  for (std::size_t i = 0; i < more.services.size(); ++i) {
    for (std::size_t r = 0; r < kUsedCount; ++r) {
      sum.services[i][r] += weight * more.services[i][r];
    }
  }
}

AppTotals TotalsOfRegion(const AppOutcome& outcome) {
  AppTotals totals{.types = outcome.types,
                   .node_types = outcome.node_types,
                   .latency = {outcome.latency_less, outcome.latency_more},
                   .unfinished = outcome.unfinished,
                   .nodes_mean = outcome.means.nodes,
                   .utilisation = outcome.means.utilisation,
                   .services = outcome.means.services};
  for (const TypeOutcome& type : outcome.types) AddType(totals.all, type);
  for (const NodeTypeOutcome& type : outcome.node_types) totals.cost_micros += type.cost_micros;
  return totals;
}

}  // namespace

Result<std::vector<AppPolicyRuns>> RunAppStudy(const AppModel& model, const AppStudy& study) {
  const std::size_t regions = model.regions.size();
  const std::size_t runs_each = study.repetitions * regions;
  std::vector<std::optional<Result<AppOutcome>>> outcomes(study.policies.size() * runs_each);
  ForEachInParallel(outcomes.size(), study.workers, [&](std::size_t piece) {
    const AppPolicy& policy = study.policies[piece / runs_each];
    const std::size_t repetition = piece % runs_each / regions;
    AppRun run{.region = piece % regions, .seed = Rng(study.seed).Fork(repetition).Next()};
    if (piece == 0) run.sink = study.sink;
    std::unique_ptr<Autoscaler> autoscaler;
    if (policy.make) {
      Result<std::unique_ptr<Autoscaler>> made = policy.make();
      if (!made.ok()) {
        outcomes[piece].emplace(made.status());
        return;
      }
      autoscaler = std::move(made).value();
      run.autoscaler = autoscaler.get();
    }
    Result<AppOutcome> outcome = SimulateApp(model, run);
    if (outcome.ok() && repetition > 0) outcome.value().series = {};
    outcomes[piece].emplace(std::move(outcome));
  });
  std::vector<AppPolicyRuns> all;
  all.reserve(study.policies.size());
  for (std::size_t p = 0; p < study.policies.size(); ++p) {
    AppPolicyRuns policy{.name = study.policies[p].name};
    policy.runs.resize(study.repetitions);
    for (std::size_t i = 0; i < runs_each; ++i) {
      BERTH_TRY(AppOutcome outcome, std::move(*outcomes[p * runs_each + i]));
      policy.runs[i / regions].push_back(std::move(outcome));
    }
    all.push_back(std::move(policy));
  }
  return all;
}

MeanOfRuns MeanOf(std::span<const double> values) {
  // Student's t for 95%, by degrees of freedom; beyond the table the last is a little too wide.
  constexpr std::array<double, 30> kStudent = {
      12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
      2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
      2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};
  const auto count = static_cast<double>(values.size());
  MeanOfRuns found{.mean = std::accumulate(values.begin(), values.end(), 0.0) / count};
  if (values.size() < 2) return found;
  double squares = 0;
  for (const double value : values) squares += (value - found.mean) * (value - found.mean);
  const double student = kStudent[std::min(values.size() - 2, kStudent.size() - 1)];
  found.half_width = student * std::sqrt(squares / (count - 1) / count);
  return found;
}

AppTotals TotalsOf(std::span<const AppOutcome> regions) {
  AppTotals totals;
  const double weight = 1 / static_cast<double>(regions.size());
  for (const AppOutcome& region : regions) {
    const AppTotals more = TotalsOfRegion(region);
    AddTotals(totals, more, weight);
    totals.nodes_mean += more.nodes_mean;
  }
  return totals;
}

AppTotals TotalsOf(const AppPolicyRuns& policy) {
  AppTotals totals;
  const double weight = 1 / static_cast<double>(policy.runs.size());
  for (const std::vector<AppOutcome>& regions : policy.runs) {
    const AppTotals more = TotalsOf(regions);
    AddTotals(totals, more, weight);
    totals.nodes_mean += weight * more.nodes_mean;
  }
  return totals;
}

}  // namespace berth

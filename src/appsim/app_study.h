// Several policies on the same application, each several times.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "appsim/simulate_app.h"

namespace berth {

struct AppPolicy {
  std::string name{};
  // A fresh one for each run; nothing given: what there is at first stays.
  std::function<Result<std::unique_ptr<Autoscaler>>()> make{};
};

struct AppStudy {
  std::vector<AppPolicy> policies{};
  std::size_t repetitions = 1;
  std::uint64_t seed = 1;
  std::size_t workers = 1;
  RequestSink* sink = nullptr;  // Of the first region in the first repetition of the first policy.
};

struct AppPolicyRuns {
  std::string name{};
  // By repetition, then by region. Only those of the first repetition keep their series.
  std::vector<std::vector<AppOutcome>> runs{};
};

// The same requests for every policy: a repetition's seed does not depend on who scales. Nor does
// anything depend on the number of workers.
Result<std::vector<AppPolicyRuns>> RunAppStudy(const AppModel& model, const AppStudy& study);

// A mean of independent runs, and how far the true one may be from it with a confidence of 95%.
struct MeanOfRuns {
  double mean = 0;
  double half_width = 0;  // Zero of a single run, which says nothing of it.
};
MeanOfRuns MeanOf(std::span<const double> values);

// All regions of a repetition, or all repetitions, together.
struct AppTotals {
  std::vector<TypeOutcome> types{};
  TypeOutcome all{};  // Of all types.
  std::vector<NodeTypeOutcome> node_types{};
  std::array<ScalingLatency, 2> latency{};  // Of less, of more.
  std::uint64_t unfinished = 0;
  double cost_micros = 0;
  double nodes_mean = 0;  // Summed over regions, averaged over repetitions, as are the next.
  std::array<double, kUsedCount> utilisation{};
  std::vector<std::array<double, kUsedCount>> services{};  // Utilisation of each.
};
AppTotals TotalsOf(std::span<const AppOutcome> regions);
AppTotals TotalsOf(const AppPolicyRuns& policy);

}  // namespace berth

// What is kept of one run of a sweep, and where: results/runs.jsonl, a line a run.
//
// A line is written when its run ends, in whatever order runs end, so that a sweep that was killed
// goes on where it was. When all are there the file is written anew, in the order of the sweep.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "appsim/app_study.h"
#include "berth/status.h"

namespace berth {

// A mean over time, and how much it varied.
struct MeanOverTime {
  double mean = 0;
  double deviation = 0;

  friend bool operator==(const MeanOverTime&, const MeanOverTime&) = default;
};

// One combination, once, all regions together.
struct SweepRun {
  std::uint64_t sent = 0;
  std::uint64_t answered = 0;
  std::uint64_t good = 0;
  std::array<std::uint64_t, kLossCauses> lost{};
  std::uint64_t unfinished = 0;
  double cost_micros = 0;
  MeanOverTime nodes{};  // Of one region, or summed over regions.
  MeanOverTime nodes_desired{};
  std::map<std::string, double> nodes_by_type{};                        // On average over time.
  std::map<std::string, std::array<double, kUsedCount>> utilisation{};  // By service.
  std::array<ScalingLatency, 2> latency{};                              // Of less, of more.
  TimeHistogram response{};
};
SweepRun SweepRunOf(const AppModel& model, const std::vector<AppOutcome>& regions);

struct SweepRunId {
  std::size_t combination = 0;
  std::size_t repetition = 0;

  friend auto operator<=>(const SweepRunId&, const SweepRunId&) = default;
};
using SweepRuns = std::map<SweepRunId, SweepRun>;

class SweepResults {
 public:
  // What is there already of a sweep of this digest. Results of another are refused. A last line
  // that was being written when somebody pulled the plug is left out.
  static Result<SweepResults> Open(const std::string& folder, std::uint64_t digest);

  const SweepRuns& runs() const { return runs_; }
  // Written and flushed before it returns.
  Status Add(const SweepRunId& id, SweepRun run);
  // Written anew, in order.
  Status Close();

 private:
  SweepResults(std::string path, std::uint64_t digest) : path_(std::move(path)), digest_(digest) {}
  Status WriteWhole();

  std::string path_;
  std::uint64_t digest_;
  SweepRuns runs_;
  std::ofstream file_;
};

std::string SweepRunLine(const SweepRunId& id, const SweepRun& run);
Result<std::pair<SweepRunId, SweepRun>> ParseSweepRunLine(std::string_view line);

}  // namespace berth

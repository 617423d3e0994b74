#include <fmt/format.h>

#include <utility>

#include "appsim/sweep/run_sweep.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "base/thread_executor.h"
#include "cli/commands/builtin.h"
#include "cli/output.h"
#include "report/sweep_report.h"

namespace berth {
namespace {

Result<Report> SweepFile(const Invocation& given) {
  BERTH_TRY(Sweep sweep, ReadSweepFile(given.Text("FILE")));
  if (given.Has("--repetitions")) {
    BERTH_TRY(sweep.repetitions,
              given.NumberWithin("--repetitions", 1, std::uint32_t{kSweepRepetitionsMax}));
  }
  SweepOptions options{.folder = given.Text("--results")};
  BERTH_TRY(options.workers, given.NumberWithin("--workers", 0, 1'000));
  if (options.workers == 0) options.workers = CoreCount();
  Progress progress("sweeping, runs", sweep.CombinationCount() * sweep.repetitions, WallClock);
  options.progress = [&progress](std::uint64_t done, std::uint64_t) { progress.Update(done); };
  BERTH_TRY(const std::vector<SweepCell> cells, RunSweep(sweep, options));
  return SweepReport(sweep, cells,
                     CommandLine(SweepCommand(), given, {"--json", "--report", "--workers"}));
}

int RunSweepCommand(const Invocation& given, Console& console) {
  const Result<Report> report = SweepFile(given);
  if (!report.ok()) return console.Fail(report.status());
  return PrintReport(given, console, report.value());
}

}  // namespace

Command SweepCommand() {
  return {.words = "sweep",
          .summary = "simulate an application in all combinations of loads, parts and policies",
          .arguments = {{"FILE", "what varies; see docs/sweep.md"}},
          .options = {{"--results", "DIR",
                       "where results are kept; what is there already is not run again", false,
                       "berth-sweep"},
                      {"--repetitions", "N", "of each combination; otherwise those of the file"},
                      {"--workers", "N", "threads; 0: one a core. They do not show in the result",
                       false, "0"},
                      {"--report", "DIR", "write report.html and report.json there"},
                      kJsonOption},
          .examples = {"berth sweep testdata/appsim/sweep/sweep.yaml --repetitions 2"},
          .run = RunSweepCommand};
}

}  // namespace berth

#include "cli/simulate_multiverse.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "appsim/multiverse/simulate.h"
#include "appsim/multiverse/translate.h"
#include "base/progress.h"
#include "base/text.h"
#include "base/thread_executor.h"
#include "report/app_report.h"
#include "report/multiverse_report.h"

namespace berth {
namespace {

Result<multiverse::ExperimentFolder> ReadMultiverseFolder(const Invocation& given) {
  const std::string policy = given.Has("--policy") ? given.Text("--policy") : "";
  BERTH_TRY(multiverse::ExperimentFolder folder,
            multiverse::ReadExperimentFolder(given.Text("FILE"), policy));
  if (given.Has("--step")) {
    BERTH_TRY(folder.run.step, ParseDuration(given.Text("--step")));
    if (folder.run.step <= Duration::zero()) {
      return Status(Code::kInvalidArgument, "--step must be above zero");
    }
  }
  if (given.Has("--duration")) {
    BERTH_TRY(folder.run.length, ParseDuration(given.Text("--duration")));
  }
  if (given.Has("--repetitions")) {
    BERTH_TRY(folder.run.repetitions,
              given.NumberWithin("--repetitions", 1, multiverse::kSetCountMax));
  }
  return folder;
}

// The scaling policies of an experiment side by side in the simulator without steps.
Result<Report> RunExactly(const Invocation& given, std::size_t workers, std::string command) {
  BERTH_TRY(const multiverse::ExperimentFolder folder, ReadMultiverseFolder(given));
  for (const auto& [key, chosen] : folder.cells[0].choices) {
    if (key != "scaling_policy") {
      return Status(Code::kInvalidArgument,
                    fmt::format("--exact compares scaling policies; this experiment has "
                                "alternatives of {}, too",
                                key));
    }
  }
  AppStudy study{
      .repetitions = folder.run.repetitions, .seed = given.Number("--seed"), .workers = workers};
  BERTH_TRY(const AppModel model,
            multiverse::TranslateApplication(folder.cells[0].set, folder.run, study.seed));
  study.policies.reserve(folder.cells.size());
  for (const multiverse::Cell& cell : folder.cells) {
    BERTH_TRY(AppPolicy policy, multiverse::MakeTranslatedPolicy(
                                    cell.set, model, multiverse::CellName(cell, "scaling_policy")));
    study.policies.push_back(std::move(policy));
  }
  BERTH_TRY(const std::vector<AppPolicyRuns> runs, RunAppStudy(model, study));
  return AppReport(model, runs, study, std::move(command));
}

}  // namespace

Result<Report> SimulateMultiverse(const Invocation& given, std::size_t workers,
                                  std::string command) {
  if (given.Has("--exact")) return RunExactly(given, workers, std::move(command));
  BERTH_TRY(multiverse::Quirks quirks,
            multiverse::QuirksOf(given.Has("--compatible") ? given.Text("--compatible") : "head"));
  if (given.Has("--quirk")) {
    BERTH_RETURN_IF_ERROR(multiverse::SetQuirks(given.Text("--quirk"), quirks));
  }
  BERTH_TRY(const multiverse::ExperimentFolder folder, ReadMultiverseFolder(given));
  const std::size_t runs = folder.cells.size() * folder.run.repetitions;
  // Drawn by whichever thread has ended a run; only one worker draws it at a time.
  Progress progress("simulating runs", runs, WallClock);
  std::mutex drawing;
  std::size_t drawn = 0;
  BERTH_TRY(const std::vector<multiverse::CellResult> cells,
            multiverse::SimulateCells(folder, given.Text("FILE"), quirks, given.Number("--seed"),
                                      workers, [&](std::size_t done) {
                                        const std::lock_guard lock(drawing);
                                        drawn = std::max(drawn, done);
                                        progress.Update(drawn);
                                      }));
  return MultiverseReport(cells, given.Text("FILE"), std::move(command), given.Number("--seed"));
}

}  // namespace berth

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "appsim/multiverse/simulate.h"
#include "appsim/multiverse/translate.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "base/text.h"
#include "base/thread_executor.h"
#include "cli/commands/builtin.h"
#include "cli/output.h"
#include "report/app_report.h"
#include "report/multiverse_report.h"

namespace berth {
namespace {

Result<multiverse::ExperimentFolder> ReadMultiverseFolder(const Invocation& given) {
  const std::string policy = given.Has("--policy") ? given.Text("--policy") : "";
  BERTH_TRY(multiverse::ExperimentFolder folder,
            multiverse::ReadExperimentFolder(given.Text("DIR"), policy));
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

std::string MultiverseCommandLine(const Invocation& given) {
  return CommandLine(SimulateMultiverseCommand(), given, {"--json", "--report"});
}

// The scaling policies of an experiment side by side in the simulator without steps.
Result<Report> RunExactly(const Invocation& given) {
  BERTH_TRY(const multiverse::ExperimentFolder folder, ReadMultiverseFolder(given));
  for (const auto& [key, chosen] : folder.cells[0].choices) {
    if (key != "scaling_policy") {
      return Status(Code::kInvalidArgument,
                    fmt::format("--exact compares scaling policies; this experiment has "
                                "alternatives of {}, too",
                                key));
    }
  }
  AppStudy study{.repetitions = folder.run.repetitions,
                 .seed = given.Number("--seed"),
                 .workers = CoreCount()};
  BERTH_TRY(const AppModel model,
            multiverse::TranslateApplication(folder.cells[0].set, folder.run, study.seed));
  study.policies.reserve(folder.cells.size());
  for (const multiverse::Cell& cell : folder.cells) {
    BERTH_TRY(AppPolicy policy, multiverse::MakeTranslatedPolicy(
                                    cell.set, model, multiverse::CellName(cell, "scaling_policy")));
    study.policies.push_back(std::move(policy));
  }
  BERTH_TRY(const std::vector<AppPolicyRuns> runs, RunAppStudy(model, study));
  return AppReport(model, runs, study, MultiverseCommandLine(given));
}

Result<Report> RunMultiverse(const Invocation& given) {
  if (given.Has("--exact")) return RunExactly(given);
  BERTH_TRY(multiverse::Quirks quirks, multiverse::QuirksOf(given.Text("--compatible")));
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
            multiverse::SimulateCells(folder, given.Text("DIR"), quirks, given.Number("--seed"),
                                      CoreCount(), [&](std::size_t done) {
                                        const std::lock_guard lock(drawing);
                                        drawn = std::max(drawn, done);
                                        progress.Update(drawn);
                                      }));
  return MultiverseReport(cells, given.Text("DIR"), MultiverseCommandLine(given),
                          given.Number("--seed"));
}

int RunSimulateMultiverse(const Invocation& given, Console& console) {
  const Result<Report> report = RunMultiverse(given);
  if (!report.ok()) return console.Fail(report.status());
  return PrintReport(given, console, report.value());
}

}  // namespace

Command SimulateMultiverseCommand() {
  return {.words = "simulate multiverse",
          .summary = "simulate an experiment of the public Multiverse simulator, quirks included",
          .arguments = {{"DIR", "the folder with its confs.json or experiment.json"}},
          .options = {{"--compatible", "VERSION",
                       "head, jan2021 or none: whose quirks to have; see `berth list quirks`",
                       false, "head", multiverse::QuirkVersions},
                      {"--quirk", "LIST", "switch single ones: links_pile_up=off,first_blocks=on"},
                      {"--exact", "",
                       "in the simulator without steps and quirks; see docs/app-simulator.md"},
                      {"--policy", "NAME", "of alternative scaling policies only this one"},
                      {"--step", "TIME", "of the simulation; otherwise the experiment's, or 10ms"},
                      {"--duration", "TIME", "to simulate; otherwise the experiment's, or 1m"},
                      {"--repetitions", "N", "of each cell; otherwise the experiment's, or 1"},
                      {"--seed", "N", "of the first repetition; the next have the next ones", false,
                       "1"},
                      {"--report", "DIR", "write report.html and report.json there"},
                      kJsonOption},
          .examples = {"berth simulate multiverse testdata/multiverse/shop",
                       "berth simulate multiverse testdata/multiverse/shop --policy eager "
                       "--compatible none --repetitions 2"},
          .run = RunSimulateMultiverse};
}

}  // namespace berth

#include <fmt/format.h>

#include <ostream>
#include <utility>

#include "appsim/app_policy.h"
#include "appsim/training.h"
#include "base/progress.h"
#include "base/text.h"
#include "base/thread_executor.h"
#include "cli/commands/builtin.h"
#include "cli/output.h"
#include "report/training_report.h"
#include "scale/space/learned_file.h"

namespace berth {
namespace {

Result<Training> ReadTraining(const Invocation& given) {
  Training training{.seed = given.Number("--seed")};
  BERTH_TRY(training.rounds, given.NumberWithin("--rounds", 1, kTrainingRoundsMax));
  std::vector<std::string> loads;
  if (given.Has("--load")) {
    const std::vector<std::string_view> named = Split(given.Text("--load"), ',');
    loads.assign(named.begin(), named.end());
  }
  BERTH_TRY(training.patterns, ReadTrainingPatterns(given.Text("FILE"), loads));
  if (given.Text("--policy") == "none") {
    return Status(Code::kInvalidArgument, "--policy none learns nothing; name a file");
  }
  BERTH_TRY(training.policy,
            ReadAppPolicy(given.Text("--policy"), training.patterns.front().model));
  return training;
}

Result<Report> TrainFile(const Invocation& given) {
  BERTH_TRY(Training training, ReadTraining(given));
  Progress progress("training, rounds", training.rounds, WallClock);
  training.progress = [&progress](std::size_t done) { progress.Update(done); };
  BERTH_TRY(const TrainingOutcome outcome, Train(training));
  BERTH_RETURN_IF_ERROR(WriteLearned(outcome.learned, given.Text("--out")));
  return TrainingReport(training, outcome,
                        CommandLine(TrainCommand(), given, {"--json", "--report"}));
}

int RunTrain(const Invocation& given, Console& console) {
  const Result<Report> report = TrainFile(given);
  if (!report.ok()) return console.Fail(report.status());
  return PrintReport(given, console, report.value());
}

}  // namespace

Command TrainCommand() {
  return {
      .words = "train",
      .summary = "let a policy that learns do so in simulations, before it is used",
      .arguments = {{"FILE", "the application; see docs/app-simulator.md"}},
      .options =
          {{"--policy", "FILE",
            "with a group whose calculator is learning; FILE@LEARNED goes on with what it learned",
            true},
           {"--load", "LIST",
            "files with regions and their load, one of which is drawn for each round in place of "
            "the application's; otherwise its own"},
           {"--rounds", "N", "simulations, one after the other", false, "20"},
           {"--out", "FILE", "where what was learned goes", true},
           {"--seed", "N", "for the draws", false, "1"},
           {"--report", "DIR", "write report.html and report.json there"},
           kJsonOption},
      .examples = {"berth train testdata/appsim/experiments/seven.yaml --policy "
                   "testdata/appsim/experiments/model.yaml --load "
                   "testdata/appsim/experiments/stairs.yaml,testdata/appsim/experiments/waves.yaml "
                   "--rounds 5 --out berth-seven.learned"},
      .run = RunTrain};
}

}  // namespace berth

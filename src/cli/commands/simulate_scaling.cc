#include <fmt/format.h>

#include <ostream>
#include <utility>

#include "base/text.h"
#include "cli/commands/builtin.h"
#include "cli/output.h"
#include "cli/sizing_options.h"
#include "report/scaling_report.h"

namespace berth {
namespace {

Result<std::vector<std::string>> ReadScalerNames(const Invocation& given,
                                                 const ServiceScaling& scaling) {
  std::vector<std::string> names;
  if (!given.Has("--scaler")) return std::vector{scaling.scaler};
  if (given.Text("--scaler") != "all") {
    for (const std::string_view name : Split(given.Text("--scaler"), ',')) {
      if (!name.starts_with(kExternalPrefix)) BERTH_RETURN_IF_ERROR(FindScaler(name).status());
      names.emplace_back(name);
    }
    return names;
  }
  for (const ScalerEntry& entry : Scalers()) {
    // All that these settings are enough for.
    if (entry.make(scaling.basis).ok()) names.emplace_back(entry.name);
  }
  return names;
}

Result<UtilisationBasis> ReadUtilisationBasis(const Invocation& given) {
  const std::string& text = given.Text("--against");
  if (text == "reference") return UtilisationBasis::kReference;
  if (text == "limit") return UtilisationBasis::kLimit;
  return Status(Code::kInvalidArgument,
                fmt::format("--against is reference or limit, not {}", Quoted(text)));
}

Result<ScalingRun> RunScaler(const ServiceLoad& load, ScalingRehearsal rehearsal,
                             const std::string& name) {
  rehearsal.scaling.scaler = name;
  if (name.starts_with(kExternalPrefix)) {
    BERTH_TRY(rehearsal.program, ExternalProgram::Open({name.substr(kExternalPrefix.size())}));
  }
  ScalingRun run{.scaler = name, .outcome = {}};
  BERTH_TRY(run.outcome, RehearseScaling(load, rehearsal));
  if (rehearsal.program) run.trouble = rehearsal.program->Trouble();
  if (!rehearsal.recommender) return run;
  rehearsal.recommender.reset();
  rehearsal.utilisation_of = UtilisationBasis::kReference;
  BERTH_TRY(const ScalingOutcome alone, RehearseScaling(load, rehearsal));
  run.restlessness = CompareCounts(run.outcome.steps, alone.steps);
  if (rehearsal.program) run.trouble = rehearsal.program->Trouble();
  return run;
}

Result<std::vector<ScalingRun>> RunScalers(const Invocation& given) {
  ScalingRehearsal rehearsal;
  if (given.Has("--settings")) {
    BERTH_TRY(rehearsal.scaling, ReadScalingFile(given.Text("--settings")));
  }
  BERTH_TRY(const std::vector<std::string> names, ReadScalerNames(given, rehearsal.scaling));
  BERTH_TRY(rehearsal.start_up, ParseDuration(given.Text("--start-up")));
  BERTH_TRY(rehearsal.utilisation_of, ReadUtilisationBasis(given));
  if (given.Has("--recommender")) {
    BERTH_TRY(rehearsal.recommender, FindRecommender(given.Text("--recommender")));
  } else if (rehearsal.utilisation_of == UtilisationBasis::kLimit) {
    return Status(Code::kInvalidArgument,
                  "--against limit shows what sizing does to scaling: give a --recommender, too");
  }
  BERTH_TRY(LineReader lines, LineReader::Open(given.Text("--load")));
  BERTH_TRY(const ServiceLoad load, ReadServiceLoad(std::move(lines)));
  std::vector<ScalingRun> runs;
  runs.reserve(names.size());
  for (const std::string& name : names) {
    BERTH_TRY(ScalingRun run, RunScaler(load, rehearsal, name));
    runs.push_back(std::move(run));
  }
  return runs;
}

int RunSimulateScaling(const Invocation& given, Console& console) {
  const Result<std::vector<ScalingRun>> runs = RunScalers(given);
  if (!runs.ok()) return console.Fail(runs.status());
  for (const ScalingRun& run : runs.value()) {
    if (!run.trouble.empty()) console.err << fmt::format("berth: {}\n", run.trouble);
  }
  const Report report = ScalingReport(
      runs.value(), CommandLine(SimulateScalingCommand(), given, {"--json", "--report"}));
  return PrintReport(given, console, report);
}

std::vector<std::string> AllAndKnownScalers() {
  std::vector<std::string> known = {"all", std::string(kExternalPrefix)};
  for (const ScalerEntry& entry : Scalers()) known.emplace_back(entry.name);
  return known;
}

}  // namespace

Command SimulateScalingCommand() {
  return {
      .words = "simulate scaling",
      .summary =
          "rehearse how many replicas a service would have under a load, and what that costs",
      .arguments = {},
      .options = {{"--load", "FILE",
                   "CSV with at_ms, cpu_milli and any metrics; see docs/scaling.md", true},
                  {"--settings", "FILE", "how the service is scaled; see docs/scaling.md"},
                  {"--scaler",
                   "LIST",
                   "see `berth list scalers`, and docs/external.md for external:PROGRAM; otherwise "
                   "that of the settings; all: each that they are enough for",
                   false,
                   {},
                   AllAndKnownScalers},
                  {"--start-up", "TIME", "from when a replica is wanted until it works", false,
                   "2m"},
                  {"--recommender",
                   "NAME",
                   "size the cpu of the replicas besides; see `berth list recommenders`",
                   false,
                   {},
                   KnownRecommenders},
                  {"--against", "WHAT",
                   "measure utilisation against the reference, as the rule is, or against the "
                   "limit in force, to see why",
                   false, "reference"},
                  {"--report", "DIR", "write report.html and report.json there"},
                  kJsonOption},
      .examples = {"berth simulate scaling --load testdata/scaling/load.csv.gz --settings "
                   "testdata/scaling/settings.yaml --scaler all",
                   "berth simulate scaling --load testdata/scaling/tenfold.csv.gz --settings "
                   "testdata/scaling/both.yaml --recommender window"},
      .run = RunSimulateScaling};
}

}  // namespace berth

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <utility>

#include "base/progress.h"
#include "base/text.h"
#include "base/thread_executor.h"
#include "cli/commands/builtin.h"
#include "cli/sizing_options.h"
#include "report/json.h"
#include "report/rightsizing_report.h"
#include "report/table.h"
#include "report/write.h"

namespace berth {
namespace {

struct SizingInputs {
  std::vector<ServiceUsage> services;
  std::vector<RecommenderEntry> recommenders;
  Sized kind;
  ScoredPart scored;
};

Result<SizingInputs> ReadSizingInputs(const Invocation& given) {
  SizingInputs inputs;
  BERTH_TRY(inputs.kind, ReadSizedKind(given));
  BERTH_TRY(inputs.scored, ReadScoredPart(given));
  if (given.Text("--recommender") == "all") {
    inputs.recommenders.assign(Recommenders().begin(), Recommenders().end());
  } else {
    for (const std::string_view name : Split(given.Text("--recommender"), ',')) {
      BERTH_TRY(const RecommenderEntry entry, FindRecommender(name));
      inputs.recommenders.push_back(entry);
    }
  }
  BERTH_TRY(inputs.services, ReadUsageOption(given));
  return inputs;
}

std::vector<SizingDay> ScoredDays(const SizingInputs& inputs, const ServiceUsage& usage,
                                  Resource resource, const RecommenderEntry& entry) {
  if (!IsUsed(usage, resource)) return {};
  Sized sized = inputs.kind;
  sized.resource = resource;
  sized.request = usage.asked[resource];
  std::vector<SizingDay> days = RehearseSizing(usage, resource, *entry.make(sized));
  std::erase_if(days, [&](const SizingDay& day) {
    return !inputs.scored.split.Scores(inputs.scored.part, usage.service, day.number);
  });
  return days;
}

// Where no row says what the owner asked for there is nothing to compare with.
bool IsAskedFor(const SizingInputs& inputs, Resource resource) {
  return std::ranges::all_of(inputs.services, [&](const ServiceUsage& usage) {
    return usage.asked[resource] > 0 || !IsUsed(usage, resource);
  });
}

std::vector<SizingRun> RunSizing(const SizingInputs& inputs) {
  std::vector<SizingRun> runs;
  for (const Resource resource : {Resource::kCpu, Resource::kMemory}) {
    for (const RecommenderEntry& entry : inputs.recommenders) {
      if (entry.name == "fixed" && !IsAskedFor(inputs, resource)) continue;
      SizingRun& run = runs.emplace_back();
      run.recommender = entry.name;
      run.resource = resource;
      run.services.resize(inputs.services.size());
      Progress progress(fmt::format("sizing by {}, services", entry.name), inputs.services.size(),
                        WallClock);
      for (std::size_t i = 0; i < inputs.services.size(); ++i) {
        run.services[i] = ScoredDays(inputs, inputs.services[i], resource, entry);
        progress.Update(i + 1);
      }
    }
  }
  return runs;
}

int RunSimulateRightsizing(const Invocation& given, Console& console) {
  const Result<SizingInputs> inputs = ReadSizingInputs(given);
  if (!inputs.ok()) return console.Fail(inputs.status());
  const std::vector<SizingRun> runs = RunSizing(inputs.value());
  const Report report = RightsizingReport(
      runs, CommandLine(SimulateRightsizingCommand(), given, {"--json", "--report"}));
  if (given.Has("--report")) {
    const Status status = WriteReport(given.Text("--report"), std::span(&report, 1));
    if (!status.ok()) return console.Fail(status);
  }
  if (given.Has("--json")) {
    console.out << ToJson(report);
    return kExitOk;
  }
  for (const Table& table : report.tables) console.out << FormatTable(table) << '\n';
  if (given.Has("--report")) {
    console.out << fmt::format("Report: {0}/report.html, {0}/report.json\n",
                               given.Text("--report"));
  }
  return kExitOk;
}

std::vector<std::string> AllAndKnownRecommenders() {
  std::vector<std::string> known = KnownRecommenders();
  known.insert(known.begin(), "all");
  return known;
}

}  // namespace

Command SimulateRightsizingCommand() {
  return {.words = "simulate rightsizing",
          .summary = "rehearse recommenders of limits on real usage and compare what they cost",
          .arguments = {},
          .options = {kUsageOption,
                      {"--recommender", "LIST", "see `berth list recommenders`", false, "all",
                       AllAndKnownRecommenders},
                      kCpuKindOption,
                      kOomToleranceOption,
                      kSplitOption,
                      kPartOption,
                      {"--report", "DIR", "write report.html and report.json there"},
                      kJsonOption},
          .examples = {"berth simulate rightsizing --usage testdata/rightsizing/usage.csv.gz"},
          .run = RunSimulateRightsizing};
}

}  // namespace berth

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <utility>

#include "base/progress.h"
#include "base/text.h"
#include "base/thread_executor.h"
#include "cli/commands/builtin.h"
#include "cli/output.h"
#include "cli/sizing_options.h"
#include "report/rightsizing_map.h"
#include "report/rightsizing_report.h"

namespace berth {
namespace {

struct SizingInputs {
  std::vector<ServiceUsage> services;
  std::vector<ChosenRecommender> recommenders;
  Sized kind;
  ScoredPart scored;
};

Result<SizingInputs> ReadSizingInputs(const Invocation& given, RecommenderChoice& choice) {
  SizingInputs inputs;
  BERTH_TRY(inputs.kind, ReadSizedKind(given));
  BERTH_TRY(inputs.scored, ReadScoredPart(given));
  if (given.Text("--recommender") == "all") {
    for (const RecommenderEntry& entry : Recommenders()) {
      inputs.recommenders.push_back({.name = std::string(entry.name), .make = entry.make});
    }
  } else {
    for (const std::string_view name : Split(given.Text("--recommender"), ',')) {
      BERTH_TRY(ChosenRecommender chosen, choice.Find(name));
      inputs.recommenders.push_back(std::move(chosen));
    }
  }
  BERTH_TRY(inputs.services, ReadUsageOption(given));
  return inputs;
}

Sized SizedFor(const SizingInputs& inputs, const ServiceUsage& usage, Resource resource) {
  Sized sized = inputs.kind;
  sized.resource = resource;
  sized.request = usage.asked[resource];
  sized.service = usage.service;
  return sized;
}

std::vector<SizingDay> ScoredDays(const SizingInputs& inputs, const ServiceUsage& usage,
                                  Resource resource, const ChosenRecommender& chosen) {
  if (!IsUsed(usage, resource)) return {};
  std::vector<SizingDay> days =
      RehearseSizing(usage, resource, *chosen.make(SizedFor(inputs, usage, resource)));
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
    for (const ChosenRecommender& chosen : inputs.recommenders) {
      if (chosen.name == "fixed" && !IsAskedFor(inputs, resource)) continue;
      SizingRun& run = runs.emplace_back();
      run.recommender = chosen.name;
      run.resource = resource;
      run.services.resize(inputs.services.size());
      Progress progress(fmt::format("sizing by {}, services", chosen.name), inputs.services.size(),
                        WallClock);
      for (std::size_t i = 0; i < inputs.services.size(); ++i) {
        run.services[i] = ScoredDays(inputs, inputs.services[i], resource, chosen);
        progress.Update(i + 1);
      }
    }
  }
  return runs;
}

// Those asked for, or the one that takes the most cpu.
Result<std::vector<const ServiceUsage*>> DrawnServices(const Invocation& given,
                                                       const SizingInputs& inputs) {
  std::vector<const ServiceUsage*> drawn;
  if (given.Has("--service")) {
    for (const std::string_view name : Split(given.Text("--service"), ',')) {
      const auto found = std::ranges::find(inputs.services, name, &ServiceUsage::service);
      if (found == inputs.services.end()) {
        return Status(Code::kNotFound,
                      fmt::format("--service: the file has no usage of {}", Quoted(name)));
      }
      drawn.push_back(&*found);
    }
    return drawn;
  }
  const auto taken = [](const ServiceUsage& usage) {
    double sum = 0;
    for (const ServiceWindow& window : usage.windows) {
      for (const float sample : window.cpu) sum += sample;
    }
    return sum;
  };
  drawn.push_back(&*std::ranges::max_element(inputs.services, {}, taken));
  return drawn;
}

Result<std::vector<HeatMap>> DrawMaps(const Invocation& given, const SizingInputs& inputs) {
  std::vector<HeatMap> maps;
  BERTH_TRY(const std::vector<const ServiceUsage*> drawn, DrawnServices(given, inputs));
  for (const ServiceUsage* usage : drawn) {
    for (const Resource resource : {Resource::kCpu, Resource::kMemory}) {
      if (!IsUsed(*usage, resource)) continue;
      std::vector<LimitLine> lines;
      for (const ChosenRecommender& chosen : inputs.recommenders) {
        if (chosen.name == "fixed" && usage->asked[resource] == 0) continue;
        const auto recommender = chosen.make(SizedFor(inputs, *usage, resource));
        lines.push_back({chosen.name, TraceLimits(*usage, resource, *recommender)});
      }
      maps.push_back(UsageMap(*usage, resource, lines));
    }
  }
  return maps;
}

int RunSimulateRightsizing(const Invocation& given, Console& console) {
  RecommenderChoice choice;
  const Result<SizingInputs> inputs = ReadSizingInputs(given, choice);
  if (!inputs.ok()) return console.Fail(inputs.status());
  std::vector<HeatMap> maps;
  if (given.Has("--report")) {
    Result<std::vector<HeatMap>> drawn = DrawMaps(given, inputs.value());
    if (!drawn.ok()) return console.Fail(drawn.status());
    maps = std::move(drawn).value();
  }
  const std::vector<SizingRun> runs = RunSizing(inputs.value());
  PrintTroubles(choice, console);
  const Report report =
      RightsizingReport(runs, std::move(maps),
                        CommandLine(SimulateRightsizingCommand(), given, {"--json", "--report"}));
  return PrintReport(given, console, report);
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
                      {"--recommender", "LIST",
                       "see `berth list recommenders`, and docs/external.md for external:PROGRAM",
                       false, "all", AllAndKnownRecommenders},
                      kCpuKindOption,
                      kOomToleranceOption,
                      kSplitOption,
                      kPartOption,
                      {"--service", "LIST",
                       "whose usage and limits the report draws over time; otherwise the largest"},
                      {"--report", "DIR", "write report.html and report.json there"},
                      kJsonOption},
          .examples = {"berth simulate rightsizing --usage testdata/rightsizing/usage.csv.gz",
                       "berth simulate rightsizing --usage testdata/rightsizing/usage.csv.gz "
                       "--service service-0,service-1 --report berth-report-rightsizing"},
          .run = RunSimulateRightsizing};
}

}  // namespace berth

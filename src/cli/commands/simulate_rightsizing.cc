#include <fmt/format.h>

#include <ostream>
#include <utility>

#include "base/parallel.h"
#include "base/progress.h"
#include "base/text.h"
#include "base/thread_executor.h"
#include "cli/commands/builtin.h"
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
};

template <typename Kind>
struct KindName {
  std::string_view name;
  Kind kind;
};
constexpr KindName<CpuKind> kCpuKinds[] = {{"batch", CpuKind::kBatch},
                                           {"serving", CpuKind::kServing},
                                           {"latency_sensitive", CpuKind::kLatencySensitive}};
constexpr KindName<OomTolerance> kOomTolerances[] = {{"minimal", OomTolerance::kMinimal},
                                                     {"low", OomTolerance::kLow},
                                                     {"intermediate", OomTolerance::kIntermediate}};

template <typename Kind, std::size_t N>
Result<Kind> ReadKind(const Invocation& given, std::string_view option,
                      const KindName<Kind> (&kinds)[N]) {
  std::string known;
  for (const KindName<Kind>& each : kinds) {
    if (each.name == given.Text(option)) return each.kind;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", each.name);
  }
  return Status(Code::kInvalidArgument,
                fmt::format("{} is one of {}, not {}", option, known, Quoted(given.Text(option))));
}

Result<SizingInputs> ReadSizingInputs(const Invocation& given) {
  SizingInputs inputs;
  BERTH_TRY(inputs.kind.cpu, ReadKind(given, "--cpu", kCpuKinds));
  BERTH_TRY(inputs.kind.oom, ReadKind(given, "--oom-tolerance", kOomTolerances));
  if (given.Text("--recommender") == "all") {
    inputs.recommenders.assign(Recommenders().begin(), Recommenders().end());
  } else {
    for (const std::string_view name : Split(given.Text("--recommender"), ',')) {
      BERTH_TRY(const RecommenderEntry entry, FindRecommender(name));
      inputs.recommenders.push_back(entry);
    }
  }
  BERTH_TRY(LineReader lines, LineReader::Open(given.Text("--usage")));
  BERTH_TRY(inputs.services, ReadServiceUsage(std::move(lines)));
  return inputs;
}

// Where no row says what the owner asked for there is nothing to compare with.
bool IsAskedFor(const SizingInputs& inputs, Resource resource) {
  return std::ranges::all_of(inputs.services,
                             [&](const ServiceUsage& usage) { return usage.asked[resource] > 0; });
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
        Sized sized = inputs.kind;
        sized.resource = resource;
        sized.request = inputs.services[i].asked[resource];
        run.services[i] = RehearseSizing(inputs.services[i], sized, entry);
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

std::vector<std::string> KnownRecommenders() {
  std::vector<std::string> known = {"all"};
  for (const RecommenderEntry& entry : Recommenders()) known.emplace_back(entry.name);
  return known;
}

}  // namespace

Command SimulateRightsizingCommand() {
  return {.words = "simulate rightsizing",
          .summary = "rehearse recommenders of limits on real usage and compare what they cost",
          .arguments = {},
          .options = {{"--usage", "FILE",
                       "CSV with at_ms, instance, cpu_milli, memory_bytes and, where known, "
                       "cpu_limit_milli and memory_limit_bytes",
                       true},
                      {"--recommender", "LIST", "see `berth list recommenders`", false, "all",
                       KnownRecommenders},
                      {"--cpu", "KIND", "batch, serving or latency_sensitive", false, "serving"},
                      {"--oom-tolerance", "KIND", "minimal, low or intermediate", false, "low"},
                      {"--report", "DIR", "write report.html and report.json there"},
                      kJsonOption},
          .examples = {"berth simulate rightsizing --usage testdata/rightsizing/usage.csv.gz"},
          .run = RunSimulateRightsizing};
}

}  // namespace berth

#include <fmt/format.h>

#include <ostream>
#include <utility>

#include "base/decimal.h"
#include "base/document.h"
#include "base/progress.h"
#include "base/thread_executor.h"
#include "cli/commands/builtin.h"
#include "engine/policy.h"
#include "report/json.h"
#include "report/packing_report.h"
#include "report/table.h"
#include "report/write.h"
#include "traces/generate_workload.h"
#include "traces/generate_zone.h"
#include "traces/open.h"

namespace berth {
namespace {

// What the run is made from, and how the report names it.
struct Inputs {
  FleetFile fleet;
  std::unique_ptr<Trace> trace;
  PackingOptions options;
  RunOf run;
};

// A decimal, in units of which `scale` make one.
Result<std::int64_t> DecimalWithin(const Invocation& given, std::string_view name,
                                   std::int64_t scale, std::int64_t most) {
  const Scaled scaled = ScaleExactly(given.Text(name), scale, most * scale);
  if (scaled.outcome != Scaled::Outcome::kExact) {
    return Status(Code::kInvalidArgument,
                  fmt::format("{} must be a number from 0 to {} with at most {} decimals, not '{}'",
                              name, most, scale == 1000 ? 3 : 6, given.Text(name)));
  }
  return scaled.value;
}

Status ReadAgents(const Invocation& given, PackingOptions& options) {
  BERTH_TRY(options.agents, given.NumberWithin("--agents", 1, 1000));
  BERTH_TRY(options.speed_up, given.NumberWithin("--speed-up", 1, 100'000));
  BERTH_TRY(const std::uint32_t hours, given.NumberWithin("--warm-up-hours", 0, 100'000));
  options.warm_up = std::chrono::hours(hours);
  options.merge = !given.Has("--no-merge");
  options.refresh_when_idle = given.Has("--refresh-when-idle");
  return {};
}

// As the paper's light simulator has it, unless said otherwise.
constexpr Duration kLightHit = std::chrono::milliseconds(14);
constexpr Duration kLightMiss = std::chrono::milliseconds(88);
constexpr std::uint32_t kLightHitsPerMillion = 900'000;

Status ReadLatency(const Invocation& given, LatencyModel& latency) {
  const bool light = given.Has("--light");
  if (light) {
    latency.hit = kLightHit;
    latency.miss = kLightMiss;
    latency.hits_per_million = kLightHitsPerMillion;
  }
  constexpr std::int64_t kMillisMax = 60'000;
  const std::pair<std::string_view, Duration*> ways[] = {
      {"--hit-ms", &latency.hit}, {"--miss-ms", &latency.miss}, {"--commit-ms", &latency.commit}};
  for (const auto& [name, duration] : ways) {
    if (!given.Has(name)) continue;
    BERTH_TRY(const std::int64_t micros, DecimalWithin(given, name, 1000, kMillisMax));
    *duration = Duration(micros);
  }
  if (!given.Has("--hit-ratio")) return {};
  if (!light) {
    return Status(Code::kInvalidArgument,
                  "--hit-ratio is drawn only with --light; without it the agents' caches tell");
  }
  BERTH_TRY(const std::int64_t share, DecimalWithin(given, "--hit-ratio", 1'000'000, 1));
  latency.hits_per_million = static_cast<std::uint32_t>(share);
  return {};
}

Result<Inputs> ReadInputs(const Invocation& given) {
  Inputs inputs;
  inputs.run.seed = given.Number("--seed");
  if (given.Has("--fleet")) {
    inputs.run.fleet = given.Text("--fleet");
    BERTH_TRY(inputs.fleet, ReadFleetFile(inputs.run.fleet));
  } else {
    const auto machines = given.Number("--machines");
    inputs.run.fleet = fmt::format("generated, {} machines", machines);
    if (machines == 0 || machines > kMachinesMax) {
      return Status(Code::kInvalidArgument,
                    fmt::format("--machines must be 1 to {}, not {}", kMachinesMax, machines));
    }
    BERTH_TRY(inputs.fleet, GenerateZone({.machines = static_cast<std::uint32_t>(machines)}));
  }
  const auto length = std::chrono::hours(static_cast<std::int64_t>(given.Number("--hours")));
  if (given.Has("--trace")) {
    inputs.run.trace = given.Text("--trace");
    BERTH_TRY(inputs.trace,
              OpenTrace(inputs.run.trace,
                        {.seed = inputs.run.seed, .batch_as_gang = given.Has("--batch-as-gang")}));
    if (length.count() > 0) inputs.options.until = length;
  } else {
    inputs.run.trace = "generated day";
    const Duration day = length.count() > 0 ? Duration(length) : Duration(std::chrono::hours(24));
    BERTH_TRY(inputs.trace,
              GenerateWorkload(inputs.fleet, {.seed = inputs.run.seed, .length = day}));
    inputs.options.until = day;
  }
  inputs.run.policy = "shipped";
  if (given.Has("--policy")) {
    inputs.run.policy = given.Text("--policy");
    BERTH_TRY(inputs.options.policy, ReadText(inputs.run.policy));
    BERTH_RETURN_IF_ERROR(CheckPolicy(inputs.options.policy, inputs.run.policy));
  }
  inputs.options.seed = inputs.run.seed;
  BERTH_RETURN_IF_ERROR(ReadAgents(given, inputs.options));
  BERTH_RETURN_IF_ERROR(ReadLatency(given, inputs.options.latency));
  inputs.run.command = CommandLine(SimulatePackingCommand(), given, {"--json", "--report"});
  return inputs;
}

Table Headlines(const Report& report) {
  Table table{.title = report.title,
              .columns = {{.name = "figure"}, {.name = "value"}, {.name = "note"}}};
  for (const Fact& fact : report.facts) table.rows.push_back({fact.name, fact.value, fact.note});
  return table;
}

std::vector<std::string> KnownImporters() {
  std::vector<std::string> known;
  for (const ImporterEntry& entry : BuiltinImporters())
    known.push_back(fmt::format("{}:", entry.name));
  return known;
}

int RunSimulatePacking(const Invocation& given, Console& console) {
  Result<Inputs> inputs = ReadInputs(given);
  if (!inputs.ok()) return console.Fail(inputs.status());
  const PackingOptions& options = inputs.value().options;
  Result<PackingResult> result = [&] {
    const std::uint64_t total =
        options.until ? static_cast<std::uint64_t>(options.until->count() / 1'000'000) : 0;
    Progress progress("rehearsing, seconds of virtual time", total, WallClock);
    return SimulatePacking(inputs.value().fleet, *inputs.value().trace, options, [&](Time at) {
      progress.Update(static_cast<std::uint64_t>(ToMicros(at) / 1'000'000));
    });
  }();
  if (!result.ok()) return console.Fail(result.status());
  const Report report = PackingReport(result.value(), inputs.value().run);
  const std::string& folder = given.Text("--report");
  if (Status status = WriteReport(folder, std::span(&report, 1)); !status.ok())
    return console.Fail(status);
  if (given.Has("--json")) {
    console.out << ToJson(report);
    return kExitOk;
  }
  console.out << FormatTable(Headlines(report)) << '\n';
  for (const Table& table : report.tables) console.out << FormatTable(table) << '\n';
  console.out << fmt::format("Report: {0}/report.html (open it in a browser), {0}/report.json\n",
                             folder);
  return kExitOk;
}

}  // namespace

Command SimulatePackingCommand() {
  return {
      .words = "simulate packing",
      .summary = "rehearse a trace on a fleet in virtual time and see how well it fills",
      .arguments = {},
      .options =
          {{"--fleet", "FILE", "the fleet; without it a generated zone"},
           {"--machines", "N", "of the generated zone", false, "2000"},
           {"--trace",
            "WHERE",
            "FILE or IMPORTER:FILE; without it a generated day",
            false,
            {},
            KnownImporters},
           {"--batch-as-gang", "", "place what came as one batch whole or not at all"},
           {"--policy", "FILE", "the policy; without it the shipped one"},
           {"--agents", "N", "how many agents decide at once", false, "1"},
           {"--hours", "N", "stop after so many hours; 0: a day, or the trace's end", false, "0"},
           {"--warm-up-hours", "N", "place but do not count what comes before", false, "0"},
           {"--speed-up", "N", "divide gaps between arrivals, and lifetimes, by N", false, "1"},
           {"--hit-ms", "MS",
            "think so long about a decision that finds its evaluations kept; 0 if left out"},
           {"--miss-ms", "MS", "and about one that does not; 0 if left out"},
           {"--commit-ms", "MS",
            "one way between agents and store, for commits and for news; 0 if left out"},
           {"--light", "", "draw which decisions find theirs kept, and think 14 or 88 ms"},
           {"--hit-ratio", "P", "with --light: how many do; 0.9 if left out"},
           {"--no-merge", "",
            "a placement decided on an old view of its machine conflicts even if it fits"},
           {"--refresh-when-idle", "", "agents bring what they keep up to date between requests"},
           {"--seed", "N", "of everything that is drawn", false, "1"},
           {"--report", "DIR", "where the report goes", false, "berth-report"},
           kJsonOption},
      .examples = {"berth simulate packing --machines 200 --hours 2 --report berth-report-small",
                   "berth simulate packing --fleet testdata/formats/fleet.yaml --trace "
                   "testdata/formats/trace.csv --report berth-report-files",
                   "berth simulate packing --fleet testdata/alibaba_gpu_v2023/fleet.yaml --trace "
                   "alibaba_gpu_v2023:testdata/alibaba_gpu_v2023/pods.csv --report "
                   "berth-report-gpu",
                   "berth simulate packing --machines 100 --hours 1 --agents 4 --light --commit-ms "
                   "1 --speed-up 100 --report berth-report-agents"},
      .run = RunSimulatePacking};
}

}  // namespace berth

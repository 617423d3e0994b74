#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <ostream>
#include <utility>

#include "base/decimal.h"
#include "base/document.h"
#include "base/progress.h"
#include "base/thread_executor.h"
#include "cli/commands/builtin.h"
#include "engine/policy.h"
#include "report/json.h"
#include "report/qos_report.h"
#include "report/table.h"
#include "report/write.h"
#include "sim/qos/files.h"

namespace berth {
namespace {

struct QosInputs {
  std::vector<QosHost> hosts;
  std::vector<QosRequest> requests;
  QosOptions options;
  std::vector<std::string> schedulers;
};

Result<Duration> SecondsOf(const Invocation& given, std::string_view name, bool positive) {
  const Scaled scaled = ScaleExactly(given.Text(name), 1'000'000, 1'000'000'000'000'000);
  if (scaled.outcome != Scaled::Outcome::kExact || (positive && scaled.value == 0)) {
    return Status(Code::kInvalidArgument,
                  fmt::format("{} must be a number of seconds{}, not '{}'", name,
                              positive ? " above 0" : "", given.Text(name)));
  }
  return Duration(scaled.value);
}

Result<std::vector<ServiceClass>> ReadClasses(const Invocation& given) {
  if (!given.Has("--policy")) return DefaultFleetSettings().classes;
  BERTH_TRY(const std::string text, ReadText(given.Text("--policy")));
  BERTH_RETURN_IF_ERROR(CheckPolicy(text, given.Text("--policy")));
  BERTH_TRY(FleetSettings settings, ParseFleetSettings(text));
  return std::move(settings.classes);
}

Result<QosInputs> ReadQosInputs(const Invocation& given) {
  QosInputs inputs;
  const std::string& scheduler = given.Text("--scheduler");
  if (scheduler == "both") {
    inputs.schedulers = {"priority", "qos"};
  } else if (FindScheduler(scheduler) != nullptr) {
    inputs.schedulers = {scheduler};
  } else {
    return Status(Code::kInvalidArgument,
                  fmt::format("--scheduler must be qos, priority or both, not '{}'", scheduler));
  }
  QosOptions& options = inputs.options;
  options.seed = given.Number("--seed");
  options.admission = given.Has("--admission");
  BERTH_TRY(options.classes, ReadClasses(given));
  BERTH_TRY(options.watchdog, SecondsOf(given, "--watchdog-s", true));
  BERTH_TRY(options.allocation_time, SecondsOf(given, "--allocation-s", false));
  if (given.Has("--until-s")) {
    BERTH_TRY(const Duration until, SecondsOf(given, "--until-s", true));
    options.until = Time(until);
  }
  BERTH_TRY(inputs.hosts, ReadQosHosts(given.Text("--hosts")));
  BERTH_TRY(inputs.requests, ReadQosWorkload(given.Text("--workload"), options.classes));
  if (given.Has("--overheads")) {
    BERTH_TRY(QosOverheads overheads, ReadQosOverheads(given.Text("--overheads")));
    options.hot = std::move(overheads.hot);
    options.cold = std::move(overheads.cold);
  }
  if (given.Has("--outages")) {
    BERTH_TRY(options.outages, ReadQosOutages(given.Text("--outages"), inputs.hosts));
  }
  return inputs;
}

Result<QosResult> Rehearse(const QosInputs& inputs, const std::string& scheduler) {
  const Time last = inputs.requests.empty() ? Time() : inputs.requests.back().at;
  const Time end = inputs.options.until.value_or(last);
  Progress progress(fmt::format("rehearsing {}, seconds of virtual time", scheduler),
                    static_cast<std::uint64_t>(ToMicros(end) / 1'000'000), WallClock);
  HeldQosWorkload workload(inputs.requests);
  return RehearseQos(
      inputs.hosts, workload, inputs.options, FindScheduler(scheduler),
      [&](Time at) { progress.Update(static_cast<std::uint64_t>(ToMicros(at) / 1'000'000)); });
}

int RunSimulateQos(const Invocation& given, Console& console) {
  const Result<QosInputs> inputs = ReadQosInputs(given);
  if (!inputs.ok()) return console.Fail(inputs.status());
  std::vector<QosRun> runs;
  for (const std::string& scheduler : inputs.value().schedulers) {
    Result<QosResult> result = Rehearse(inputs.value(), scheduler);
    if (!result.ok()) return console.Fail(result.status());
    runs.push_back({scheduler, std::move(result).value()});
  }
  const Report report = QosReport(runs, inputs.value().options,
                                  CommandLine(SimulateQosCommand(), given, {"--json", "--report"}));
  const std::string& folder = given.Text("--report");
  if (Status status = WriteReport(folder, std::span(&report, 1)); !status.ok())
    return console.Fail(status);
  if (Status status = WriteQosAvailabilities(folder, runs, inputs.value().requests,
                                             inputs.value().options.classes);
      !status.ok())
    return console.Fail(status);
  if (given.Has("--json")) {
    console.out << ToJson(report);
    return kExitOk;
  }
  for (const Table& table : report.tables) console.out << FormatTable(table) << '\n';
  console.out << fmt::format(
      "Report: {0}/report.html (open it in a browser), {0}/report.json, "
      "{0}/availabilities.csv\n",
      folder);
  return kExitOk;
}

std::vector<std::string> KnownSchedulers() { return {"qos", "priority", "both"}; }

}  // namespace

Command SimulateQosCommand() {
  return {
      .words = "simulate qos",
      .summary = "rehearse who yields when there is not enough, and how promises are kept",
      .arguments = {},
      .options = {{"--workload", "FILE", "the requests, in either format of the paper's repository",
                   true},
                  {"--hosts", "FILE", "the hosts, in its format", true},
                  {"--scheduler", "NAME", "qos, priority, or both side by side", false, "both",
                   KnownSchedulers},
                  {"--policy", "FILE",
                   "the policy with the classes; without it gold, silver, bronze"},
                  {"--watchdog-s", "S", "decide at least so often while anyone waits", false, "10"},
                  {"--allocation-s", "S",
                   "what the scheduler expects an allocation to take at most", false, "0"},
                  {"--overheads", "FILE",
                   "what allocations take, hot,S or cold,S a line; without it 2 s and 3 s"},
                  {"--outages", "FILE", "hosts that are away, HOST,FROM,UNTIL a line"},
                  {"--admission", "", "refuse what would break promises already made"},
                  {"--until-s", "S", "stop then; without it when the last request is done"},
                  {"--seed", "N", "of the overheads that are drawn", false, "1"},
                  {"--report", "DIR", "where the report goes", false, "berth-report"},
                  kJsonOption},
      .examples = {"berth simulate qos --workload testdata/qos/workload.csv --hosts "
                   "testdata/qos/hosts.txt --report berth-report-qos"},
      .run = RunSimulateQos};
}

}  // namespace berth

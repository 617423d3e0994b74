#include "cli/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>

#include "allocate/explain.h"
#include "base/text.h"
#include "report/json.h"
#include "report/table.h"
#include "report/write.h"

namespace berth {
namespace {

// In the order written: the most telling fields first.
using Json = nlohmann::ordered_json;

std::string Dump(const Json& json) {
  // Names are ASCII by rule; whatever else text holds must not make printing fail.
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}
std::string DumpLine(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json CellJson(const TableCell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  const double number = std::get<double>(cell);
  if (std::isnan(number)) return nullptr;
  if (number == std::floor(number) && std::abs(number) < 1e15)
    return static_cast<std::int64_t>(number);
  return number;
}

Json BreachesJson(const std::vector<Breach>& breaches) {
  Json json = Json::array();
  for (const Breach& breach : breaches) {
    json.push_back({{"record", breach.record}, {"says", breach.sentence}});
  }
  return json;
}

}  // namespace

std::string ToJson(const Table& table) {
  Json rows = Json::array();
  for (const std::vector<TableCell>& row : table.rows) {
    Json object = Json::object();
    for (std::size_t i = 0; i < row.size(); ++i) object[table.columns[i].name] = CellJson(row[i]);
    rows.push_back(std::move(object));
  }
  return Dump(rows);
}

std::string ToJson(const StepOutcome& outcome) {
  return DumpLine({{"line", outcome.line},
                   {"text", outcome.text},
                   {"held", outcome.held},
                   {"happened", outcome.happened}});
}

std::string ToJson(const ScenarioResult& result) {
  return DumpLine({{"held", result.held},
                   {"failure", result.failure},
                   {"seed", result.seed},
                   {"decisions", result.decisions},
                   {"unseed", fmt::format("{:08x}", result.unseed)}});
}

std::string ToJson(const FaultSeedsResult& result) {
  const FaultResult& sum = result.sum;
  Json json = {{"held", !sum.broken},
               {"seeds", result.seeds},
               {"steps", sum.steps},
               {"faults", Json::object()},
               {"commits", sum.store.commits},
               {"conflicts", sum.store.conflicts},
               {"merged", sum.store.merged},
               {"duplicates", sum.store.duplicates},
               {"asked", sum.clients.asked},
               {"retries", sum.clients.retries},
               {"acknowledged", sum.clients.acknowledged},
               {"errors", sum.clients.errors},
               {"given_up", sum.clients.given_up},
               {"unseed", fmt::format("{:016x}", sum.unseed)},
               {"broken", nullptr}};
  for (std::size_t i = 0; i < faults::kFaultCount; ++i) {
    json["faults"][std::string(ToString(static_cast<faults::Fault>(i)))] = sum.faults[i];
  }
  if (sum.broken) {
    json["broken"] = {
        {"seed", *result.broken_seed}, {"invariant", *sum.broken}, {"story", sum.story}};
  }
  return Dump(json);
}

std::string ToJson(const Verification& verified) {
  Json json = {{"holds", verified.holds()},
               {"revision", ToNumber(verified.head.revision)},
               {"log_start", ToNumber(verified.head.log_start)},
               {"checks", Json::array()}};
  for (const Check& check : verified.checks) {
    json["checks"].push_back({{"check", check.what},
                              {"looked_at", check.looked_at},
                              {"broken", check.broken},
                              {"breaches", BreachesJson(check.breaches)},
                              {"allowed", BreachesJson(check.allowed)}});
  }
  return Dump(json);
}

int PrintTable(const Invocation& invocation, Console& console, Table table, bool more) {
  if (invocation.Has("--json")) {
    console.out << ToJson(table) << '\n';
    return kExitOk;
  }
  if (more) {
    table.note = fmt::format("the first {}; --limit N shows N",
                             FormatCount(static_cast<std::int64_t>(table.rows.size())));
  }
  console.out << FormatTable(table);
  return kExitOk;
}

Status WriteAskedReport(const Invocation& given, const Report& report) {
  if (!given.Has("--report")) return {};
  return WriteReport(given.Text("--report"), std::span(&report, 1));
}

void SayWhereReportIs(const Invocation& given, Console& console) {
  if (!given.Has("--report")) return;
  console.out << fmt::format("Report: {0}/report.html, {0}/report.json\n", given.Text("--report"));
}

int PrintReport(const Invocation& given, Console& console, const Report& report) {
  const Status status = WriteAskedReport(given, report);
  if (!status.ok()) return console.Fail(status);
  if (given.Has("--json")) {
    console.out << ToJson(report);
    return kExitOk;
  }
  for (const Table& table : report.tables) console.out << FormatTable(table) << '\n';
  SayWhereReportIs(given, console);
  return kExitOk;
}

std::string InWords(const v1::Resources& message) {
  Resources resources;
  resources[Resource::kCpu] = message.cpu_milli();
  resources[Resource::kMemory] = message.memory_bytes();
  resources[Resource::kDisk] = message.disk_bytes();
  resources[Resource::kNetwork] = message.network_mbit();
  resources[Resource::kGpu] = message.gpu_milli();
  // Only quotas have such: no limit on that resource, so nothing to say of it.
  for (const Resource r : kAllResources) resources[r] = std::max<std::int64_t>(resources[r], 0);
  return resources.IsZero() ? "nothing" : FormatResources(resources);
}
std::string InWords(v1::MachineHealth health) {
  return std::string(ToString(static_cast<Health>(health)));
}
std::string InWords(v1::InstancePhase phase) {
  return std::string(ToString(static_cast<InstanceState>(phase)));
}

std::string InWords(v1::Standing standing) {
  if (standing == v1::AT_RISK) return "at risk";
  return standing == v1::VIOLATED ? "violated" : "fulfilled";
}

int PrintSummary(const Invocation& invocation, Console& console, std::string_view done,
                 const BackupSummary& summary) {
  if (invocation.Has("--json")) {
    console.out << Dump({{"revision", ToNumber(summary.revision)},
                         {"records", summary.records},
                         {"log", summary.revisions}})
                << '\n';
  } else {
    console.out << fmt::format("{} revision {}: {} records, {} revisions of the log\n", done,
                               ToNumber(summary.revision), summary.records, summary.revisions);
  }
  return kExitOk;
}

}  // namespace berth

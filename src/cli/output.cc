#include "cli/output.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>

#include "allocate/explain.h"
#include "base/text.h"
#include "report/table.h"

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

Json FunnelJson(const Funnel& funnel) {
  Json json = {{"type", funnel.type.str()},     {"role", funnel.role.str()},
               {"instances", funnel.instances}, {"clusters", funnel.clusters},
               {"machines", funnel.machines},   {"steps", Json::array()}};
  for (const FunnelStep& step : funnel.steps) {
    json["steps"].push_back(
        {{"rule", step.rule.str()}, {"validator", step.validator}, {"left", step.left}});
  }
  return json;
}

Json RefusalJson(const Refusal& refusal) {
  Json json = {{"rule", refusal.rule.str()},
               {"because", refusal.because},
               {"cure", ToString(refusal.cure)},
               {"advice", Advice(refusal.cure)},
               {"nearest", Json::array()}};
  for (const NearMiss& miss : refusal.nearest) {
    json["nearest"].push_back(
        {{"machine", miss.machine.str()}, {"rule", miss.rule.str()}, {"lacks", miss.lacks}});
  }
  return json;
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

std::string ToJson(const Decision& decision) {
  Json json = {{"id", ToString(decision.id)},
               {"kind", ToString(decision.kind)},
               {"subject", decision.subject},
               {"accepted", !decision.refusal || decision.kind == DecisionKind::kWait},
               {"at_us", ToMicros(decision.at)},
               {"seen", ToNumber(decision.seen)},
               {"conflicts", decision.conflicts},
               {"placed", Json::array()},
               {"evicted", Json::array()},
               {"funnels", Json::array()},
               {"refusal", nullptr}};
  for (const Placement& placement : decision.placed) {
    json["placed"].push_back(
        {{"instance", placement.instance}, {"machine", placement.machine.str()}});
  }
  for (const InstanceId& id : decision.evicted) json["evicted"].push_back(ToString(id));
  for (const Funnel& funnel : decision.funnels) json["funnels"].push_back(FunnelJson(funnel));
  if (decision.refusal) json["refusal"] = RefusalJson(*decision.refusal);
  return Dump(json);
}

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

std::string ToJson(const WhyNot& why) {
  return Dump({{"valid", why.valid}, {"among_best", why.among_best}, {"reasons", why.reasons}});
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

int PrintTable(const Invocation& invocation, Console& console, Table table, std::size_t all) {
  if (invocation.Has("--json")) {
    console.out << ToJson(table) << '\n';
    return kExitOk;
  }
  if (table.rows.size() < all) {
    table.note = fmt::format("{} of {} shown; --limit {} shows all",
                             FormatCount(static_cast<std::int64_t>(table.rows.size())),
                             FormatCount(static_cast<std::int64_t>(all)), all);
  }
  console.out << FormatTable(table);
  return kExitOk;
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

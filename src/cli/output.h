// How commands show tables, decisions and steps: for people, or as JSON for programs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "berth.pb.h"
#include "cli/command.h"
#include "report/report.h"
#include "sim/faults/seeds.h"
#include "sim/scenario_run.h"
#include "store/backup.h"
#include "store/verify.h"

namespace berth {

// A list of objects, one a row, keyed by the columns' names.
std::string ToJson(const Table& table);
std::string ToJson(const StepOutcome& outcome);
std::string ToJson(const ScenarioResult& result);
std::string ToJson(const FaultSeedsResult& result);
std::string ToJson(const Verification& verified);

// As a table, or with --json as JSON. `more`: there are rows that --limit left out.
int PrintTable(const Invocation& invocation, Console& console, Table table, bool more = false);

// With --report, as files.
Status WriteAskedReport(const Invocation& given, const Report& report);
// Where these are, for people.
void SayWhereReportIs(const Invocation& given, Console& console);
// Its tables, or with --json all of it; with --report also as files.
int PrintReport(const Invocation& given, Console& console, const Report& report);

std::string InWords(const v1::Resources& message);
std::string InWords(v1::MachineHealth health);
std::string InWords(v1::InstancePhase phase);
std::string InWords(v1::Standing standing);

// "backed up revision 9: 7 records, 9 revisions of the log", or as JSON.
int PrintSummary(const Invocation& invocation, Console& console, std::string_view done,
                 const BackupSummary& summary);

inline constexpr Option kLimitOption = {"--limit", "N", "show at most so many", false, "50"};

}  // namespace berth

// How commands show tables, decisions and steps: for people, or as JSON for programs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "allocate/refusal.h"
#include "berth/decision.h"
#include "cli/command.h"
#include "report/report.h"
#include "sim/scenario_run.h"
#include "store/backup.h"
#include "store/verify.h"

namespace berth {

std::string ToJson(const Decision& decision);
// A list of objects, one a row, keyed by the columns' names.
std::string ToJson(const Table& table);
std::string ToJson(const StepOutcome& outcome);
std::string ToJson(const ScenarioResult& result);
std::string ToJson(const WhyNot& why);
std::string ToJson(const Verification& verified);

// As a table, or with --json as JSON. `all` is how many rows there would be without --limit.
int PrintTable(const Invocation& invocation, Console& console, Table table, std::size_t all);

// "backed up revision 9: 7 records, 9 revisions of the log", or as JSON.
int PrintSummary(const Invocation& invocation, Console& console, std::string_view done,
                 const BackupSummary& summary);

inline constexpr Option kLimitOption = {"--limit", "N", "show at most so many", false, "50"};

}  // namespace berth

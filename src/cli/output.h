// How commands show tables, decisions and steps: for people, or as JSON for programs.
#pragma once

#include <cstddef>
#include <string>

#include "berth.pb.h"
#include "cli/command.h"
#include "report/report.h"
#include "sim/faults/seeds.h"
#include "sim/scenario_run.h"

namespace berth {

// A list of objects, one a row, keyed by the columns' names.
std::string ToJson(const Table& table);
std::string ToJson(const StepOutcome& outcome);
std::string ToJson(const ScenarioResult& result);
std::string ToJson(const FaultSeedsResult& result);

// As a table, or with --json as JSON. `more`: there are rows that --limit left out.
int PrintTable(const Invocation& invocation, Console& console, Table table, bool more = false);

std::string InWords(const v1::Resources& message);
std::string InWords(v1::MachineHealth health);
std::string InWords(v1::InstancePhase phase);

inline constexpr Option kLimitOption = {"--limit", "N", "show at most so many", false, "50"};

}  // namespace berth

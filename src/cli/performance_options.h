// What the commands about performance models share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "perfmodel/closed_loop.h"
#include "perfmodel/data_table.h"
#include "report/report.h"

namespace berth {

std::vector<std::string> KnownLimitKinds();
std::vector<std::string> KnownSloMethods();

inline constexpr Option kLimitKindOption = {
    "--limits", "KIND", "hard, or soft: what others leave idle may be used",
    false,      "hard", KnownLimitKinds};
inline constexpr Option kLoadOption = {
    "--load", "LIST", "requests in parallel, one for each application as 58,63,75", true};
inline constexpr Option kCapacityOption = {"--capacity", "N", "milli-cores that the limits share",
                                           false, "3000"};
inline constexpr Option kResponseOption = {
    "--response-ms", "LIST", "objective of response times: one, or one for each", false, "800"};
inline constexpr Option kThroughputOption = {
    "--throughput-rps", "LIST", "objective of throughput: one, or one for each", false, "200"};
inline constexpr Option kSloSeedOption = {"--seed", "N", "of everything that is drawn", false, "1"};

Result<LimitKind> ReadLimitKind(const Invocation& given);
Result<DataTable> ReadDataFile(const std::string& path);

// "58,63,75".
Result<std::vector<double>> ReadNumbers(const Invocation& given, std::string_view option);
// From --response-ms and --throughput-rps, for so many applications.
Result<std::vector<ServiceObjectives>> ReadObjectives(const Invocation& given, std::size_t count);

}  // namespace berth

// The parts that an application file is written in.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "appsim/app_model.h"
#include "base/fields.h"

namespace berth {

// "40s", {mean: 40s, deviation: 5s} or {exponential: 40s}; not given: `otherwise`.
Spread ReadTimeSpread(Fields& fields, std::string_view key, const Spread& otherwise = {});
// The same with amounts: "250m", {mean: 250m, deviation: 20m}.
Spread ReadAmountSpread(Fields& fields, std::string_view key, Resource resource);
// {cpu: ..., memory: ..., disk: ..., network: ...}; all may be left out.
SpreadUse ReadSpreadUse(Fields& fields, std::string_view key);

// {baseline: 0.1, most: 288, start: 60}, or what it earns in place of the baseline; in credits.
Result<CpuBurst> ReadBurst(const Node& node, std::int64_t cpu_milli);

// The loads of one pattern, one for each request type that it has a share for.
Result<std::vector<AppLoad>> ReadAppLoads(const Node& node, const AppModel& model,
                                          const std::string& folder);

// The service, request type or node type of this name.
Result<std::size_t> FindService(const Node& node, const AppModel& model, std::string_view name);
Result<std::size_t> FindRequestType(const Node& node, const AppModel& model, std::string_view name);
Result<std::size_t> FindNodeType(const Node& node, const AppModel& model, std::string_view name);

}  // namespace berth

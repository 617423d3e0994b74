// Numbered ids: revisions of the store, decisions, instances of a service.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace berth {

// The store's commit counter. There is one; a record keeps the last that touched it.
enum class Revision : std::uint64_t {};
constexpr std::uint64_t ToNumber(Revision revision) { return static_cast<std::uint64_t>(revision); }
constexpr Revision Next(Revision revision) { return Revision{ToNumber(revision) + 1}; }

// Who decided, and their how-manieth decision it was: "a0-17" in print.
struct DecisionId {
  std::string agent;
  std::uint64_t sequence = 0;

  friend auto operator<=>(const DecisionId&, const DecisionId&) = default;
};
std::string ToString(const DecisionId& id);
// The inverse; none if it is not one.
std::optional<DecisionId> ParseDecisionId(std::string_view text);

// The number'th instance that a service ever had: "web/3" in print. Numbers are not reused.
struct InstanceId {
  std::string service;
  std::uint32_t number = 0;

  friend auto operator<=>(const InstanceId&, const InstanceId&) = default;
};
std::string ToString(const InstanceId& id);
std::optional<InstanceId> ParseInstanceId(std::string_view text);

}  // namespace berth

// For tests: rules of any kind, asked in the same way.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string_view>

#include "allocate/policy.h"
#include "allocate/refusing.h"
#include "berth/check.h"

namespace berth::testing {

// `options` is what stands between the braces.
inline std::unique_ptr<Rule> CreateRule(const RuleEntry& entry, std::string_view options) {
  const Document document = ParseDocument(fmt::format("{{{}}}", options), "options").value();
  Fields fields(document.root());
  std::unique_ptr<Rule> rule = entry.create(fields);
  BERTH_CHECK(fields.Finish().ok());
  return rule;
}

// What a rule has to say against a machine: points, or 1 if it is not valid.
inline std::uint32_t Answer(const Rule& rule, const Ask& ask, const Candidate& machine) {
  const ClusterState& cluster = ask.inventory[machine.state.cluster];
  const RackIndex rack = machine.state.rack;
  if (const auto* of = dynamic_cast<const Validator*>(&rule)) {
    return of->IsValid(ask, machine) ? 0 : 1;
  }
  if (const auto* of = dynamic_cast<const ClusterValidator*>(&rule)) {
    return of->IsValid(ask, cluster) ? 0 : 1;
  }
  if (const auto* of = dynamic_cast<const Preference*>(&rule)) return of->Points(ask, machine);
  if (const auto* of = dynamic_cast<const RackPreference*>(&rule)) {
    return of->Points(ask, {rack, ask.inventory[rack]});
  }
  return dynamic_cast<const ClusterPreference&>(rule).Points(ask, cluster);
}

// If it is a validator.
inline std::optional<Refusing> AsRefusing(const Rule& rule) {
  if (const auto* of = dynamic_cast<const Validator*>(&rule)) return Refusing(*of);
  if (const auto* of = dynamic_cast<const ClusterValidator*>(&rule)) return Refusing(*of);
  return std::nullopt;
}

}  // namespace berth::testing

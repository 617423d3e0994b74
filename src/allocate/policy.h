// The allocator's part of a policy: the rules in their order, ready to be asked.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "allocate/rule.h"

namespace berth {

// Every rule that a policy may name.
struct RuleEntry {
  std::string_view name;
  NewRule create;
};
std::span<const RuleEntry> BuiltinRules();

// A preference's place in the packed key: comparing two machines is comparing two integers.
struct RankedPreference {
  std::unique_ptr<const Preference> rule;
  std::uint32_t buckets = 0;  // 0: points as they are.
  int shift = 0;

  std::uint64_t KeyPart(const Ask& ask, const Candidate& machine) const;
};

struct RankedClusterPreference {
  std::unique_ptr<const ClusterPreference> rule;
  std::uint32_t buckets = 0;
};

struct AllocatePolicy {
  std::vector<std::unique_ptr<const Validator>> validators;
  std::vector<RankedPreference> preferences;
  std::vector<RankedClusterPreference> cluster_preferences;
  std::uint32_t clusters = 8;  // How many suitable clusters are looked at before choosing.
  std::uint32_t retries = 20;  // After conflicts.

  std::uint64_t Key(const Ask& ask, const Candidate& machine) const;
};

// The policy in force when nobody has given one.
std::string_view ShippedPolicy();

// Reads the `allocate` section; other sections are other rooms'. Without one it is as shipped.
Result<AllocatePolicy> ParseAllocatePolicy(const Node& policy);

}  // namespace berth

// The allocator's part of a policy: the rules in their order, ready to be asked.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "allocate/rule.h"
#include "berth/time.h"

namespace berth {

// Every rule that a policy may name.
struct RuleEntry {
  std::string_view name;
  NewRule create;
};
std::span<const RuleEntry> BuiltinRules();

template <typename T>
struct Listed {
  RuleId id;
  std::unique_ptr<const T> rule;
};

// A preference's place in the packed key: comparing two machines is comparing two integers.
struct KeyPlace {
  std::uint32_t buckets = 0;  // 0: points as they are.
  int shift = 0;

  std::uint32_t Value(std::uint32_t points) const {
    return buckets == 0 ? points : Bucket(points, buckets);
  }
  std::uint64_t Part(std::uint32_t points) const { return std::uint64_t{Value(points)} << shift; }
};

// Of machines, or of racks: one of the two rules is there.
struct RankedPreference {
  RuleId id;
  std::unique_ptr<const Preference> machine;
  std::unique_ptr<const RackPreference> rack;
  KeyPlace place;

  const Rule& rule() const;
  std::uint64_t KeyPart(const Ask& ask, const Candidate& candidate) const;
};

struct RankedClusterPreference {
  RuleId id;
  std::unique_ptr<const ClusterPreference> rule;
  KeyPlace place;
};

// What an agent keeps between requests.
struct CacheLimits {
  std::uint32_t evaluations = 8192;    // Of a cluster for asks alike.
  std::uint32_t rule_objects = 32768;  // Of a rule's answers in a cluster for asks alike in what it
                                       // reads.
  Duration age = std::chrono::minutes(30);  // Unused for so long, they go.
  bool refresh = true;                      // Brought up to date while there is nothing else to do.
};

// When commits conflict, agents choose among more machines than the best, the more often the more
// of the last `window` commits did.
struct ConflictAvoidance {
  std::uint32_t top = 100;
  std::uint32_t window = 50;
};

struct AllocatePolicy {
  std::vector<Listed<ClusterValidator>> cluster_validators;
  // Those that depend on traits, then on the service rack by rack, then machine by machine.
  std::vector<Listed<Validator>> validators;
  std::size_t trait_validators = 0;
  std::size_t rack_validators = 0;
  std::vector<RankedPreference> preferences;
  std::size_t machine_preferences =
      0;             // The last so many depend on the service machine by machine.
  int key_bits = 0;  // That they need.
  std::vector<RankedClusterPreference> cluster_preferences;
  TraitSet reads;  // All that any of the rules does.

  std::uint32_t clusters = 8;  // How many suitable clusters are looked at before choosing.
  std::uint32_t retries = 20;  // After conflicts.
  ConflictAvoidance conflicts;
  CacheLimits cache;

  using Validators = std::span<const Listed<Validator>>;
  Validators TraitValidators() const { return Validators(validators).first(trait_validators); }
  Validators RackValidators() const {
    return Validators(validators).subspan(trait_validators, rack_validators);
  }
  Validators MachineValidators() const {
    return Validators(validators).subspan(trait_validators + rack_validators);
  }
  std::span<const RankedPreference> KeptPreferences() const {
    return std::span(preferences).first(preferences.size() - machine_preferences);
  }
  std::span<const RankedPreference> MachinePreferences() const {
    return std::span(preferences).last(machine_preferences);
  }

  // Of the first of the preferences that has one.
  std::optional<std::uint32_t> theta() const;
  // Lower is better; never kNoKey.
  std::uint64_t Key(const Ask& ask, const Candidate& machine) const;
  std::uint64_t ClusterKey(const Ask& ask, const ClusterState& cluster) const;
};

inline constexpr std::uint64_t kNoKey = UINT64_MAX;

// Policies that come with Berth, by their names.
struct ShippedPolicyEntry {
  std::string_view name;
  std::string_view text;
};
std::span<const ShippedPolicyEntry> ShippedPolicies();
// The one in force when nobody has given one.
std::string_view ShippedPolicy();

// Reads the `allocate` section; other sections are other rooms'. Without one it is as shipped.
Result<AllocatePolicy> ParseAllocatePolicy(const Node& policy);

}  // namespace berth

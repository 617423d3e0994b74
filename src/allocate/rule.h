// A rule is one consideration in choosing a machine. Start here to add one.
//
// Validators say whether a machine may take an instance; preferences say how well it would. Rules
// are strictly ordered by the policy: a preference chooses only among the machines that all earlier
// ones found equally good. A rule is pure: it reads the ask and the machine and keeps no state, so
// that its answers can be kept and shared, which it never sees. What it owes for that is to say
// what it reads: reads() for rules that go by traits, depends_on() for the others.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "allocate/ask.h"
#include "base/fields.h"
#include "berth/decision.h"

namespace berth {

// What a rule's answer for a machine depends on, besides the machine: what may be kept, and how.
enum class DependsOn : std::uint8_t {
  kTraits,          // The ask's traits: the same for all services alike.
  kServiceRack,     // Where the service already is, rack by rack: the same within a rack.
  kServiceMachine,  // Where the service already is, machine by machine, or who it is.
};

// For rules that depend on the service: the machines for which its answer may differ from the one
// for all others. That one is "valid" from a validator, and from a preference of racks what it says
// of a service that is nowhere.
enum class Concerns : std::uint8_t {
  kNone,
  kOwn,       // Those that hold instances of the service, and their racks.
  kIsolated,  // Those that hold instances of isolated services.
  kAll,
};

class Rule {
 public:
  virtual ~Rule() = default;
  // The name in rules.def, policies and explanations.
  virtual std::string_view name() const = 0;
  // One line for `berth list rules`.
  virtual std::string_view summary() const = 0;
  virtual DependsOn depends_on() const { return DependsOn::kTraits; }
  // The traits that it reads.
  virtual TraitSet reads() const { return {}; }
  virtual Concerns concerns(const Ask& /*ask*/) const { return Concerns::kAll; }
};

class Validator : public Rule {
 public:
  // Also checked by the store at commit, so that leaving it out of a policy would only make
  // commits fail: a policy has all of these, listed or not.
  virtual bool checked_at_commit() const { return false; }
  virtual bool IsValid(const Ask& ask, const Candidate& machine) const = 0;
  // For a machine that is not valid: what it lacks, in a few words, and what could cure it.
  virtual std::string Lacks(const Ask& ask, const Candidate& machine) const = 0;
  virtual Cure CureFor(const Ask& ask, const Candidate& machine) const = 0;
};

// Shuts out whole clusters.
class ClusterValidator : public Rule {
 public:
  virtual bool IsValid(const Ask& ask, const ClusterState& cluster) const = 0;
  virtual std::string Lacks(const Ask& ask, const ClusterState& cluster) const = 0;
  virtual Cure CureFor(const Ask& ask, const ClusterState& cluster) const = 0;
};

// Points are from 0 (best) to kPointsMax. What depends on the service rack by rack is a preference
// of racks.
class Preference : public Rule {
 public:
  virtual std::uint32_t Points(const Ask& ask, const Candidate& machine) const = 0;
  // What is told of it for less: the points are at least so many, or just so many. Points are asked
  // for only where the machine might be among the best.
  struct AtLeast {
    std::uint32_t points = 0;
    bool exact = false;
  };
  virtual AtLeast PointsAtLeast(const Ask& ask, const Candidate& machine) const {
    return {.points = Points(ask, machine), .exact = true};
  }
  // The probability of a violation, in millionths, below which machines are alike to it; nothing:
  // it does not go by that.
  virtual std::optional<std::uint32_t> theta() const { return std::nullopt; }
};

// Orders racks: what one machine's change does to it, it does to every machine of the rack.
class RackPreference : public Rule {
 public:
  virtual std::uint32_t Points(const Ask& ask, const RackCandidate& rack) const = 0;
};

// Orders clusters rather than machines.
class ClusterPreference : public Rule {
 public:
  virtual std::uint32_t Points(const Ask& ask, const ClusterState& cluster) const = 0;
};

// The options are the rule's entry in the policy; what is wrong with them, its Fields tell. Every
// preference also has `buckets`, which the policy reads.
using NewRule = std::unique_ptr<Rule> (*)(Fields& options);

}  // namespace berth

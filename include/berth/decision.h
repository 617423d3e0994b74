// A decision is anything Berth chose, with an id, the revision it saw and its explanation.
//
// Explanations are counted while deciding and stored with the decision, a few hundred bytes each:
// explaining reads, it does not recompute.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "berth/ids.h"
#include "berth/name.h"
#include "berth/resources.h"
#include "berth/time.h"

namespace berth {

using RuleId = Name<struct RuleTag>;
// One of the two ways of placing that an experiment compares.
using ArmId = Name<struct ArmTag>;

enum class DecisionKind : std::uint8_t {
  kCreate,  // A new service's instances.
  kScale,   // More or fewer instances of a service.
  kResize,  // New limits.
  kMove,    // An instance leaves a machine for another.
  kDelete,  // A service ends.
  kFleet,   // A machine, type or tenant came, changed or went.
  kPolicy,  // Another policy in force.
  kWait,    // An instance waits for room.
};

// Why an instance moves.
enum class MoveReason : std::uint8_t {
  kAsked,          // Somebody asked for it; what is no move has this too.
  kWaited,         // It waited, and there is room.
  kMachineFailed,  // Its machine is down,
  kDrained,        // or is to be emptied,
  kViolation,      // or is asked for more than it has,
  kFragmentation,  // or has room, but not enough for somebody who waits.
};

// What could turn a refusal into an acceptance.
enum class Cure : std::uint8_t {
  kNothing,       // No such machine exists.
  kMoreMachines,  // Machines of this kind exist; all are taken.
  kSmallerAsk,    // Fits no machine even when empty.
  kOtherRules,    // Loosen the service's own constraints.
  kMoreQuota,
  kRetry,  // Others kept changing what it chose.
};

// How many machines were left after a rule had its say.
struct FunnelStep {
  RuleId rule;
  bool validator = true;
  std::uint32_t left = 0;

  friend bool operator==(const FunnelStep&, const FunnelStep&) = default;
};

// How the machines were narrowed down for one instance; it stands for `instances` alike.
struct Funnel {
  TypeId type;
  RoleId role;
  std::uint32_t instances = 1;
  std::uint32_t clusters = 0;  // Clusters looked at,
  std::uint32_t machines = 0;  // and the machines in them.
  std::vector<FunnelStep> steps;

  friend bool operator==(const Funnel&, const Funnel&) = default;
};

// A machine that came close, and what it lacked: "4 cpu free, needs 8".
struct NearMiss {
  MachineId machine;
  RuleId rule;
  std::string lacks;

  friend bool operator==(const NearMiss&, const NearMiss&) = default;
};

struct Refusal {
  RuleId rule;          // The last obstacle: the rule that left nothing, or "quota", "retries".
  std::string because;  // One sentence for the user.
  Cure cure = Cure::kNothing;
  std::vector<NearMiss> nearest;

  friend bool operator==(const Refusal&, const Refusal&) = default;
};

// How probable it was that the machine would ever need more than it has: in how many of so many
// futures it did, without the instance and with it, and most often of what.
struct Foreseen {
  std::uint32_t futures = 0;
  std::uint32_t before = 0;
  std::uint32_t after = 0;
  Resource at_risk = Resource::kCpu;  // Of no meaning when nothing is.

  friend bool operator==(const Foreseen&, const Foreseen&) = default;
};

struct Placement {
  std::uint32_t instance = 0;  // Its number within the service.
  MachineId machine;
  std::optional<Foreseen> foreseen = std::nullopt;  // By policies that look ahead.

  friend bool operator==(const Placement&, const Placement&) = default;
};

// Why one made room for another: the time that each could still have waited before its promise
// broke. Less than nothing: so long ago it broke.
struct Yielded {
  std::uint32_t to = 0;  // Who took the place: its number within the service.
  Duration spare{};      // Of who yielded,
  Duration left{};       // and of who took the place.

  friend bool operator==(const Yielded&, const Yielded&) = default;
};

struct Decision {
  DecisionId id;
  DecisionKind kind = DecisionKind::kCreate;
  std::string subject;  // The service or machine it is about.
  Time at;
  Revision seen{};                  // The state it was decided on.
  std::uint32_t conflicts = 0;      // Commits lost to others before this one.
  std::vector<Placement> placed;    // Empty when refused.
  std::vector<InstanceId> evicted;  // Who yields to them and waits.
  std::vector<Funnel> funnels;
  std::optional<Refusal> refusal;
  ArmId arm;  // Empty when no experiment was running.
  MoveReason reason = MoveReason::kAsked;
  std::optional<InstanceId> room_for = std::nullopt;  // Who waits for the room that it leaves.
  std::vector<Yielded> yielded;  // Of each that was evicted, where a scheduler chose them.
  // Where limits or counts were recommended, or a machine relieved: what that comes from.
  std::string why = {};

  friend bool operator==(const Decision&, const Decision&) = default;
};

std::string_view ToString(DecisionKind kind);
std::string_view ToString(Cure cure);
std::string_view ToString(MoveReason reason);
// What to do about it, in a few words: "add machines or free room".
std::string_view Advice(Cure cure);

}  // namespace berth

// A change set: everything that one commit does, or nothing of it.
//
// The list of operations is closed and whole. Everything that changes the fleet is one of these, so
// that one validator, one stored format and one log serve every capability. Classes live in the
// policy, topology in the machine records.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "berth/records.h"

namespace berth {

// Creates or replaces a whole record. Replacing one that was itself replaced since `seen`
// conflicts; a machine or service that merely gained or lost instances does not.
struct Put {
  Record record;
  bool replaces = false;  // What it replaces must still be there.
};
// Removes a record; a service goes with its instances.
struct Remove {
  RecordKey key;
};
// Gives an instance another limit where it is.
struct Resize {
  InstanceId instance;
  Resources limit;
};
// Takes an instance from one machine (none: it was pending) to another.
struct Move {
  InstanceId instance;
  MachineId from;
  MachineId to;
};
enum class WaitReason : std::uint8_t { kNoRoom, kPreempted, kDrained, kMachineFailed };
// Takes an instance off its machine to wait for room.
struct SetPending {
  InstanceId instance;
  MachineId from;
  WaitReason reason = WaitReason::kNoRoom;
};
enum class Reported : std::uint8_t { kStarted, kEnded, kFailed, kOutOfMemory };
// What was reported of an instance.
struct Transition {
  InstanceId instance;
  Reported report = Reported::kStarted;
};

using Operation = std::variant<Put, Remove, Resize, Move, SetPending, Transition>;

// Holds only while this lease is in this epoch.
struct LeaseGuard {
  std::string lease;
  std::uint64_t epoch = 0;
};

struct ChangeSet {
  std::vector<Operation> operations;
  Revision seen{};  // The state it was made from.
  Time at;          // When, by its author's clock; transition times are counted from it.
  std::optional<LeaseGuard> guard;
};

// Bounds on what one change may hold; over them it is refused.
inline constexpr std::size_t kGangMax = 2000;
inline constexpr std::size_t kOperationsMax = 20'000;

// What a commit did to one record: its new contents, or that it is gone.
struct Update {
  RecordKey key;
  std::optional<Record> record;
  Revision revision{};
};

// Why a change cannot be applied.
struct Violation {
  RuleId rule;          // "fits", "quota", "exists"...
  std::string because;  // One sentence naming what, where and what to do.
};

std::string_view ToString(WaitReason reason);
std::string_view ToString(Reported report);

}  // namespace berth

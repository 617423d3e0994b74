// What can be asked of Berth, and what it answers.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "berth/change.h"
#include "berth/decision.h"
#include "berth/records.h"
#include "berth/status.h"

namespace berth {

// What instances of a type start with instead of the type's size, and why, in one sentence.
struct StartingLimit {
  TypeId type;
  Resources limit;
  std::string why;
};
// A new service: all of its instances are placed, or none.
struct CreateService {
  Service service;                         // next_number is ours.
  std::vector<StartingLimit> limits = {};  // Of each type at most one.
};
// As many instances as the groups say. New ones respect what runs; surplus ones go from the racks
// that hold most.
struct ScaleService {
  std::string service;
  std::vector<InstanceGroup> groups;
  std::string why = {};  // See Decision.
};
// A place for an instance on the machine named, where those named yield to it. With each goes the
// time that it could still wait before its promise breaks, for the explanation.
struct Seat {
  struct Yields {
    InstanceId instance;
    Duration spare{};
  };
  std::uint32_t number = 0;  // Of the instance, within its service.
  MachineId machine;
  Duration left{};
  std::vector<Yields> victims;
};
// A new limit for all instances of a type; where one no longer fits it moves.
struct ResizeService {
  std::string service;
  TypeId type;
  Resources limit;
  std::string why = {};  // See Decision.
  // As a scheduler decided, for those that do not fit where they are.
  std::vector<Seat> seats = {};
};
struct DeleteService {
  std::string service;
};
// Takes an instance elsewhere: to the machine named, or to the best.
struct MoveInstance {
  InstanceId instance;
  MachineId to;
  MoveReason reason = MoveReason::kAsked;
  std::optional<InstanceId> room_for = std::nullopt;  // See Decision.
  std::string why = {};                               // What the reason comes from.
};
// Places instances that wait: all of the service's if none of it runs, else as many as find room.
struct PlacePending {
  std::string service;
};
// Seats instances that wait as a scheduler decided: all of them, or none.
struct SeatPending {
  std::string service;
  std::vector<Seat> seats;
};
// Off its machine to wait for room.
struct SuspendInstance {
  InstanceId instance;
  WaitReason reason = WaitReason::kNoRoom;
};
struct ReportInstance {
  InstanceId instance;
  Reported report = Reported::kStarted;
};
struct SetHealth {
  MachineId machine;
  Health health = Health::kReady;
};
// Adds or replaces tenants, types and machines; removes what is named.
struct ChangeFleet {
  std::vector<Record> put;
  std::vector<RecordKey> remove;
};
struct ApplyPolicy {
  std::string text;
};

using Action = std::variant<CreateService, ScaleService, ResizeService, DeleteService, MoveInstance,
                            PlacePending, SeatPending, SuspendInstance, ReportInstance, SetHealth,
                            ChangeFleet, ApplyPolicy>;

struct Request {
  Action what;
  // A retry with the same key is answered with the first one's decision and changes nothing.
  std::string idempotency_key = {};
  // It will be asked again when room frees, so a refusal is not worth an entry in the log.
  bool quiet = false;
  // Others wait already: a class that may wait goes behind them, whatever room there is.
  bool behind_others = false;
  // It is refused for this, whatever room there is.
  std::optional<Refusal> refused = {};
  // Only while this lease is held: for what one process at a time may decide.
  std::optional<LeaseGuard> guard = {};
  // A move does not go to one of these, as the fleet is when it is decided. Empty: to any.
  std::function<bool(MachineId)> avoids = {};
};

struct Reply {
  Status status = {};                     // Bad input or a failing world: nothing changed.
  std::optional<Decision> decision = {};  // What was decided; a refusal is a decision too.
  Revision revision{};                    // Of its commit.
  bool duplicate = false;                 // Answered before; this is that answer.

  // What waits for room is accepted; its refusal says what it waits for.
  bool accepted() const {
    return status.ok() && !(decision && decision->refusal && decision->kind != DecisionKind::kWait);
  }
};
using ReplyDone = std::function<void(Reply)>;

// The same number for the same request, whenever and wherever.
std::uint64_t Fingerprint(const Request& request);

// How long an agent thinks about a decision that found what it needs kept, or not. Views are as old
// as the thought when it commits, and other requests wait meanwhile. For rehearsal in virtual time:
// live a decision takes what it takes.
using Thinking = std::function<Duration(bool hit)>;

// How requests were decided.
struct DecidingStats {
  std::uint64_t accepted = 0;
  std::uint64_t refused = 0;
  std::uint64_t commits = 0;    // That the store answered,
  std::uint64_t conflicts = 0;  // of them lost to others,
  std::uint64_t merged = 0;     // and of them won although the view was stale;
  // and of what those placed, instances whose machine was to stay below the policy's theta and does
  // not, with what others placed there at the same time.
  std::uint64_t exceeded = 0;
  // Decisions that looked for machines and found every evaluation kept, and those that did not;
  // and how many machines they had to judge.
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t machines_on_hits = 0;
  std::uint64_t machines_on_misses = 0;

  DecidingStats& operator+=(const DecidingStats& more);
};

}  // namespace berth

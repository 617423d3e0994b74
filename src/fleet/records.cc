#include "berth/records.h"

#include <fmt/format.h>

#include "berth/change.h"

namespace berth {
namespace {

struct KeyMaker {
  RecordKey operator()(const Tenant& r) const { return KeyOf(RecordKind::kTenant, r.name.str()); }
  RecordKey operator()(const InstanceType& r) const {
    return KeyOf(RecordKind::kType, r.name.str());
  }
  RecordKey operator()(const Machine& r) const { return KeyOf(RecordKind::kMachine, r.name.str()); }
  RecordKey operator()(const Service& r) const { return KeyOf(RecordKind::kService, r.name); }
  RecordKey operator()(const Instance& r) const { return KeyOf(r.id); }
  RecordKey operator()(const PolicyText&) const { return KeyOf(RecordKind::kPolicy, ""); }
  RecordKey operator()(const Lease& r) const { return KeyOf(RecordKind::kLease, r.name); }
  RecordKey operator()(const Idempotency& r) const {
    return KeyOf(RecordKind::kIdempotency, r.key);
  }
  RecordKey operator()(const Decision& r) const {
    return {.kind = RecordKind::kDecision, .name = r.id.agent, .number = r.id.sequence};
  }
};

}  // namespace

std::uint32_t Service::InstanceCount() const {
  std::uint32_t count = 0;
  for (const InstanceGroup& group : groups) count += group.count;
  return count;
}

RecordKey KeyOf(const Record& record) { return std::visit(KeyMaker(), record); }
RecordKey KeyOf(const InstanceId& instance) {
  return {.kind = RecordKind::kInstance, .name = instance.service, .number = instance.number};
}
RecordKey KeyOf(RecordKind kind, std::string_view name) {
  return {.kind = kind, .name = std::string(name), .number = 0};
}

std::string ToString(const RecordKey& key) {
  switch (key.kind) {
    case RecordKind::kInstance:
      return fmt::format("instance {}/{}", key.name, key.number);
    case RecordKind::kDecision:
      return fmt::format("decision {}-{}", key.name, key.number);
    case RecordKind::kPolicy:
      return "policy";
    case RecordKind::kTenant:
    case RecordKind::kType:
    case RecordKind::kMachine:
    case RecordKind::kService:
    case RecordKind::kLease:
    case RecordKind::kIdempotency:
      return fmt::format("{} {}", ToString(key.kind), key.name);
  }
  return {};
}

std::string_view ToString(RecordKind kind) {
  switch (kind) {
    case RecordKind::kTenant:
      return "tenant";
    case RecordKind::kType:
      return "type";
    case RecordKind::kMachine:
      return "machine";
    case RecordKind::kService:
      return "service";
    case RecordKind::kInstance:
      return "instance";
    case RecordKind::kPolicy:
      return "policy";
    case RecordKind::kLease:
      return "lease";
    case RecordKind::kIdempotency:
      return "idempotency key";
    case RecordKind::kDecision:
      return "decision";
  }
  return {};
}

std::string_view ToString(Health health) {
  switch (health) {
    case Health::kReady:
      return "ready";
    case Health::kDraining:
      return "draining";
    case Health::kDown:
      return "down";
    case Health::kUpdating:
      return "updating";
  }
  return {};
}

std::string_view ToString(Scope scope) {
  switch (scope) {
    case Scope::kZone:
      return "zone";
    case Scope::kDatacenter:
      return "datacenter";
    case Scope::kCluster:
      return "cluster";
    case Scope::kRow:
      return "row";
  }
  return {};
}

std::string_view ToString(InstanceState state) {
  switch (state) {
    case InstanceState::kPending:
      return "pending";
    case InstanceState::kPlaced:
      return "placed";
    case InstanceState::kRunning:
      return "running";
    case InstanceState::kEnded:
      return "ended";
  }
  return {};
}

std::string_view ToString(DecisionKind kind) {
  switch (kind) {
    case DecisionKind::kCreate:
      return "create";
    case DecisionKind::kScale:
      return "scale";
    case DecisionKind::kResize:
      return "resize";
    case DecisionKind::kMove:
      return "move";
    case DecisionKind::kDelete:
      return "delete";
    case DecisionKind::kFleet:
      return "fleet";
    case DecisionKind::kPolicy:
      return "policy";
    case DecisionKind::kWait:
      return "wait";
  }
  return {};
}

std::string_view ToString(Cure cure) {
  switch (cure) {
    case Cure::kNothing:
      return "nothing";
    case Cure::kMoreMachines:
      return "more-machines";
    case Cure::kSmallerAsk:
      return "smaller-ask";
    case Cure::kOtherRules:
      return "looser-constraints";
    case Cure::kMoreQuota:
      return "more-quota";
    case Cure::kRetry:
      return "retry";
  }
  return {};
}

std::string_view ToString(MoveReason reason) {
  switch (reason) {
    case MoveReason::kAsked:
      return "asked";
    case MoveReason::kWaited:
      return "waited";
    case MoveReason::kMachineFailed:
      return "machine-failed";
    case MoveReason::kDrained:
      return "drained";
    case MoveReason::kViolation:
      return "violation";
    case MoveReason::kFragmentation:
      return "fragmentation";
  }
  return {};
}

std::string_view Advice(Cure cure) {
  switch (cure) {
    case Cure::kNothing:
      return "no machine of this zone can ever take it";
    case Cure::kMoreMachines:
      return "add machines or free room on those that could take it";
    case Cure::kSmallerAsk:
      return "ask for a smaller type";
    case Cure::kOtherRules:
      return "loosen the service's constraints";
    case Cure::kMoreQuota:
      return "raise the tenant's quota";
    case Cure::kRetry:
      return "try again";
  }
  return {};
}

std::string_view ToString(WaitReason reason) {
  switch (reason) {
    case WaitReason::kNoRoom:
      return "no room";
    case WaitReason::kPreempted:
      return "preempted";
    case WaitReason::kDrained:
      return "machine draining";
    case WaitReason::kMachineFailed:
      return "machine failed";
  }
  return {};
}

std::string_view ToString(Reported report) {
  switch (report) {
    case Reported::kStarted:
      return "started";
    case Reported::kEnded:
      return "ended";
    case Reported::kFailed:
      return "failed";
    case Reported::kOutOfMemory:
      return "out-of-memory";
  }
  return {};
}

}  // namespace berth

// What the fleet consists of: the records that the store keeps, one struct each.
//
// zone > datacenter > cluster (machines of one SKU) > row > rack (a fault domain) > machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "berth/decision.h"
#include "berth/ids.h"
#include "berth/name.h"
#include "berth/resources.h"
#include "berth/time.h"

namespace berth {

// Sorted by name, each name once.
using Labels = std::vector<std::pair<LabelName, LabelName>>;

// A quota's amount for a resource that it does not bound.
inline constexpr std::int64_t kUnlimited = INT64_MAX;

struct Tenant {
  TenantId name;
  std::optional<Resources> quota;  // On the sum of its instances' limits. None: unlimited.

  friend bool operator==(const Tenant&, const Tenant&) = default;
};

struct InstanceType {
  TypeId name;
  Resources size;           // The limit an instance of this type starts with.
  std::vector<SkuId> skus;  // The SKUs it may run on; empty: any.
  Labels requires_labels;   // Labels its machine must carry.

  friend bool operator==(const InstanceType&, const InstanceType&) = default;
};

enum class Health : std::uint8_t { kReady, kDraining, kDown, kUpdating };

struct Machine {
  MachineId name;
  DatacenterId datacenter;
  ClusterId cluster;
  RowId row;
  RackId rack;  // Within its row; the fault domain is the whole path.
  DomainId update_domain;
  SkuId sku;
  Resources capacity;
  Labels labels;
  Health health = Health::kReady;

  friend bool operator==(const Machine&, const Machine&) = default;
};

enum class Scope : std::uint8_t { kZone, kDatacenter, kCluster, kRow };

// What must hold of the machines that a service's instances run on.
struct Constraints {
  Labels labels;                   // Labels its machines must carry.
  std::uint32_t spread_racks = 0;  // Over at least this many racks: at most ceil(n/racks) in one.
  std::uint32_t max_per_machine = 0;        // 0: any number; a request with secondaries gets 1.
  std::uint32_t max_per_rack = 0;           // 0: any number.
  std::uint32_t max_per_update_domain = 0;  // 0: any number.
  Scope within = Scope::kZone;              // All instances within one datacenter, cluster or row.
  bool isolate = false;                     // Its machines hold its tenant only, both ways.

  friend bool operator==(const Constraints&, const Constraints&) = default;
};

// So many instances of one type in one role.
struct InstanceGroup {
  TypeId type;
  RoleId role;
  std::uint32_t count = 0;

  friend bool operator==(const InstanceGroup&, const InstanceGroup&) = default;
};

struct Service {
  std::string name;
  TenantId tenant;
  ClassId klass;
  std::vector<InstanceGroup> groups;
  // What follows may lie in the bytes that it leaves unused: there are a million of them.
  [[no_unique_address]] Constraints constraints;
  bool yield_whole = false;       // Preempted together or not at all.
  std::uint32_t next_number = 0;  // Of the next instance; numbers are not reused.

  std::uint32_t InstanceCount() const;
  friend bool operator==(const Service&, const Service&) = default;
};

enum class InstanceState : std::uint8_t {
  kPending,  // Waits for room; has no machine.
  kPlaced,   // Has a machine; whoever acts on it has not yet reported.
  kRunning,  // Reported started.
  kEnded,    // Reported ended; holds no room.
};

// How long an instance ran and waited, from committed transition times. Survives restarts; what has
// passed since `since` is added by whoever reads it.
struct Timeline {
  Time created;
  Time since;         // When it entered its state.
  Duration ran{};     // Placed or running, before `since`.
  Duration waited{};  // Pending, before `since`; and starting anew, once the start is reported.
  std::uint32_t preemptions = 0;
  std::uint32_t failures = 0;  // Reported failed, out-of-memory included.
  std::uint32_t out_of_memory = 0;
  Duration allocation{};  // From being placed where it is to its start, once that is reported.
  Duration overhead{};    // Such starts that preemption made vain.

  friend bool operator==(const Timeline&, const Timeline&) = default;
};

struct Instance {
  InstanceId id;
  TypeId type;
  RoleId role;
  MachineId machine;  // Empty while pending or ended.
  Resources limit;
  InstanceState state = InstanceState::kPending;
  Timeline timeline;

  bool HoldsRoom() const { return !machine.empty(); }
  friend bool operator==(const Instance&, const Instance&) = default;
};

// The policy file in force, as text; every room reads its own section of it.
struct PolicyText {
  std::string text;

  friend bool operator==(const PolicyText&, const PolicyText&) = default;
};

// A named right that one holder has until it expires. The epoch rises with every new holder.
struct Lease {
  std::string name;
  std::string holder;
  std::uint64_t epoch = 0;
  Time expires;

  friend bool operator==(const Lease&, const Lease&) = default;
};

// What was answered to a request with this key, so that a retry never acts twice.
struct Idempotency {
  std::string key;
  std::uint64_t request_hash = 0;
  DecisionId decision;  // Empty: it was merely reported, nothing was decided.
  Time expires;

  friend bool operator==(const Idempotency&, const Idempotency&) = default;
};

using Record = std::variant<Tenant, InstanceType, Machine, Service, Instance, PolicyText, Lease,
                            Idempotency, Decision>;

enum class RecordKind : std::uint8_t {
  kTenant,
  kType,
  kMachine,
  kService,
  kInstance,
  kPolicy,
  kLease,
  kIdempotency,
  kDecision,
};

// Names a record.
struct RecordKey {
  RecordKind kind = RecordKind::kTenant;
  std::string name;
  std::uint64_t number = 0;  // An instance's number, a decision's sequence; 0 otherwise.

  friend auto operator<=>(const RecordKey&, const RecordKey&) = default;
};
RecordKey KeyOf(const Record& record);
RecordKey KeyOf(const InstanceId& instance);
// Keys of the kinds that a name alone identifies.
RecordKey KeyOf(RecordKind kind, std::string_view name);
// "machine m-17", "instance web/3": for messages.
std::string ToString(const RecordKey& key);

std::string_view ToString(RecordKind kind);
std::string_view ToString(Health health);
std::string_view ToString(Scope scope);
std::string_view ToString(InstanceState state);

}  // namespace berth

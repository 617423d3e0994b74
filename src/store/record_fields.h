// The one list of fields per record, read by both the encoder and the decoder: f(number, member).
// A number is never reused and never changes its meaning; the next free one is for the next field.
#pragma once

#include <concepts>
#include <type_traits>

#include "berth/records.h"
#include "berth/store.h"
#include "store/codec.h"

namespace berth {

// T is R or const R: the decoder writes, the encoder reads.
template <typename T, typename R>
concept IsA = std::same_as<std::remove_const_t<T>, R>;

// What a decoder may find in an enumeration: 0 to the last one.
constexpr Health LastOf(Health) { return Health::kUpdating; }
constexpr Scope LastOf(Scope) { return Scope::kRow; }
constexpr InstanceState LastOf(InstanceState) { return InstanceState::kEnded; }
constexpr RecordKind LastOf(RecordKind) { return RecordKind::kDecision; }
constexpr DecisionKind LastOf(DecisionKind) { return DecisionKind::kWait; }
constexpr Resource LastOf(Resource) { return Resource::kGpu; }
constexpr Cure LastOf(Cure) { return Cure::kRetry; }
constexpr MoveReason LastOf(MoveReason) { return MoveReason::kFragmentation; }

template <typename F, IsA<Resources> T>
void Fields(F& f, T& r) {
  f(1, r[Resource::kCpu]);
  f(2, r[Resource::kMemory]);
  f(3, r[Resource::kDisk]);
  f(4, r[Resource::kNetwork]);
  f(5, r[Resource::kGpu]);
}

template <typename F, IsA<Labels::value_type> T>
void Fields(F& f, T& r) {
  f(1, r.first);
  f(2, r.second);
}

template <typename F, IsA<Tenant> T>
void Fields(F& f, T& r) {
  f(1, r.name);
  f(2, r.quota);
}

template <typename F, IsA<InstanceType> T>
void Fields(F& f, T& r) {
  f(1, r.name);
  f(2, r.size);
  f(3, r.skus);
  f(4, r.requires_labels);
}

template <typename F, IsA<Machine> T>
void Fields(F& f, T& r) {
  f(1, r.name);
  f(2, r.datacenter);
  f(3, r.cluster);
  f(4, r.row);
  f(5, r.rack);
  f(6, r.update_domain);
  f(7, r.sku);
  f(8, r.capacity);
  f(9, r.labels);
  f(10, r.health);
}

template <typename F, IsA<Constraints> T>
void Fields(F& f, T& r) {
  f(1, r.spread_racks);
  f(2, r.max_per_machine);
  f(3, r.max_per_rack);
  f(4, r.within);
  f(5, r.isolate);
  f(6, r.labels);
  f(7, r.max_per_update_domain);
}

template <typename F, IsA<InstanceGroup> T>
void Fields(F& f, T& r) {
  f(1, r.type);
  f(2, r.role);
  f(3, r.count);
}

template <typename F, IsA<Service> T>
void Fields(F& f, T& r) {
  f(1, r.name);
  f(2, r.tenant);
  f(3, r.klass);
  f(4, r.groups);
  f(5, r.constraints);
  f(6, r.yield_whole);
  f(7, r.next_number);
}

template <typename F, IsA<InstanceId> T>
void Fields(F& f, T& r) {
  f(1, r.service);
  f(2, r.number);
}

template <typename F, IsA<Timeline> T>
void Fields(F& f, T& r) {
  f(1, r.created);
  f(2, r.since);
  f(3, r.ran);
  f(4, r.waited);
  f(5, r.preemptions);
  f(6, r.failures);
  f(7, r.out_of_memory);
  f(8, r.allocation);
  f(9, r.overhead);
}

template <typename F, IsA<Instance> T>
void Fields(F& f, T& r) {
  f(1, r.id);
  f(2, r.type);
  f(3, r.role);
  f(4, r.machine);
  f(5, r.limit);
  f(6, r.state);
  f(7, r.timeline);
}

template <typename F, IsA<PolicyText> T>
void Fields(F& f, T& r) {
  f(1, r.text);
}

template <typename F, IsA<Lease> T>
void Fields(F& f, T& r) {
  f(1, r.name);
  f(2, r.holder);
  f(3, r.epoch);
  f(4, r.expires);
}

template <typename F, IsA<DecisionId> T>
void Fields(F& f, T& r) {
  f(1, r.agent);
  f(2, r.sequence);
}

template <typename F, IsA<Idempotency> T>
void Fields(F& f, T& r) {
  f(1, r.key);
  f(2, r.request_hash);
  f(3, r.decision);
  f(4, r.expires);
}

template <typename F, IsA<FunnelStep> T>
void Fields(F& f, T& r) {
  f(1, r.rule);
  f(2, r.validator);
  f(3, r.left);
}

template <typename F, IsA<Funnel> T>
void Fields(F& f, T& r) {
  f(1, r.type);
  f(2, r.role);
  f(3, r.instances);
  f(4, r.clusters);
  f(5, r.machines);
  f(6, r.steps);
}

template <typename F, IsA<NearMiss> T>
void Fields(F& f, T& r) {
  f(1, r.machine);
  f(2, r.rule);
  f(3, r.lacks);
}

template <typename F, IsA<Refusal> T>
void Fields(F& f, T& r) {
  f(1, r.rule);
  f(2, r.because);
  f(3, r.cure);
  f(4, r.nearest);
}

template <typename F, IsA<Foreseen> T>
void Fields(F& f, T& r) {
  f(1, r.futures);
  f(2, r.before);
  f(3, r.after);
  f(4, r.at_risk);
}

template <typename F, IsA<Placement> T>
void Fields(F& f, T& r) {
  f(1, r.instance);
  f(2, r.machine);
  f(3, r.foreseen);
}

template <typename F, IsA<Yielded> T>
void Fields(F& f, T& r) {
  f(1, r.to);
  f(2, r.spare);
  f(3, r.left);
}

template <typename F, IsA<Decision> T>
void Fields(F& f, T& r) {
  f(1, r.id);
  f(2, r.kind);
  f(3, r.subject);
  f(4, r.at);
  f(5, r.seen);
  f(6, r.conflicts);
  f(7, r.placed);
  f(8, r.funnels);
  f(9, r.refusal);
  f(10, r.evicted);
  f(11, r.arm);
  f(12, r.reason);
  f(13, r.room_for);
  f(14, r.yielded);
  f(15, r.why);
}

template <typename F, IsA<RecordKey> T>
void Fields(F& f, T& r) {
  f(1, r.kind);
  f(2, r.name);
  f(3, r.number);
}

template <typename F, IsA<StoredRecord> T>
void Fields(F& f, T& r) {
  f(1, r.revision);
  f(2, r.record);
}

template <typename F, IsA<StoredHead> T>
void Fields(F& f, T& r) {
  f(1, r.revision);
  f(2, r.at);
  f(3, r.log_start);
}

// What was put; or, without that, the key of what was removed.
template <typename F, IsA<Update> T>
void Fields(F& f, T& r) {
  f(1, r.record);
  if (!r.record) f(2, r.key);
}

template <typename F, IsA<Committed> T>
void Fields(F& f, T& r) {
  f(1, r.revision);
  f(2, r.at);
  f(3, r.updates);
}

struct StoredNumber {
  std::uint64_t value = 0;
};
template <typename F, IsA<StoredNumber> T>
void Fields(F& f, T& r) {
  f(1, r.value);
}

}  // namespace berth

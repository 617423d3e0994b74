// A change set worked out over an inventory that stays as it is: what each named record was, and
// what it would become. Draft applies; judge.cc checks what comes out.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <memory_resource>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "berth/change.h"
#include "fleet/inventory.h"

namespace berth {

// What a record would become: the one before, another, or none. Copied only to be changed: most
// records that a change names stay as they are.
template <typename T>
class After {
 public:
  explicit operator bool() const { return record_ != nullptr; }
  const T& operator*() const { return *record_; }
  const T* operator->() const { return record_; }

  // The record stays where it is while the draft lives.
  void Refer(const T& record) { record_ = &record; }
  T& Change() {
    if (!own_ || record_ != &*own_) own_ = *record_;
    record_ = &*own_;
    return *own_;
  }
  void Remove() { record_ = nullptr; }
  // Puts the record where it is kept. One that the change holds is moved out of it if it is given
  // up.
  void TakeInto(std::optional<Record>& kept, bool change_given_up) {
    if (change_given_up || (own_ && record_ == &*own_)) {
      kept.emplace(std::move(const_cast<T&>(*record_)));
    } else {
      kept.emplace(*record_);
    }
  }

 private:
  const T* record_ = nullptr;
  std::optional<T> own_;
};

struct DraftInstance {
  const Instance* before = nullptr;
  After<Instance> after;
};

struct DraftService {
  explicit DraftService(std::pmr::memory_resource* pool) : instances(pool) {}

  const ServiceState* before = nullptr;
  After<Service> after;
  bool replaced = false;
  bool numbered = false;                                  // New instances raised its next number.
  std::pmr::map<std::uint32_t, DraftInstance> instances;  // Those that the change names, by number.
};

struct DraftMachine {
  explicit DraftMachine(std::pmr::memory_resource* pool) : changed(pool) {}

  const MachineState* before = nullptr;
  After<Machine> after;
  bool replaced = false;
  bool gains = false;  // An instance arrives.
  bool grows = false;  // An instance arrives or takes more.
  // With the change. Wide, because a change may name more than any machine could hold.
  ResourceTotals allocated;
  std::int64_t instances = 0;
  struct Changed {
    const DraftService* service;
    const DraftInstance* instance;
  };
  std::pmr::vector<Changed> changed;  // Those that come, go or change on it, each once.
};

struct DraftTenant {
  const TenantState* before = nullptr;
  After<Tenant> after;
  bool replaced = false;
  bool grows = false;
  ResourceTotals used;  // With the change.
  std::int64_t services = 0;
};

Violation Because(std::string_view rule, std::string because);

class Draft {
 public:
  template <typename Key, typename T>
  using Named = std::pmr::map<Key, T>;

  Draft(const Inventory& inventory, const ChangeSet& change, Time now)
      : inventory_(inventory), change_(change), now_(now) {}

  // Works out the operations in order, until one makes no sense on this state; the records that
  // the rest name are still noted. A request that was answered before comes first: a retry meets
  // the state that its first try made, which must not look like a conflict.
  std::optional<Violation> ApplyAll();

  const Inventory& inventory() const { return inventory_; }
  const Named<std::string, DraftService>& services() const { return services_; }
  const Named<MachineId, DraftMachine>& machines() const { return machines_; }
  const Named<TenantId, DraftTenant>& tenants() const { return tenants_; }
  const std::optional<DecisionId>& duplicate_of() const { return duplicate_of_; }

  // The types whose records the change puts; none: removed.
  const Named<TypeId, After<InstanceType>>& types() const { return types_; }
  const InstanceType* TypeNow(TypeId name) const;
  const Service* ServiceNow(const ServiceState& before) const;
  // The policy's with the change.
  const FleetSettings& settings() const { return settings_ ? *settings_ : inventory_.settings(); }
  bool changes_policy() const { return settings_.has_value(); }
  // The instances that a service would have.
  std::pmr::vector<const Instance*> InstancesOf(const DraftService& service) const;

  // What to install, in an order that Inventory accepts; decisions and answered requests, which
  // say nothing about the fleet, only if they are wanted. The last thing that is asked of it.
  std::vector<Update> TakeUpdates(bool with_answers, bool change_given_up);
  // Every record that the change's validity depends on, in key order.
  std::vector<RecordKey> NamedRecords() const;
  // Whether any of them changed since.
  bool AnyChangedSince(Revision seen) const;

 private:
  void NoteAll();
  void Note(const Operation& operation);
  void NoteKey(const RecordKey& key);
  void NoteInstance(const InstanceId& id);
  std::optional<Violation> CheckAnswered();

  std::optional<Violation> Apply(const Put& put);
  std::optional<Violation> Apply(const Remove& remove);
  std::optional<Violation> Apply(const Resize& resize);
  std::optional<Violation> Apply(const Move& move);
  std::optional<Violation> Apply(const SetPending& set);
  std::optional<Violation> Apply(const Transition& transition);

  std::optional<Violation> PutRecord(const Tenant& tenant);
  std::optional<Violation> PutRecord(const InstanceType& type);
  std::optional<Violation> PutRecord(const Machine& machine);
  std::optional<Violation> PutRecord(const Service& service);
  std::optional<Violation> PutRecord(const Instance& instance);
  std::optional<Violation> PutRecord(const PolicyText& policy);
  std::optional<Violation> PutRecord(const Lease& lease);
  std::optional<Violation> PutRecord(const Idempotency& answered);
  std::optional<Violation> PutRecord(const Decision& decision);

  void Become(const RecordKey& key, const Record& record);
  std::optional<Violation> RemoveOther(const RecordKey& key);
  std::optional<Violation> RemoveType(TypeId name);
  std::optional<Violation> RemoveTenant(TenantId name);
  std::optional<Violation> RemoveMachine(MachineId name);
  std::optional<Violation> RemoveService(const std::string& name);
  std::optional<Violation> RemoveInstance(const InstanceId& id);
  std::optional<Violation> RemoveLease(const RecordKey& key);

  std::optional<Violation> CheckUnchanged(const RecordKey& key) const;
  Result<DraftInstance*> Existing(const InstanceId& id);
  void EnterState(Instance& instance, InstanceState next) const;
  void NoteStart(Timeline& timeline) const;
  // Books what the services and instances were against what they become. Only the outcome counts:
  // an instance that passes through a machine within one change was never there.
  void Settle();
  void TakeOff(const DraftService& service, const DraftInstance& instance);
  void PutOn(const DraftService& service, const DraftInstance& instance);

  DraftService& ServiceOf(const std::string& name);
  DraftMachine& MachineOf(MachineId name);
  DraftTenant& TenantOf(TenantId name);

  const Inventory& inventory_;
  const ChangeSet& change_;
  Time now_;
  const Record* putting_ = nullptr;  // The record in the change that is being worked out.
  // Nearly every change names so few records that this holds all there is to note of them.
  std::array<std::byte, 4096> room_;
  mutable std::pmr::monotonic_buffer_resource pool_{room_.data(), room_.size()};
  Named<std::string, DraftService> services_{&pool_};
  Named<MachineId, DraftMachine> machines_{&pool_};
  Named<TenantId, DraftTenant> tenants_{&pool_};
  Named<TypeId, After<InstanceType>> types_{&pool_};
  // Policy, leases, idempotency records and decisions; none: removed.
  Named<RecordKey, After<Record>> others_{&pool_};
  std::set<RecordKey> noted_;  // Of those kinds, named but not worked out.
  std::optional<FleetSettings> settings_;
  std::optional<DecisionId> duplicate_of_;
};

}  // namespace berth

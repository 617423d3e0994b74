// A change set worked out over an inventory that stays as it is: what each named record was, and
// what it would become. Draft applies; judge.cc checks what comes out.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "berth/change.h"
#include "fleet/inventory.h"

namespace berth {

struct DraftInstance {
  const Instance* before = nullptr;
  std::optional<Instance> after;
};

struct DraftService {
  const ServiceState* before = nullptr;
  std::optional<Service> after;
  bool replaced = false;
};

struct DraftMachine {
  const MachineState* before = nullptr;
  std::optional<Machine> after;
  bool replaced = false;
  bool gains = false;  // An instance arrives.
  bool grows = false;  // An instance arrives or takes more.
  Resources allocated;  // With the change.
  std::vector<InstanceId> changed;
};

struct DraftTenant {
  const TenantState* before = nullptr;
  std::optional<Tenant> after;
  bool replaced = false;
  bool grows = false;
  ResourceTotals used;  // With the change.
};

class Draft {
 public:
  Draft(const Inventory& inventory, const ChangeSet& change, Time now)
      : inventory_(inventory), change_(change), now_(now) {}

  // Works out the operations in order, until one makes no sense on this state; the records that it
  // and the rest name are still noted.
  std::optional<Violation> ApplyAll();

  const Inventory& inventory() const { return inventory_; }
  const std::map<InstanceId, DraftInstance>& instances() const { return instances_; }
  const std::map<std::string, DraftService>& services() const { return services_; }
  const std::map<MachineId, DraftMachine>& machines() const { return machines_; }
  const std::map<TenantId, DraftTenant>& tenants() const { return tenants_; }
  const std::optional<DecisionId>& duplicate_of() const { return duplicate_of_; }

  const InstanceType* TypeNow(TypeId name) const;
  // The instances that a service would have.
  std::vector<const Instance*> InstancesOf(const std::string& service) const;

  // What to install, in an order that Inventory accepts.
  std::vector<Update> Updates() const;
  // Every record that the change's validity depends on, in key order.
  std::vector<RecordKey> Named() const;

 private:
  void Step(const Operation& operation, std::optional<Violation>& violation);
  void Note(const Operation& operation);
  void NoteInstance(const InstanceId& id);
  void NoteOther(const RecordKey& key);

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

  std::optional<Violation> RemoveTenant(TenantId name);
  std::optional<Violation> RemoveType(TypeId name);
  std::optional<Violation> RemoveMachine(MachineId name);
  std::optional<Violation> RemoveService(const std::string& name);
  std::optional<Violation> RemoveInstance(const InstanceId& id);

  std::optional<Violation> CheckUnchanged(const RecordKey& key) const;
  Result<DraftInstance*> Existing(const InstanceId& id);
  void EnterState(Instance& instance, InstanceState next) const;
  // Books the difference between what an instance was and what it becomes.
  void Rebook(const std::string& service, const std::optional<Instance>& was,
              const std::optional<Instance>& becomes);

  DraftService& ServiceOf(const std::string& name);
  DraftMachine& MachineOf(MachineId name);
  DraftTenant& TenantOf(TenantId name);

  const Inventory& inventory_;
  const ChangeSet& change_;
  Time now_;
  std::map<InstanceId, DraftInstance> instances_;
  std::map<std::string, DraftService> services_;
  std::map<MachineId, DraftMachine> machines_;
  std::map<TenantId, DraftTenant> tenants_;
  std::map<RecordKey, std::optional<Record>> others_;  // Types, policy, leases, idempotency, decisions.
  std::optional<DecisionId> duplicate_of_;
};

}  // namespace berth

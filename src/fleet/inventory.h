// The fleet's state in memory: every record, and what follows from them.
//
// Stores keep one as the truth; each agent keeps one as its view. Records come in through Install
// and nothing else changes it. Installing is idempotent: what follows (room taken, who is where,
// quota used) is recomputed from the record that was and the record that is, so a view may install
// its own tentative placement, then the committed one, or the record that says it never was.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/large_vector.h"
#include "berth/change.h"
#include "berth/records.h"
#include "berth/store.h"
#include "fleet/index.h"
#include "fleet/journal.h"
#include "fleet/name_table.h"
#include "fleet/settings.h"

namespace berth {

struct InstanceRef {
  ServiceIndex service{};
  std::uint32_t number = 0;
  // Another number whenever one is counted on a machine: who stays keeps it.
  std::uint32_t arrival = 0;
};

// Who is on a machine, as far as isolation and eviction ask.
struct Occupancy {
  std::vector<std::pair<TenantIndex, std::uint32_t>> tenants;  // Instances of each, never zero.
  std::uint32_t isolating = 0;                                 // Instances that ask for isolation,
  std::uint32_t evictable = 0;                                 // and those that may be evicted.
};

struct MachineState {
  Machine record;       // A vacant slot has an empty name.
  Resources usable;     // Capacity times the over-subscription ratio.
  Resources allocated;  // Sum of the limits of the instances on it.
  ClusterIndex cluster{};
  RackIndex rack{};
  // In the order of arrival, which differs from view to view and so may not reach a decision.
  std::vector<InstanceRef> instances;
  Occupancy occupancy;
  Revision own_revision{};  // Of the last change of the record itself,
  Revision revision{};      // and of the last change of it or of what is on it.

  bool vacant() const { return record.name.empty(); }
  Resources Free() const { return usable - allocated; }
};

struct KeptInstance : Instance {
  Revision revision{};  // Of its last change.
};

struct ServiceState {
  Service record;  // A vacant slot has an empty name.
  TenantIndex tenant{};
  std::vector<KeptInstance> instances;  // By number.
  Revision own_revision{};              // Of the last change of the record itself,
  Revision revision{};                  // and of the last change of it or of its instances.

  bool vacant() const { return record.name.empty(); }
  const KeptInstance* Find(std::uint32_t number) const;
};

struct TenantState {
  Tenant record;        // A vacant slot has an empty name.
  ResourceTotals used;  // Sum of the limits of all its instances that have not ended.
  std::uint32_t services = 0;
  Revision own_revision{};
};

struct ClusterState {
  DatacenterId datacenter;
  ClusterId name;
  SkuId sku;
  std::vector<MachineIndex> machines;  // In the order of row, rack and name: rack by rack.
  std::uint64_t shape = 0;             // Another number whenever that list changes.
  ResourceTotals capacity;
  ResourceTotals allocated;
};

struct RackState {
  std::string path;  // datacenter/cluster/row/rack
  std::uint32_t machines = 0;
  ResourceTotals capacity;
  ResourceTotals allocated;
};

// Lets a map of strings be asked with a string_view.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>{}(text);
  }
};
template <typename T>
using ByText = std::unordered_map<std::string, T, TextHash, std::equal_to<>>;

class Inventory {
 public:
  Inventory();

  Revision revision() const { return revision_; }
  const FleetSettings& settings() const { return settings_; }
  const PolicyText& policy() const { return policy_; }
  Revision policy_revision() const { return policy_revision_; }
  const Journal& journal() const { return journal_; }

  // All slots, vacant ones included.
  std::span<const MachineState> machines() const { return machines_; }
  std::span<const ServiceState> services() const { return services_; }
  std::span<const ClusterState> clusters() const { return clusters_; }
  std::span<const RackState> racks() const { return racks_; }
  std::span<const TenantState> tenants() const { return tenants_; }
  const std::map<std::string, Lease, std::less<>>& leases() const { return leases_; }
  const std::map<std::string, Idempotency, std::less<>>& idempotency() const {
    return idempotency_;
  }
  const std::map<std::string, std::uint64_t, std::less<>>& decisions() const { return decisions_; }

  const MachineState& operator[](MachineIndex i) const { return machines_[At(i)]; }
  const ServiceState& operator[](ServiceIndex i) const { return services_[At(i)]; }
  const ClusterState& operator[](ClusterIndex i) const { return clusters_[At(i)]; }
  const RackState& operator[](RackIndex i) const { return racks_[At(i)]; }
  const TenantState& operator[](TenantIndex i) const { return tenants_[At(i)]; }

  const MachineState* Find(MachineId name) const;
  const ServiceState* FindService(std::string_view name) const;
  const TenantState* Find(TenantId name) const;
  const InstanceType* Find(TypeId name) const;
  const Instance* Find(const InstanceId& id) const;
  std::vector<const InstanceType*> TypesByName() const;
  std::optional<MachineIndex> IndexOf(MachineId name) const;
  std::optional<ServiceIndex> IndexOfService(std::string_view name) const;
  std::optional<TenantIndex> IndexOf(TenantId name) const;

  // Its class yields, one instance at a time.
  bool IsEvictable(const Service& service) const;

  // The record as it stands; none if there is none. Decisions are in the log, not here.
  std::optional<Record> Get(const RecordKey& key) const;
  bool Has(const RecordKey& key) const;
  // The last change of the record itself, and of it or of what it holds; 0 if it is not there.
  Revision OwnRevision(const RecordKey& key) const;
  Revision RevisionOf(const RecordKey& key) const;
  // Every record, in an order in which they can be installed.
  std::vector<Update> AllRecords() const;

  // Takes over one record as it is now. An instance needs its service, a service its tenant.
  void Install(const Update& update);
  void Install(Update&& update);
  // Installs a whole commit and moves to its revision.
  void Apply(const Committed& committed);
  // For a store that starts from stored records.
  void SetRevision(Revision revision) { revision_ = revision; }
  void TouchMachine(MachineId name, Revision revision);
  // Something that no record says changed about it: it stands in the journal like any other change.
  void NoteChanged(MachineIndex machine) {
    journal_.Touch(machine, machines_[At(machine)].cluster);
  }

  // What only counts up and so does not come back with an old record: when a machine or service was
  // last touched, agents' sequences.
  struct Marks {
    std::vector<std::pair<MachineId, Revision>> machines;
    std::vector<std::pair<std::string, Revision>> services;
    std::vector<std::pair<std::string, std::uint64_t>> agents;  // 0: it never decided.
  };
  // For a store that may have to take these updates back: ask before installing them.
  Marks MarksBefore(const std::vector<Update>& updates) const;
  // After the old records were installed again.
  void Restore(const Marks& marks);

 private:
  void InstallTenant(TenantId name, const Tenant* record, Revision revision);
  void InstallMachine(MachineId name, const Machine* record, Revision revision);
  // Of Update, whose record is moved out of it, and of const Update.
  template <typename Given>
  void InstallGiven(Given& update);
  // Of Service and Instance, and of const ones.
  template <typename Given>
  void InstallService(const std::string& name, Given* record, Revision revision);
  template <typename Given>
  void InstallInstance(std::string_view service, std::uint32_t number, Given* record,
                       Revision revision);
  void InstallPolicy(const PolicyText* record, Revision revision);
  void CountEvictable(MachineState& machine) const;
  void InstallSmall(const Update& update);
  void RemoveTenant(TenantIndex index, Revision revision);
  void RemoveMachine(MachineIndex index);
  void RemoveService(ServiceIndex index, Revision revision);

  void JoinCluster(MachineIndex index);
  void LeaveCluster(MachineIndex index);
  // Adds a machine's capacity to its cluster and rack, or takes it out again.
  void TakeCapacity(const MachineState& machine, int sign);
  // Adds (or takes back) what an instance's record says to its machine, service and tenant.
  void Count(ServiceIndex service, const Instance& instance, Revision revision);
  void Uncount(ServiceIndex service, const Instance& instance, Revision revision);

  Revision revision_{};
  PolicyText policy_;
  Revision policy_revision_{};
  FleetSettings settings_;
  Journal journal_;

  LargeVector<MachineState> machines_;
  LargeVector<ServiceState> services_;
  std::vector<ClusterState> clusters_;
  std::uint64_t shapes_ = 0;  // How often the list of any cluster's machines changed.
  std::uint32_t arrivals_ = 0;
  std::vector<RackState> racks_;
  std::vector<TenantState> tenants_;
  std::vector<MachineIndex> vacant_machines_;
  std::vector<ServiceIndex> vacant_services_;
  std::vector<TenantIndex> vacant_tenants_;

  NameTable<MachineIndex> machine_by_name_;
  NameTable<ServiceIndex> service_by_name_;
  NameTable<TenantIndex> tenant_by_name_;
  ByText<ClusterIndex> cluster_by_path_;
  ByText<RackIndex> rack_by_path_;

  std::unordered_map<TypeId, InstanceType> types_;
  std::map<std::string, Lease, std::less<>> leases_;
  std::map<std::string, Idempotency, std::less<>> idempotency_;
  std::map<std::string, std::uint64_t, std::less<>> decisions_;  // Agent: its last sequence.
  std::map<RecordKey, Revision> small_revisions_;  // Of types, leases and idempotency records.
};

}  // namespace berth

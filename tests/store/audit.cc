#include "audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "store/faulty_files.h"
#include "store/rocksdb_store.h"
#include "support.h"

namespace berth {
namespace {

using Log = std::vector<std::shared_ptr<const Committed>>;

void CheckServices(const Inventory& inventory, std::vector<std::string>& problems) {
  for (const ServiceState& service : inventory.services()) {
    if (service.vacant()) continue;
    std::map<std::pair<TypeId, RoleId>, std::int64_t> missing;
    for (const InstanceGroup& group : service.record.groups) {
      missing[{group.type, group.role}] += group.count;
    }
    for (const Instance& instance : service.instances) --missing[{instance.type, instance.role}];
    const bool whole = std::ranges::all_of(missing, [](const auto& m) { return m.second == 0; });
    if (!whole) problems.push_back(fmt::format("service {} is not whole", service.record.name));
  }
}

void CheckLog(const Log& log, Revision last, const Acknowledged& acknowledged,
              std::vector<std::string>& problems) {
  if (log.size() != ToNumber(last)) {
    problems.push_back(fmt::format("the log holds {} of {} revisions", log.size(), ToNumber(last)));
  }
  std::map<DecisionId, std::vector<Revision>> found;
  for (std::size_t i = 0; i < log.size(); ++i) {
    if (ToNumber(log[i]->revision) != i + 1) {
      problems.push_back(fmt::format("the log has a gap before {}", ToNumber(log[i]->revision)));
    }
    for (const Update& update : log[i]->updates) {
      if (update.key.kind != RecordKind::kDecision) continue;
      found[{update.key.name, update.key.number}].push_back(log[i]->revision);
    }
  }
  for (const auto& [id, revisions] : found) {
    if (revisions.size() > 1) problems.push_back(fmt::format("{} was applied twice", ToString(id)));
  }
  for (const auto& [id, revision] : acknowledged) {
    const auto at = found.find(id);
    if (at == found.end()) {
      problems.push_back(fmt::format("{} was acknowledged and is lost", ToString(id)));
    } else if (at->second.front() != revision) {
      problems.push_back(fmt::format("{} was acknowledged at another revision", ToString(id)));
    }
  }
}

void CheckReplay(const Log& log, const Inventory& inventory, std::vector<std::string>& problems) {
  Inventory replayed;
  for (const auto& committed : log) replayed.Apply(*committed);
  if (!SameUpdates(SortedRecords(replayed), SortedRecords(inventory)) ||
      replayed.decisions() != inventory.decisions()) {
    problems.emplace_back("the state is not what the log leads to");
  }
  for (const MachineState& machine : inventory.machines()) {
    const MachineState* other = replayed.Find(machine.record.name);
    if (other != nullptr && other->revision != machine.revision) {
      problems.push_back(fmt::format("machine {} has revision {}, the log says {}",
                                     machine.record.name.str(), ToNumber(machine.revision),
                                     ToNumber(other->revision)));
    }
  }
  for (const ServiceState& service : inventory.services()) {
    const ServiceState* other = replayed.FindService(service.record.name);
    if (other != nullptr && other->revision != service.revision) {
      problems.push_back(fmt::format("service {} has another revision", service.record.name));
    }
  }
}

}  // namespace

void CheckSums(const Inventory& inventory, std::vector<std::string>& problems) {
  std::map<MachineId, Resources> allocated;
  std::map<TenantId, ResourceTotals> used;
  for (const ServiceState& service : inventory.services()) {
    for (const Instance& instance : service.instances) {
      if (instance.HoldsRoom()) allocated[instance.machine] += instance.limit;
      if (instance.state != InstanceState::kEnded) used[service.record.tenant] += instance.limit;
    }
  }
  for (const MachineState& machine : inventory.machines()) {
    if (machine.vacant()) continue;
    if (machine.allocated != allocated[machine.record.name]) {
      problems.push_back(fmt::format("machine {} counts wrongly", machine.record.name.str()));
    }
    if (!machine.allocated.FitsIn(machine.usable)) {
      problems.push_back(fmt::format("machine {} is over-full", machine.record.name.str()));
    }
  }
  for (const TenantState& tenant : inventory.tenants()) {
    if (tenant.used == used[tenant.record.name]) continue;
    problems.push_back(fmt::format("tenant {} counts wrongly", tenant.record.name.str()));
  }
  for (const ClusterState& cluster : inventory.clusters()) {
    ResourceTotals sum;
    for (const MachineIndex machine : cluster.machines) sum += inventory[machine].allocated;
    if (!(sum == cluster.allocated)) {
      problems.push_back(fmt::format("cluster {} counts wrongly", cluster.name.str()));
    }
  }
  CheckServices(inventory, problems);
}

std::vector<std::string> FindProblems(const std::string& directory,
                                      const Acknowledged& acknowledged) {
  FaultyFiles files;
  files.PretendSyncs();
  RocksDbOptions options;
  options.directory = directory;
  options.files = files.files();
  Result<std::unique_ptr<RocksDbStore>> opened = RocksDbStore::Open(options);
  if (!opened.ok()) return {opened.status().message()};
  return FindProblems(*opened.value(), acknowledged);
}

std::vector<std::string> FindProblems(Store& store, const Acknowledged& acknowledged) {
  Mailbox mailbox;
  std::vector<std::string> problems;
  const auto inventory = ReadAndWait(store, mailbox);
  const Log log = LogAndWait(store, mailbox);
  CheckLog(log, inventory->revision(), acknowledged, problems);
  CheckReplay(log, *inventory, problems);
  CheckSums(*inventory, problems);
  for (const auto& [id, revision] : acknowledged) {
    if (problems.empty() && !DecisionAndWait(store, mailbox, id).ok()) {
      problems.push_back(fmt::format("{} cannot be read", ToString(id)));
    }
  }
  return problems;
}

}  // namespace berth

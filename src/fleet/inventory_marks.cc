// Taking updates back without a trace: what installing the old records again leaves behind.
#include "fleet/inventory.h"

namespace berth {
namespace {

void Mark(const Inventory& inventory, MachineId name, Inventory::Marks& marks) {
  if (const MachineState* machine = inventory.Find(name)) {
    marks.machines.emplace_back(name, machine->revision);
  }
}

// A service that changes is counted anew on every machine that it is on.
void MarkService(const Inventory& inventory, const std::string& name, Inventory::Marks& marks) {
  const ServiceState* service = inventory.FindService(name);
  if (service == nullptr) return;
  marks.services.emplace_back(name, service->revision);
  for (const Instance& instance : service->instances) Mark(inventory, instance.machine, marks);
}

void MarkInstance(const Inventory& inventory, const Update& update, Inventory::Marks& marks) {
  const ServiceState* service = inventory.FindService(update.key.name);
  if (service != nullptr) {
    marks.services.emplace_back(update.key.name, service->revision);
    if (const Instance* is = service->Find(static_cast<std::uint32_t>(update.key.number))) {
      Mark(inventory, is->machine, marks);
    }
  }
  if (update.record) Mark(inventory, std::get<Instance>(*update.record).machine, marks);
}

}  // namespace

Inventory::Marks Inventory::MarksBefore(const std::vector<Update>& updates) const {
  Marks marks;
  for (const Update& update : updates) {
    if (update.key.kind == RecordKind::kMachine) {
      Mark(*this, MachineId(update.key.name), marks);
    } else if (update.key.kind == RecordKind::kService) {
      MarkService(*this, update.key.name, marks);
    } else if (update.key.kind == RecordKind::kInstance) {
      MarkInstance(*this, update, marks);
    } else if (update.key.kind == RecordKind::kDecision) {
      const auto last = decisions_.find(update.key.name);
      marks.agents.emplace_back(update.key.name, last == decisions_.end() ? 0 : last->second);
    }
  }
  return marks;
}

void Inventory::Restore(const Marks& marks) {
  for (const auto& [name, revision] : marks.machines) {
    if (const auto index = IndexOf(name)) machines_[At(*index)].revision = revision;
  }
  for (const auto& [name, revision] : marks.services) {
    if (const auto index = IndexOfService(name)) services_[At(*index)].revision = revision;
  }
  for (const auto& [agent, sequence] : marks.agents) {
    if (sequence == 0) {
      decisions_.erase(agent);
    } else {
      decisions_[agent] = sequence;
    }
  }
}

}  // namespace berth

#include "serve/ended_usage.h"

#include <utility>
#include <vector>

namespace berth {
namespace {

// Whose records go: those instances, and all of those services.
struct Ended {
  Time at;
  std::vector<InstanceId> instances;
  std::vector<std::string> services;
};

Ended EndedBy(const Committed& committed) {
  Ended ended{.at = committed.at, .instances = {}, .services = {}};
  for (const Update& update : committed.updates) {
    if (update.key.kind == RecordKind::kService && !update.record) {
      ended.services.push_back(update.key.name);
    }
    if (update.key.kind != RecordKind::kInstance) continue;
    const bool there =
        update.record && std::get<Instance>(*update.record).state != InstanceState::kEnded;
    if (there) continue;
    ended.instances.push_back({update.key.name, static_cast<std::uint32_t>(update.key.number)});
  }
  return ended;
}

Status DropAll(const Ended& ended, UsageRecords& records) {
  for (const InstanceId& id : ended.instances) BERTH_RETURN_IF_ERROR(records.Drop(id, ended.at));
  for (const std::string& service : ended.services) {
    BERTH_RETURN_IF_ERROR(records.DropService(service, ended.at));
  }
  return {};
}

}  // namespace

void EndedUsage::Follow(Store& store, Executor& executor, Observer& observer, Revision from) {
  watch_ = store.WatchFrom(
      from, executor, [this, &store, &executor, &observer](const WatchEvent& event) {
        // What ended in between is dropped when the zone is served again.
        if (event.committed == nullptr) return Follow(store, executor, observer, event.compacted);
        Ended ended = EndedBy(*event.committed);
        if (ended.instances.empty() && ended.services.empty()) return;
        observer.UseRecords(
            [ended = std::move(ended)](UsageRecords& records) { return DropAll(ended, records); });
      });
}

}  // namespace berth

// Installs records into a view for a while and takes them back at the end of the scope.
#pragma once

#include <optional>
#include <vector>

#include "fleet/inventory.h"

namespace berth {

class Scratch {
 public:
  explicit Scratch(Inventory& view) : view_(view) {}
  ~Scratch() {
    for (auto update = before_.rbegin(); update != before_.rend(); ++update) view_.Install(*update);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  void Install(const Record& record) { Change(KeyOf(record), record); }
  void Remove(const RecordKey& key) { Change(key, std::nullopt); }
  // The instance is there; it leaves its machine and waits.
  void Suspend(const InstanceId& id) {
    Instance instance = *view_.Find(id);
    instance.machine = MachineId();
    instance.state = InstanceState::kPending;
    Install(instance);
  }

 private:
  void Change(const RecordKey& key, std::optional<Record> record) {
    const Revision revision = view_.OwnRevision(key);
    before_.push_back({.key = key, .record = view_.Get(key), .revision = revision});
    view_.Install({.key = key, .record = std::move(record), .revision = revision});
  }

  Inventory& view_;
  std::vector<Update> before_;
};

}  // namespace berth

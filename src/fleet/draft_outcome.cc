// What a draft comes to: records as they would be, what to install, what it depends on.
#include <algorithm>

#include "fleet/draft.h"

namespace berth {

const InstanceType* Draft::TypeNow(TypeId name) const {
  const auto put = types_.find(name);
  if (put == types_.end()) return inventory_.Find(name);
  return put->second ? &*put->second : nullptr;
}

const Service* Draft::ServiceNow(const ServiceState& before) const {
  const auto changed = services_.find(before.record.name);
  if (changed == services_.end()) return &before.record;
  return changed->second.after ? &*changed->second.after : nullptr;
}

std::pmr::vector<const Instance*> Draft::InstancesOf(const DraftService& service) const {
  std::pmr::vector<const Instance*> all(&pool_);
  auto changed = service.instances.begin();
  const auto take_changed = [&] {
    if (changed->second.after) all.push_back(&*changed->second.after);
    ++changed;
  };
  if (service.before != nullptr) {
    for (const Instance& instance : service.before->instances) {
      const std::uint32_t number = instance.id.number;
      while (changed != service.instances.end() && changed->first < number) take_changed();
      if (changed != service.instances.end() && changed->first == number) {
        take_changed();
      } else {
        all.push_back(&instance);
      }
    }
  }
  while (changed != service.instances.end()) take_changed();
  return all;
}

std::vector<Update> Draft::TakeUpdates(bool with_answers, bool change_given_up) {
  std::size_t most = types_.size() + others_.size() + services_.size();
  for (const auto& [name, service] : services_) most += service.instances.size();
  std::vector<Update> updates;
  updates.reserve(most);
  // Built in place: an update is large.
  const auto remove = [&](RecordKey key) -> Update& {
    Update& update = updates.emplace_back();
    update.key = std::move(key);
    return update;
  };
  const auto put = [&](RecordKey key, auto& after) {
    after.TakeInto(remove(std::move(key)).record, change_given_up);
  };
  // Things come before what needs them and go after it.
  for (auto& [name, type] : types_) {
    RecordKey key = KeyOf(RecordKind::kType, name.str());
    if (type) {
      put(std::move(key), type);
    } else {
      remove(std::move(key));
    }
  }
  for (auto& [key, record] : others_) {
    const bool answer = key.kind == RecordKind::kDecision || key.kind == RecordKind::kIdempotency;
    if (answer && !with_answers) continue;
    if (record) {
      put(key, record);
    } else {
      remove(key);
    }
  }
  for (auto& [name, tenant] : tenants_) {
    if (tenant.replaced && tenant.after) put(KeyOf(RecordKind::kTenant, name.str()), tenant.after);
  }
  for (auto& [name, machine] : machines_) {
    if (machine.replaced && machine.after)
      put(KeyOf(RecordKind::kMachine, name.str()), machine.after);
  }
  for (auto& [name, service] : services_) {
    if ((service.replaced || service.numbered) && service.after)
      put(KeyOf(RecordKind::kService, name), service.after);
  }
  for (auto& [name, service] : services_) {
    for (auto& [number, instance] : service.instances) {
      const bool same =
          instance.before != nullptr && instance.after && *instance.before == *instance.after;
      if (instance.after && !same) put(KeyOf(instance.after->id), instance.after);
      if (!instance.after && instance.before != nullptr) remove(KeyOf(instance.before->id));
    }
  }
  for (const auto& [name, service] : services_) {
    if (service.replaced && !service.after) remove(KeyOf(RecordKind::kService, name));
  }
  for (const auto& [name, machine] : machines_) {
    if (machine.replaced && !machine.after) remove(KeyOf(RecordKind::kMachine, name.str()));
  }
  for (const auto& [name, tenant] : tenants_) {
    if (tenant.replaced && !tenant.after) remove(KeyOf(RecordKind::kTenant, name.str()));
  }
  return updates;
}

std::vector<RecordKey> Draft::NamedRecords() const {
  std::vector<RecordKey> named(noted_.begin(), noted_.end());
  for (const auto& [name, type] : types_) named.push_back(KeyOf(RecordKind::kType, name.str()));
  for (const auto& [key, record] : others_) named.push_back(key);
  for (const auto& [name, tenant] : tenants_) {
    named.push_back(KeyOf(RecordKind::kTenant, name.str()));
  }
  for (const auto& [name, machine] : machines_) {
    named.push_back(KeyOf(RecordKind::kMachine, name.str()));
  }
  for (const auto& [name, service] : services_) {
    named.push_back(KeyOf(RecordKind::kService, name));
    for (const auto& [number, instance] : service.instances) {
      named.push_back({.kind = RecordKind::kInstance, .name = name, .number = number});
    }
  }
  std::erase_if(named, [](const RecordKey& key) { return key.kind == RecordKind::kDecision; });
  std::ranges::sort(named);
  named.erase(std::unique(named.begin(), named.end()), named.end());
  return named;
}

bool Draft::AnyChangedSince(Revision seen) const {
  if (inventory_.revision() <= seen) return false;
  for (const auto& [name, type] : types_) {
    if (inventory_.OwnRevision(KeyOf(RecordKind::kType, name.str())) > seen) return true;
  }
  for (const auto& [key, record] : others_) {
    if (key.kind != RecordKind::kDecision && inventory_.OwnRevision(key) > seen) return true;
  }
  for (const auto& [name, tenant] : tenants_) {
    if (tenant.before != nullptr && tenant.before->own_revision > seen) return true;
  }
  for (const auto& [name, machine] : machines_) {
    if (machine.before != nullptr && machine.before->revision > seen) return true;
  }
  // A service's revision is also that of its instances.
  for (const auto& [name, service] : services_) {
    if (service.before != nullptr && service.before->revision > seen) return true;
  }
  return false;
}

}  // namespace berth

#include "engine/pending_queue.h"

#include <algorithm>

namespace berth {
namespace {

Time Since(const std::map<std::uint32_t, Time>& waiting) {
  Time since = Time::max();
  for (const auto& [number, began] : waiting) since = std::min(since, began);
  return since;
}

}  // namespace

void PendingQueue::Note(const Update& update) {
  if (update.key.kind == RecordKind::kService && !update.record) {
    const auto known = waiting_.find(update.key.name);
    if (known == waiting_.end()) return;
    Leave(update.key.name, known->second);
    waiting_.erase(known);
  }
  if (update.key.kind == RecordKind::kInstance) {
    Set(update.key.name, static_cast<std::uint32_t>(update.key.number),
        update.record ? &std::get<Instance>(*update.record) : nullptr);
  }
}

void PendingQueue::Set(const std::string& service, std::uint32_t number, const Instance* instance) {
  const bool waits = instance != nullptr && instance->state == InstanceState::kPending;
  const auto known = waiting_.find(service);
  if (known == waiting_.end() && !waits) return;
  Waiting& waiting = known == waiting_.end() ? waiting_[service] : known->second;
  Leave(service, waiting);
  if (waits) {
    waiting[number] = instance->timeline.since;
  } else {
    waiting.erase(number);
  }
  Join(service, waiting);
  if (waiting.empty()) waiting_.erase(service);
}

void PendingQueue::Leave(const std::string& service, const Waiting& waiting) {
  if (!waiting.empty()) order_.erase({Since(waiting), service});
  instances_ -= waiting.size();
}

void PendingQueue::Join(const std::string& service, const Waiting& waiting) {
  if (!waiting.empty()) order_.emplace(Since(waiting), service);
  instances_ += waiting.size();
}

void PendingQueue::Rebuild(const Inventory& fleet) {
  *this = PendingQueue();
  for (const ServiceState& service : fleet.services()) {
    for (const Instance& instance : service.instances) {
      Set(service.record.name, instance.id.number, &instance);
    }
  }
}

std::vector<std::string> PendingQueue::InOrder() const {
  std::vector<std::string> services;
  services.reserve(order_.size());
  for (const auto& [since, service] : order_) services.push_back(service);
  return services;
}

}  // namespace berth

#include "engine/pending_queue.h"

#include <algorithm>

namespace berth {

void PendingQueue::Refresh(const Inventory& view, const std::string& service) {
  if (const auto known = waiting_.find(service); known != waiting_.end()) {
    order_.erase({known->second.since, service});
    instances_ -= known->second.instances;
    waiting_.erase(known);
  }
  const ServiceState* state = view.FindService(service);
  if (state == nullptr) return;
  Waiting waiting{.since = Time::max(), .instances = 0};
  for (const Instance& instance : state->instances) {
    if (instance.state != InstanceState::kPending) continue;
    waiting.since = std::min(waiting.since, instance.timeline.since);
    ++waiting.instances;
  }
  if (waiting.instances == 0) return;
  waiting_[service] = waiting;
  order_.emplace(waiting.since, service);
  instances_ += waiting.instances;
}

void PendingQueue::Rebuild(const Inventory& view) {
  *this = PendingQueue();
  for (const ServiceState& service : view.services()) {
    if (!service.vacant()) Refresh(view, service.record.name);
  }
}

std::vector<std::string> PendingQueue::InOrder() const {
  std::vector<std::string> services;
  services.reserve(order_.size());
  for (const auto& [since, service] : order_) services.push_back(service);
  return services;
}

}  // namespace berth

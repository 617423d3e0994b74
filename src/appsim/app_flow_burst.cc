#include <algorithm>

#include "appsim/app_flow.h"

namespace berth {
namespace {

// For a heap with the first on top: of those with as much left, who began first.
constexpr auto kLater = [](const auto& a, const auto& b) {
  return a.work != b.work ? a.work > b.work : a.order > b.order;
};

}  // namespace

void AppFlow::AddBursting(std::uint32_t index, std::size_t type) {
  const CpuBurst& burst = model_.node_types[type].burst;
  bursting_.emplace(
      index, BurstingNode{.type = type,
                          .cpu = BurstingCpu(burst, nodes_[index].capacity[0], agenda_.now())});
}

void AppFlow::WorkOnBursting(std::uint32_t index, std::uint32_t part, std::int64_t takes) {
  BurstingNode& node = bursting_.at(index);
  // What is not done at the end of the run never is, so that work fits its type.
  const std::int64_t counts = std::min(takes, agenda_.end() + 1 - agenda_.now());
  node.due.push_back({.work = node.cpu.Done(agenda_.now()) + counts * kFullSpeed,
                      .order = agenda_.NextOrder(),
                      .part = part});
  std::ranges::push_heap(node.due, kLater);
  CpuChanged(index);
}

// To be called before the clock goes on, however often before.
void AppFlow::CpuChanged(std::uint32_t index) {
  BurstingNode& node = bursting_.at(index);
  node.cpu.Ask(agenda_.now(), nodes_[index].used[0]);
  if (node.due.empty()) return;
  const std::int64_t at = node.cpu.WhenDone(node.due.front().work);
  const std::uint64_t order = node.due.front().order;
  if (at == node.next_at && order == node.next_order) return;
  node.next_at = at;
  node.next_order = order;
  node.next = kNone;
  if (at > agenda_.end()) return;
  if (free_events_.empty()) {
    free_events_.push_back(static_cast<std::uint32_t>(node_of_event_.size()));
    node_of_event_.push_back(kNone);
  }
  node.next = free_events_.back();
  free_events_.pop_back();
  node_of_event_[node.next] = index;
  agenda_.PushInOrder(AppEventKind::kNodeDone, node.next, at, order);
}

void AppFlow::FinishFirst(std::uint32_t event) {
  const std::uint32_t index = node_of_event_[event];
  BurstingNode& node = bursting_.at(index);
  free_events_.push_back(event);
  if (node.next != event) return;
  std::ranges::pop_heap(node.due, kLater);
  const std::uint32_t part = node.due.back().part;
  node.due.pop_back();
  Finish(part);
  CpuChanged(index);
}

double AppFlow::ThrottledSeconds(std::size_t node_type, std::int64_t now) {
  std::int64_t throttled_us = 0;
  for (auto& [index, node] : bursting_) {
    if (node.type == node_type) throttled_us += node.cpu.Throttled(now);
  }
  return static_cast<double>(throttled_us) / 1e6;
}

}  // namespace berth

#include <algorithm>

#include "appsim/app_flow.h"

namespace berth {
namespace {

// For a heap with the first on top: of those with as much left, who began first.
constexpr auto kLater = [](const auto& a, const auto& b) {
  return a.work != b.work ? a.work > b.work : a.order > b.order;
};

}  // namespace

void AppFlow::AddBursting(NodeState& node, std::size_t type) {
  node.bursting = static_cast<std::uint32_t>(bursting_.size());
  bursting_.push_back(
      {.type = type,
       .cpu = BurstingCpu(model_.node_types[type].burst, node.capacity[0], agenda_.now())});
}

void AppFlow::WorkOnBursting(std::uint32_t index, std::uint32_t part, std::int64_t takes) {
  BurstingNode& node = bursting_[nodes_[index].bursting];
  // What is not done at the end of the run never is, so that work fits its type.
  const std::int64_t counts = std::min(takes, agenda_.end() + 1 - agenda_.now());
  node.due.push_back({.work = node.cpu.Done(agenda_.now()) + counts * kFullSpeed,
                      .order = agenda_.NextOrder(),
                      .part = part});
  std::ranges::push_heap(node.due, kLater);
  CpuChanged(index);
}

void AppFlow::CpuChanged(std::uint32_t index) {
  bursting_[nodes_[index].bursting].cpu.Ask(agenda_.now(), nodes_[index].used[0]);
  ScheduleFirst(index);
}

void AppFlow::ScheduleFirst(std::uint32_t index) {
  BurstingNode& node = bursting_[nodes_[index].bursting];
  if (node.due.empty()) return;
  const std::int64_t at = node.cpu.WhenDone(node.due.front().work);
  const std::uint64_t order = node.due.front().order;
  if (at == node.next_at && order == node.next_order) return;
  node.next_at = at;
  node.next_order = order;
  agenda_.PushInOrder(AppEventKind::kNodeDone, index, at, order);
}

void AppFlow::FinishFirst(std::uint32_t index, std::uint64_t order) {
  BurstingNode& node = bursting_[nodes_[index].bursting];
  if (node.next_at != agenda_.now() || node.next_order != order) return;
  std::ranges::pop_heap(node.due, kLater);
  const std::uint32_t part = node.due.back().part;
  node.due.pop_back();
  node.next_order = 0;
  Finish(part);
  ScheduleFirst(index);  // If the instance was gone, nothing has changed that would have done so.
}

double AppFlow::ThrottledSeconds(std::size_t node_type, std::int64_t now) {
  std::int64_t throttled_us = 0;
  for (BurstingNode& node : bursting_) {
    if (node.type == node_type) throttled_us += node.cpu.Throttled(now);
  }
  return static_cast<double>(throttled_us) / 1e6;
}

}  // namespace berth

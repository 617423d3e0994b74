#include "base/task_queue.h"

#include <algorithm>
#include <utility>

#include "berth/check.h"

namespace berth {
namespace {

constexpr std::size_t kChildren = 4;

}  // namespace

void TaskQueue::Push(Time at, Executor::Task task) {
  std::size_t slot = slots_.size();
  if (free_slots_.empty()) {
    slots_.push_back(std::move(task));
  } else {
    slot = free_slots_.back();
    free_slots_.pop_back();
    slots_[slot] = std::move(task);
  }
  heap_.emplace_back();
  SiftUp(heap_.size() - 1, {.at = at, .sequence = next_sequence_++, .slot = slot});
}

Executor::Task TaskQueue::Pop() {
  BERTH_CHECK(!heap_.empty());
  const std::size_t slot = heap_.front().slot;
  const Key last = heap_.back();
  heap_.pop_back();
  if (!heap_.empty()) SiftDown(last);
  free_slots_.push_back(slot);
  return std::exchange(slots_[slot], nullptr);
}

// Moves the hole at `index` up to where `key` belongs.
void TaskQueue::SiftUp(std::size_t index, const Key& key) {
  while (index > 0) {
    const std::size_t parent = (index - 1) / kChildren;
    if (!key.Before(heap_[parent])) break;
    heap_[index] = heap_[parent];
    index = parent;
  }
  heap_[index] = key;
}

// Moves the hole at the top down to where `key` belongs.
void TaskQueue::SiftDown(const Key& key) {
  std::size_t index = 0;
  for (;;) {
    const std::size_t first = kChildren * index + 1;
    if (first >= heap_.size()) break;
    std::size_t best = first;
    const std::size_t end = std::min(first + kChildren, heap_.size());
    for (std::size_t child = first + 1; child < end; ++child) {
      if (heap_[child].Before(heap_[best])) best = child;
    }
    if (!heap_[best].Before(key)) break;
    heap_[index] = heap_[best];
    index = best;
  }
  heap_[index] = key;
}

}  // namespace berth

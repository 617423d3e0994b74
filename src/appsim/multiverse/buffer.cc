#include "appsim/multiverse/buffer.h"

#include <algorithm>
#include <utility>

namespace berth::multiverse {
namespace {

// The bytes that an item takes of a link for as long as it is on it, in whole steps.
double ShareOfLink(const Item& item, const GroupLink& link, std::int64_t step) {
  const std::int64_t steps = link.latency / step;
  return item.bytes * static_cast<double>(steps);
}

// What has arrived. With `skips_items` the one after each that arrives is passed over.
void Advance(GroupLink& link, std::size_t service, ItemPool& pool, std::int64_t step,
             bool skips_items, std::vector<ItemIndex>& arrived) {
  std::vector<ItemIndex>& items = link.in_transfer[service];
  std::size_t kept = 0;
  bool skip = false;
  for (const ItemIndex index : items) {
    if (std::exchange(skip, false)) {
      items[kept++] = index;
      continue;
    }
    Item& item = pool[index];
    item.left -= step;
    item.accumulated += step;
    item.network += step;
    if (item.left > 0) {
      items[kept++] = index;
      continue;
    }
    link.used -= ShareOfLink(item, link, step);
    arrived.push_back(index);
    skip = skips_items;
  }
  items.resize(kept);
}

}  // namespace

bool ServiceBuffer::Send(ItemIndex index, ItemPool& pool, std::vector<GroupLink>& links,
                         std::int64_t step) {
  if (links_.empty()) return false;
  next_link_ %= links_.size();
  GroupLink& link = links[links_[next_link_++]];
  Item& item = pool[index];
  const double share = ShareOfLink(item, link, step);
  if (link.used + share > link.bandwidth) return false;
  link.used += share;
  item.left = link.latency;
  item.service = service_;
  link.in_transfer[service_].push_back(index);
  return true;
}

std::uint64_t ServiceBuffer::Step(ItemPool& pool, std::vector<GroupLink>& links, std::int64_t step,
                                  bool skips_items) {
  std::uint64_t lost = 0;
  std::erase_if(queue_, [&](ItemIndex index) {
    const Item& item = pool[index];
    if (item.accumulated < (*types_)[item.request].timeout.count()) return false;
    Forget(item);
    pool.Free(index);
    ++lost;
    return true;
  });
  std::vector<ItemIndex> arrived;
  for (const std::size_t link : links_) {
    arrived.clear();
    Advance(links[link], service_, pool, step, skips_items, arrived);
    for (const ItemIndex index : arrived) {
      const std::uint32_t capacity = spec_->capacity[pool[index].request];
      if (capacity > 0 && held_[pool[index].request] >= capacity) {
        pool.Free(index);
        ++lost;
      } else {
        Insert(index, pool);
      }
    }
  }
  return lost;
}

void ServiceBuffer::Insert(ItemIndex index, const ItemPool& pool) {
  const Item& item = pool[index];
  ++held_[item.request];
  if (!item.upstream) ++of_id_[item.id];
  switch (spec_->order) {
    case QueueOrder::kFifo:
      queue_.push_back(index);
      return;
    case QueueOrder::kLifo:
      queue_.push_front(index);
      return;
    case QueueOrder::kOldestFirst:
      queue_.insert(
          std::find_if(queue_.begin(), queue_.end(),
                       [&](ItemIndex other) { return pool[other].accumulated < item.accumulated; }),
          index);
      return;
  }
}

void ServiceBuffer::Forget(const Item& item) {
  --held_[item.request];
  if (item.upstream) return;
  const auto found = of_id_.find(item.id);
  if (--found->second == 0) of_id_.erase(found);
}

bool ServiceBuffer::HasWholeFirst(const ItemPool& pool) const {
  if (queue_.empty()) return false;
  const Item& first = pool[queue_.front()];
  return first.replies_expected <= 1 || of_id_.at(first.id) == first.replies_expected;
}

ItemIndex ServiceBuffer::Take(const ItemPool& pool) {
  const ItemIndex index = queue_.front();
  queue_.pop_front();
  Forget(pool[index]);
  return index;
}

ItemIndex ServiceBuffer::TakeWhole(ItemPool& pool, bool reverses) {
  const ItemIndex index = Take(pool);
  const std::uint64_t id = pool[index].id;
  if (of_id_.contains(id)) {
    std::erase_if(queue_, [&](ItemIndex other) {
      if (pool[other].id != id) return false;
      Forget(pool[other]);
      pool.Free(other);
      return true;
    });
  }
  if (reverses) std::reverse(queue_.begin(), queue_.end());
  pool[index].replies_expected = 1;
  return index;
}

void ServiceBuffer::Rotate() {
  if (queue_.size() < 2) return;
  queue_.push_front(queue_.back());
  queue_.pop_back();
}

void ServiceBuffer::ChargeWaiting(ItemPool& pool, std::int64_t step) {
  for (const ItemIndex index : queue_) {
    pool[index].accumulated += step;
    pool[index].waited += step;
    pool.WaitedAt(index, service_) += step;
  }
}

double ServiceBuffer::MeanWaited(ItemPool& pool) const {
  if (queue_.empty()) return 0;
  std::int64_t sum = 0;
  for (const ItemIndex index : queue_) sum += pool.WaitedAt(index, service_);
  return static_cast<double>(sum) / static_cast<double>(queue_.size());
}

}  // namespace berth::multiverse

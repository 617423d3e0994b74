#include "qos/room_index.h"

#include <algorithm>

#include "berth/check.h"

namespace berth {

RoomIndex::Added::Added(const Resources& asked, const Resources& capacity) : demand(asked) {
  // A resource that hosts have none of is full whatever is asked.
  const auto points = [&](Resource r) {
    return capacity[r] <= 0 ? 0 : RequestedPoints(std::min(asked[r], 2 * capacity[r]), capacity[r]);
  };
  fill = {points(Resource::kCpu), points(Resource::kMemory)};
}

std::uint32_t RoomIndex::ShapeOf(const Resources& capacity) {
  const auto [at, added] =
      shape_of_.try_emplace({capacity[Resource::kCpu], capacity[Resource::kMemory]},
                            static_cast<std::uint32_t>(shapes_.size()));
  if (added) {
    shapes_.emplace_back();
    shapes_.back().capacity[Resource::kCpu] = capacity[Resource::kCpu];
    shapes_.back().capacity[Resource::kMemory] = capacity[Resource::kMemory];
    shapes_.back().least.fill(kNone);
  }
  return at->second;
}

RoomIndex::Bucket::node_type RoomIndex::Take(Entry& entry, HostIndex host) {
  entry.present = false;
  Shape& shape = shapes_[entry.shape];
  Bucket& bucket = shape.buckets[entry.bucket];
  Bucket::node_type place = bucket.extract(entry.InBucket(host));
  shape.least[entry.bucket] = bucket.empty() ? kNone : bucket.begin()->sum;
  return place;
}

void RoomIndex::Put(HostIndex host, const Resources& capacity, const Resources& free) {
  if (entries_.size() <= ToNumber(host)) entries_.resize(ToNumber(host) + 1);
  Entry& entry = entries_[ToNumber(host)];
  if (entry.present && entry.free == free && shapes_[entry.shape].IsOf(capacity)) return;
  Bucket::node_type place;
  if (entry.present) place = Take(entry, host);
  const std::uint32_t shape_index = ShapeOf(capacity);
  const HostFill fill = FillOf(capacity - free, capacity);
  const auto bucket = static_cast<std::size_t>((fill.Imbalance() + kFullPoints) >> kBucketBits);
  entry = {
      .present = true, .shape = shape_index, .bucket = bucket, .sum = fill.Sum(), .free = free};
  Shape& shape = shapes_[shape_index];
  if (place.empty()) {
    shape.buckets[bucket].insert(entry.InBucket(host));
  } else {
    place.value() = entry.InBucket(host);
    shape.buckets[bucket].insert(std::move(place));
  }
  shape.least[bucket] = std::min(shape.least[bucket], entry.sum);
}

void RoomIndex::Remove(HostIndex host) {
  if (entries_.size() <= ToNumber(host)) return;
  Entry& entry = entries_[ToNumber(host)];
  if (entry.present) Take(entry, host);
}

}  // namespace berth

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

// How far the imbalance of a host in the bucket, with the request, is from none at least.
std::int64_t RoomIndex::Added::Distance(std::size_t bucket) const {
  const std::int64_t begin = BucketBegin(bucket) + fill.Imbalance();
  const std::int64_t last = begin + (std::int64_t{1} << kBucketBits) - 1;
  return std::max<std::int64_t>({begin, -last, 0});
}

// A host of the bucket with a larger sum has no room for it.
std::int64_t RoomIndex::Added::SumMax(std::size_t bucket) const {
  const std::int64_t begin = BucketBegin(bucket);
  const std::int64_t last = begin + (std::int64_t{1} << kBucketBits) - 1;
  return std::min(2 * (kFullPoints - fill.cpu_points) - begin,
                  2 * (kFullPoints - fill.memory_points) + last) +
         kRounding;
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

void RoomIndex::Erase(Entry& entry, HostIndex host) {
  Shape& shape = shapes_[entry.shape];
  Bucket& bucket = shape.buckets[entry.bucket];
  bucket.erase(entry.InBucket(host));
  shape.least[entry.bucket] = bucket.empty() ? kNone : bucket.begin()->sum;
  entry.present = false;
}

void RoomIndex::Put(HostIndex host, const Resources& capacity, const Resources& free) {
  if (entries_.size() <= ToNumber(host)) entries_.resize(ToNumber(host) + 1);
  Entry& entry = entries_[ToNumber(host)];
  const std::uint32_t shape_index = ShapeOf(capacity);
  const HostFill fill = FillOf(capacity - free, capacity);
  const auto bucket = static_cast<std::size_t>((fill.Imbalance() + kFullPoints) >> kBucketBits);
  if (entry.present) Erase(entry, host);
  entry.free = free;
  entry.present = true;
  entry.shape = shape_index;
  entry.bucket = bucket;
  entry.sum = fill.Sum();
  Shape& shape = shapes_[shape_index];
  shape.buckets[bucket].insert(entry.InBucket(host));
  shape.least[bucket] = std::min(shape.least[bucket], entry.sum);
}

void RoomIndex::Remove(HostIndex host) {
  if (entries_.size() <= ToNumber(host)) return;
  Entry& entry = entries_[ToNumber(host)];
  if (entry.present) Erase(entry, host);
}

}  // namespace berth

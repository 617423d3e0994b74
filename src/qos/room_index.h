// Hosts by their free room: finds the one that a request would leave best filled, without looking
// at most of the others.
//
// With cpu and memory shares c and m of a host, what it falls short by (allocation_score.h) is
// (c + m) + 2|c - m|, and a request adds the same shares to every host of one capacity. So the
// hosts of a capacity are put into buckets by c - m, ordered by c + m within: in a bucket the best
// come first, and who comes after a certain sum has no room.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "qos/allocation_score.h"
#include "qos/request_table.h"

namespace berth {

class RoomIndex {
 public:
  // Adds it, or takes note of its new room.
  void Put(HostIndex host, const Resources& capacity, const Resources& free);
  // Whether it is there or not.
  void Remove(HostIndex host);

  // Of the hosts with room that `may_run` agrees to, the one that falls least short; among equals
  // the one with the smallest number.
  template <typename MayRun>
  std::optional<HostIndex> Best(const Resources& demand, const MayRun& may_run) const;

 private:
  static constexpr int kBucketBits = 15;  // Width 2^15 of shares from -2^20 to 2^20.
  static constexpr std::int64_t kBucketWidth = std::int64_t{1} << kBucketBits;
  static constexpr std::size_t kBuckets = ((2 * kFullPoints) >> kBucketBits) + 1;
  // What whole points may hide of a sum and a difference of shares.
  static constexpr std::int64_t kRounding = 8;
  static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();

  struct BucketEntry {
    std::int64_t sum = 0;  // Of shares.
    std::int64_t cpu_free = 0;
    std::int64_t memory_free = 0;
    std::uint32_t host = 0;

    bool IsFilledAs(const BucketEntry& other) const {
      return cpu_free == other.cpu_free && memory_free == other.memory_free;
    }
    friend auto operator<=>(const BucketEntry&, const BucketEntry&) = default;
  };
  using Bucket = std::set<BucketEntry>;
  struct Shape {
    Resources capacity;
    std::array<Bucket, kBuckets> buckets;
    std::array<std::int64_t, kBuckets> least{};  // The smallest sum in each; kNone: empty.

    bool IsOf(const Resources& other) const {
      return capacity[Resource::kCpu] == other[Resource::kCpu] &&
             capacity[Resource::kMemory] == other[Resource::kMemory];
    }
  };
  struct Entry {
    bool present = false;
    std::uint32_t shape = 0;
    std::size_t bucket = 0;
    std::int64_t sum = 0;
    Resources free;

    BucketEntry InBucket(HostIndex host) const {
      return {sum, free[Resource::kCpu], free[Resource::kMemory], ToNumber(host)};
    }
  };
  // What a request adds to hosts of a shape.
  struct Added {
    Resources demand;
    HostFill fill;

    Added(const Resources& asked, const Resources& capacity);
    // How far the imbalance of a host in the bucket, with the request, is from none at least.
    std::int64_t Distance(std::size_t bucket) const {
      const std::int64_t begin = BucketBegin(bucket) + fill.Imbalance();
      return std::max({begin, -(begin + kBucketWidth - 1), std::int64_t{0}});
    }
    // No host with this sum in this bucket falls short by less.
    std::int64_t Bound(std::int64_t sum, std::size_t bucket) const {
      return sum + fill.Sum() + 2 * Distance(bucket) - kRounding;
    }
    // A host of the bucket with a larger sum has no room for it.
    std::int64_t SumMax(std::size_t bucket) const {
      const std::int64_t begin = BucketBegin(bucket);
      return std::min(2 * (kFullPoints - fill.cpu_points) - begin,
                      2 * (kFullPoints - fill.memory_points) + begin + kBucketWidth - 1) +
             kRounding;
    }
  };
  // No host of the bucket falls short by less.
  struct Promise {
    std::int64_t bound = 0;
    std::uint32_t shape = 0;
    std::uint32_t bucket = 0;
  };
  struct Found {
    std::int64_t shortfall = kNone;
    std::uint32_t host = 0;

    bool IsBeatenBy(std::int64_t other_shortfall, std::uint32_t other) const {
      return other_shortfall < shortfall || (other_shortfall == shortfall && other < host);
    }
  };
  static std::int64_t BucketBegin(std::size_t bucket) {
    return (static_cast<std::int64_t>(bucket) << kBucketBits) - kFullPoints;
  }
  std::uint32_t ShapeOf(const Resources& capacity);
  // Its place, to be used again.
  Bucket::node_type Take(Entry& entry, HostIndex host);
  template <typename MayRun>
  void Walk(const Shape& shape, std::size_t bucket, const Added& added, const MayRun& may_run,
            Found& best) const;

  std::vector<Shape> shapes_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::uint32_t> shape_of_;  // By cpu and memory.
  std::vector<Entry> entries_;
  mutable std::vector<Promise> promises_;  // Of the present call,
  mutable std::vector<Added> added_;       // and what it adds, by shape.
};

template <typename MayRun>
void RoomIndex::Walk(const Shape& shape, std::size_t bucket, const Added& added,
                     const MayRun& may_run, Found& best) const {
  const std::int64_t sum_max = added.SumMax(bucket);
  const Bucket& entries = shape.buckets[bucket];
  for (auto at = entries.begin(); at != entries.end();) {
    if (at->sum > sum_max || added.Bound(at->sum, bucket) > best.shortfall) return;
    const BucketEntry entry = *at++;
    const Resources& free = entries_[entry.host].free;
    if (!added.demand.FitsIn(free)) continue;
    const std::int64_t shortfall =
        ScoreShortfall(FillOf(shape.capacity - free + added.demand, shape.capacity));
    if (best.IsBeatenBy(shortfall, entry.host)) {
      if (!may_run(HostIndex{entry.host})) continue;
      best = {shortfall, entry.host};
    }
    // Those filled alike fall as short, and have larger numbers.
    if (at != entries.end() && at->IsFilledAs(entry)) {
      at = entries.upper_bound({entry.sum, entry.cpu_free, entry.memory_free,
                                std::numeric_limits<std::uint32_t>::max()});
    }
  }
}

template <typename MayRun>
std::optional<HostIndex> RoomIndex::Best(const Resources& demand, const MayRun& may_run) const {
  promises_.clear();
  added_.clear();
  for (std::uint32_t s = 0; s < shapes_.size(); ++s) {
    const Added& added = added_.emplace_back(demand, shapes_[s].capacity);
    for (std::uint32_t b = 0; b < kBuckets; ++b) {
      const std::int64_t least = shapes_[s].least[b];
      if (least == kNone || least > added.SumMax(b)) continue;
      promises_.push_back({added.Bound(least, b), s, b});
    }
  }
  // The most promising bucket first: what it holds rules out most of the others.
  const auto first = std::ranges::min_element(promises_, {}, &Promise::bound);
  if (first == promises_.end()) return std::nullopt;
  std::iter_swap(promises_.begin(), first);
  Found best;
  for (const Promise& promise : promises_) {
    if (promise.bound > best.shortfall) continue;
    Walk(shapes_[promise.shape], promise.bucket, added_[promise.shape], may_run, best);
  }
  if (best.shortfall == kNone) return std::nullopt;
  return HostIndex{best.host};
}

}  // namespace berth

#include "scale/capacity/vm_filling.h"

#include <algorithm>
#include <numeric>

namespace berth {
namespace {

// How many more instances fit.
std::uint32_t RoomFor(const Resources& need, const Resources& free, std::uint32_t most) {
  std::int64_t room = most;
  for (const Resource r : kAllResources) {
    if (need[r] > 0) room = std::min(room, free[r] / need[r]);
  }
  return static_cast<std::uint32_t>(room);
}

void TakeFrom(Resources& free, const Resources& need, std::uint32_t count) {
  for (const Resource r : kAllResources) free[r] -= need[r] * count;
}

// Walks through all fillings of one VM, service by service.
class FillingWalk {
 public:
  FillingWalk(std::span<const InstanceDemand> demands, std::size_t limit,
              std::vector<VmFilling>& found)
      : demands_(demands), limit_(limit), found_(found) {}

  // False: over the limit.
  bool Walk(std::size_t type, const Resources& capacity) {
    filling_ = {.type = type, .instances = InstanceCounts(demands_.size(), 0)};
    return From(0, capacity);
  }

 private:
  bool From(std::size_t service, const Resources& free) {
    if (++visits_ > 20 * limit_) return false;  // Most of what is visited is not full.
    if (service == demands_.size()) {
      if (CanTakeMore(free)) return true;
      if (found_.size() == limit_) return false;
      found_.push_back(filling_);
      return true;
    }
    const InstanceDemand& demand = demands_[service];
    const std::uint32_t most = RoomFor(demand.need, free, demand.instances);
    const bool last = service + 1 == demands_.size();
    for (std::uint32_t count = last ? most : 0; count <= most; ++count) {
      Resources left = free;
      TakeFrom(left, demand.need, count);
      filling_.instances[service] = count;
      if (!From(service + 1, left)) return false;
    }
    filling_.instances[service] = 0;
    return true;
  }

  bool CanTakeMore(const Resources& free) const {
    for (std::size_t s = 0; s < demands_.size(); ++s) {
      if (filling_.instances[s] < demands_[s].instances && demands_[s].need.FitsIn(free)) {
        return true;
      }
    }
    return false;
  }

  std::span<const InstanceDemand> demands_;
  std::size_t limit_;
  std::vector<VmFilling>& found_;
  VmFilling filling_;
  std::size_t visits_ = 0;
};

bool IsEmpty(const InstanceCounts& instances) {
  return std::ranges::all_of(instances, [](std::uint32_t count) { return count == 0; });
}

// Of the same instances only the cheapest type is of use.
void KeepCheapest(std::vector<VmFilling>& fillings, std::span<const VmType> types) {
  std::ranges::stable_sort(fillings, [&](const VmFilling& a, const VmFilling& b) {
    if (a.instances != b.instances) return a.instances < b.instances;
    return types[a.type].hour_micros < types[b.type].hour_micros;
  });
  const auto same = [](const VmFilling& a, const VmFilling& b) {
    return a.instances == b.instances;
  };
  fillings.erase(std::unique(fillings.begin(), fillings.end(), same), fillings.end());
}

double ShareOf(const Resources& need, const Resources& capacity, Resource r) {
  if (need[r] == 0 || capacity[r] == 0) return 0;
  return static_cast<double>(need[r]) / static_cast<double>(capacity[r]);
}

double SizeScore(const Resources& need, const Resources& capacity) {
  double score = 0;
  for (const Resource r : kAllResources) score += ShareOf(need, capacity, r);
  return score;
}

}  // namespace

Resources ResourcesOf(std::span<const InstanceDemand> demands, const InstanceCounts& instances) {
  Resources sum;
  for (std::size_t s = 0; s < demands.size(); ++s) {
    for (const Resource r : kAllResources) sum[r] += demands[s].need[r] * instances[s];
  }
  return sum;
}

std::optional<std::vector<VmFilling>> AllFillings(std::span<const InstanceDemand> demands,
                                                  std::span<const VmType> types,
                                                  std::size_t limit) {
  std::vector<VmFilling> found;
  for (std::size_t t = 0; t < types.size(); ++t) {
    if (!FillingWalk(demands, limit, found).Walk(t, types[t].capacity)) return std::nullopt;
  }
  std::erase_if(found, [](const VmFilling& filling) { return IsEmpty(filling.instances); });
  KeepCheapest(found, types);
  return found;
}

InstanceCounts FillByDirection(std::span<const InstanceDemand> demands, const Resources& capacity,
                               const InstanceCounts& left) {
  InstanceCounts filled(demands.size(), 0);
  Resources free = capacity;
  for (;;) {
    std::optional<std::size_t> best;
    double best_score = 0;
    for (std::size_t s = 0; s < demands.size(); ++s) {
      if (filled[s] == left[s] || !demands[s].need.FitsIn(free)) continue;
      double score = 0;
      for (const Resource r : kAllResources) {
        score += ShareOf(demands[s].need, capacity, r) * ShareOf(free, capacity, r);
      }
      if (best && score <= best_score) continue;
      best = s;
      best_score = score;
    }
    if (!best) return filled;
    ++filled[*best];
    TakeFrom(free, demands[*best].need, 1);
  }
}

InstanceCounts FillBySize(std::span<const InstanceDemand> demands, const Resources& capacity,
                          const InstanceCounts& left) {
  std::vector<std::size_t> order(demands.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](std::size_t s) { return SizeScore(demands[s].need, capacity); });
  InstanceCounts filled(demands.size(), 0);
  Resources free = capacity;
  for (const std::size_t s : order) {
    filled[s] = RoomFor(demands[s].need, free, left[s]);
    TakeFrom(free, demands[s].need, filled[s]);
  }
  return filled;
}

std::optional<std::size_t> CheapestHolding(const Resources& load, std::span<const VmType> types) {
  std::optional<std::size_t> best;
  for (std::size_t t = 0; t < types.size(); ++t) {
    if (!load.FitsIn(types[t].capacity)) continue;
    if (!best || types[t].hour_micros < types[*best].hour_micros) best = t;
  }
  return best;
}

}  // namespace berth

#include "scale/capacity/vm_mix.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "base/text.h"
#include "scale/capacity/vm_count.h"
#include "scale/capacity/vm_cover.h"
#include "scale/capacity/vm_cover_relaxed.h"
#include "scale/capacity/vm_filling.h"

namespace berth {
namespace {

constexpr double kWhole = 1e-6;  // So close to a whole number is one.

std::int64_t PriceOfVms(std::span<const VmFilling> vms, std::span<const VmType> types) {
  std::int64_t sum = 0;
  for (const VmFilling& vm : vms) sum += types[vm.type].hour_micros;
  return sum;
}

// The same VMs counted, in the order of their types, then the fullest first.
std::vector<VmGroup> Grouped(std::span<const VmFilling> vms) {
  std::map<std::pair<std::size_t, InstanceCounts>, std::uint64_t> counts;
  for (const VmFilling& vm : vms) ++counts[{vm.type, vm.instances}];
  std::vector<VmGroup> groups;
  groups.reserve(counts.size());
  for (const auto& [vm, count] : counts) {
    groups.push_back({.type = vm.first, .count = count, .instances = vm.second});
  }
  std::ranges::stable_sort(groups, [](const VmGroup& a, const VmGroup& b) {
    return a.type != b.type ? a.type < b.type : a.instances > b.instances;
  });
  return groups;
}

InstanceCounts AllInstances(std::span<const InstanceDemand> demands) {
  InstanceCounts counts;
  counts.reserve(demands.size());
  for (const InstanceDemand& demand : demands) counts.push_back(demand.instances);
  return counts;
}

bool AnyLeft(const InstanceCounts& left) {
  return std::ranges::any_of(left, [](std::uint32_t count) { return count > 0; });
}

double PerUnit(const Resources& of, const Resources& scale) {
  double sum = 0;
  for (const Resource r : kAllResources) {
    if (scale[r] > 0) sum += static_cast<double>(of[r]) / static_cast<double>(scale[r]);
  }
  return sum;
}

// Adds VMs of this filling for as long as the instances last.
void Repeat(const VmFilling& filling, InstanceCounts& left, std::vector<VmFilling>& vms) {
  std::uint32_t times = UINT32_MAX;
  for (std::size_t s = 0; s < left.size(); ++s) {
    if (filling.instances[s] > 0) times = std::min(times, left[s] / filling.instances[s]);
  }
  for (std::size_t s = 0; s < left.size(); ++s) left[s] -= times * filling.instances[s];
  vms.insert(vms.end(), times, filling);
}

class MixSolver {
 public:
  MixSolver(std::span<const InstanceDemand> demands, std::span<const VmType> types,
            const VmMixLimits& limits)
      : demands_(demands), types_(types), limits_(limits) {
    for (const Resource r : kAllResources) {
      for (const VmType& type : types) scale_[r] = std::max(scale_[r], type.capacity[r]);
    }
    fillings_ = AllFillings(demands, types, limits.fillings_max);
    if (fillings_) relaxed_ = RelaxCover(*fillings_, types, AllInstances(demands));
  }

  // None if that takes too long.
  std::optional<std::vector<VmFilling>> Exact() const { return Exact(AllInstances(demands_)); }

  std::vector<VmFilling> Best() const {
    std::vector<VmFilling> best = ServiceByService();
    const auto offer = [&](std::vector<VmFilling> vms) {
      if (PriceOfVms(vms, types_) < PriceOfVms(best, types_)) best = std::move(vms);
    };
    for (std::size_t t = 0; t < types_.size(); ++t) {
      if (HoldsEach(t)) {
        offer(Fill(t, &FillByDirection));
        offer(Fill(t, &FillBySize));
      }
    }
    offer(BestValueFirst(AllInstances(demands_), {}));
    if (relaxed_) {
      offer(Rounded(RoundTo::kBelow));
      offer(Rounded(RoundTo::kAbove));
    }
    return best;
  }

  std::int64_t Bound() const {
    const std::int64_t by_sums = VmMixBound(demands_, types_);
    if (!relaxed_) return by_sums;
    // Prices are whole.
    return std::max(by_sums, static_cast<std::int64_t>(std::ceil(relaxed_->bound_micros)));
  }

 private:
  using FillFunction = InstanceCounts (*)(std::span<const InstanceDemand>, const Resources&,
                                          const InstanceCounts&);

  std::optional<std::vector<VmFilling>> Exact(const InstanceCounts& left) const {
    if (!fillings_) return std::nullopt;
    return CheapestCover(*fillings_, types_, left, limits_.steps_max);
  }

  bool HoldsEach(std::size_t type) const {
    return std::ranges::all_of(demands_, [&](const InstanceDemand& demand) {
      return demand.need.FitsIn(types_[type].capacity);
    });
  }

  // Each service on VMs of its own, of its cheapest type.
  std::vector<VmFilling> ServiceByService() const {
    std::vector<VmFilling> vms;
    for (std::size_t s = 0; s < demands_.size(); ++s) {
      std::uint32_t left = demands_[s].instances;
      if (left == 0) continue;
      const VmChoice choice = *CheapestVmType(left, demands_[s].need, types_);
      const std::uint32_t each = InstancesPerVm(demands_[s].need, types_[choice.type].capacity);
      while (left > 0) {
        VmFilling vm{.type = choice.type, .instances = InstanceCounts(demands_.size(), 0)};
        vm.instances[s] = std::min(left, each);
        left -= vm.instances[s];
        vms.push_back(std::move(vm));
      }
    }
    return Smaller(std::move(vms));
  }

  std::vector<VmFilling> Fill(std::size_t type, FillFunction fill) const {
    InstanceCounts left = AllInstances(demands_);
    std::vector<VmFilling> vms;
    while (AnyLeft(left)) {
      Repeat({.type = type, .instances = fill(demands_, types_[type].capacity, left)}, left, vms);
    }
    return Smaller(std::move(vms));
  }

  // Again and again the VM whose contents, as shares of the largest VM, cost least; the rest
  // exactly as soon as it is small enough for that.
  std::vector<VmFilling> BestValueFirst(InstanceCounts left, std::vector<VmFilling> vms) const {
    while (AnyLeft(left)) {
      if (auto rest = Exact(left)) {
        vms.insert(vms.end(), rest->begin(), rest->end());
        break;
      }
      Repeat(BestValue(left), left, vms);
    }
    return Smaller(std::move(vms));
  }

  enum class RoundTo : std::uint8_t { kBelow, kAbove };

  // The VMs of the relaxed cover in whole numbers, then the best for what is left.
  std::vector<VmFilling> Rounded(RoundTo to) const {
    InstanceCounts left = AllInstances(demands_);
    std::vector<VmFilling> vms;
    for (std::size_t f = 0; f < fillings_->size(); ++f) {
      const double wanted = relaxed_->vms[f];
      const double whole =
          to == RoundTo::kBelow ? std::floor(wanted + kWhole) : std::ceil(wanted - kWhole);
      const auto times = static_cast<std::uint64_t>(std::max(0.0, whole));
      for (std::uint64_t i = 0; i < times && AnyLeft(left); ++i) {
        VmFilling vm = (*fillings_)[f];
        for (std::size_t s = 0; s < left.size(); ++s) {
          vm.instances[s] = std::min(vm.instances[s], left[s]);
          left[s] -= vm.instances[s];
        }
        if (AnyLeft(vm.instances)) vms.push_back(std::move(vm));
      }
    }
    return BestValueFirst(std::move(left), std::move(vms));
  }

  VmFilling BestValue(const InstanceCounts& left) const {
    VmFilling best;
    double best_price = 0;
    for (std::size_t t = 0; t < types_.size(); ++t) {
      for (const FillFunction fill : {&FillByDirection, &FillBySize}) {
        VmFilling filling{.type = t, .instances = fill(demands_, types_[t].capacity, left)};
        if (!AnyLeft(filling.instances)) continue;
        const double price = static_cast<double>(types_[t].hour_micros) /
                             PerUnit(ResourcesOf(demands_, filling.instances), scale_);
        if (!best.instances.empty() && price >= best_price) continue;
        best = std::move(filling);
        best_price = price;
      }
    }
    return best;
  }

  // Each VM of the cheapest type that holds what is on it.
  std::vector<VmFilling> Smaller(std::vector<VmFilling> vms) const {
    for (VmFilling& vm : vms) {
      vm.type = *CheapestHolding(ResourcesOf(demands_, vm.instances), types_);
    }
    return vms;
  }

  std::span<const InstanceDemand> demands_;
  std::span<const VmType> types_;
  VmMixLimits limits_;
  Resources scale_;
  std::optional<std::vector<VmFilling>> fillings_;  // None: too many.
  std::optional<RelaxedCover> relaxed_;             // If there are fillings.
};

}  // namespace

std::int64_t VmMixBound(std::span<const InstanceDemand> demands, std::span<const VmType> types) {
  std::array<double, kResourceCount> sums{};
  for (const InstanceDemand& demand : demands) {
    for (std::size_t i = 0; i < kResourceCount; ++i) {
      sums[i] += static_cast<double>(demand.need[kAllResources[i]]) * demand.instances;
    }
  }
  // In units of all that is needed, a VM gives so much of a weighted sum of two resources.
  const auto bound = [&](std::size_t a, std::size_t b, double weight) {
    double best = std::numeric_limits<double>::infinity();
    for (const VmType& type : types) {
      const double gives =
          weight * static_cast<double>(type.capacity[kAllResources[a]]) / sums[a] +
          (1 - weight) * static_cast<double>(type.capacity[kAllResources[b]]) / sums[b];
      if (gives > 0) best = std::min(best, static_cast<double>(type.hour_micros) / gives);
    }
    return best;
  };
  constexpr int kWeights = 50;
  double most = 0;
  for (std::size_t a = 0; a < kResourceCount; ++a) {
    for (std::size_t b = a; b < kResourceCount; ++b) {
      if (sums[a] == 0 || sums[b] == 0) continue;
      for (int w = 0; w <= kWeights; ++w) {
        const double found = bound(a, b, static_cast<double>(w) / kWeights);
        if (std::isfinite(found)) most = std::max(most, found);
      }
    }
  }
  return static_cast<std::int64_t>(std::ceil(most * (1 - 1e-9)));  // Prices are whole.
}

Result<VmMix> CheapestVmMix(std::span<const InstanceDemand> demands, std::span<const VmType> types,
                            const VmMixLimits& limits) {
  for (const InstanceDemand& demand : demands) {
    const bool fits = std::ranges::any_of(
        types, [&](const VmType& type) { return demand.need.FitsIn(type.capacity); });
    if (!fits) {
      return Status(Code::kFailedPrecondition,
                    fmt::format("{}: no VM type holds an instance of {}; add a larger type",
                                demand.service, FormatResources(demand.need)));
    }
  }
  const MixSolver solver(demands, types, limits);
  const std::optional<std::vector<VmFilling>> exact = solver.Exact();
  const std::vector<VmFilling> vms = exact ? *exact : solver.Best();
  VmMix mix{.groups = Grouped(vms), .hour_micros = PriceOfVms(vms, types)};
  mix.exact = exact.has_value();
  mix.bound_micros = mix.exact ? mix.hour_micros : solver.Bound();
  return mix;
}

}  // namespace berth

#include "oversub/population.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace berth {
namespace {

// 5.1 GB of memory a core, as the machines have; data on local disk or, but for what is temporary,
// elsewhere.
constexpr std::array kClasses = {
    PopulationClass{"basic-1", Demand(1'000, 5'222, 32'768), 1, false, 0.20, 0.30, 0.08},
    PopulationClass{"general-2", Demand(2'000, 10'445, 65'536), 1, false, 0.20, 0.30, 0.08},
    PopulationClass{"general-4", Demand(4'000, 20'890, 131'072), 1, false, 0.20, 0.30, 0.07},
    PopulationClass{"general-8", Demand(8'000, 41'779, 262'144), 1, false, 0.20, 0.28, 0.06},
    PopulationClass{"general-16", Demand(16'000, 83'558, 524'288), 1, false, 0.20, 0.28, 0.06},
    PopulationClass{"general-32", Demand(32'000, 167'117, 1'048'576), 1, false, 0.20, 0.30, 0.06},
    PopulationClass{"general-40", Demand(40'000, 208'896, 1'048'576), 1, false, 0.25, 0.45, 0.04},
    PopulationClass{"local-4", Demand(4'000, 20'890, 1'048'576), 4, false, 0.08, 0.25, 0.07},
    PopulationClass{"local-16", Demand(16'000, 83'558, 2'097'152), 4, false, 0.12, 0.25, 0.05},
    PopulationClass{"local-32", Demand(32'000, 167'117, 4'194'304), 4, false, 0.15, 0.25, 0.05},
    PopulationClass{"local-40", Demand(40'000, 208'896, 4'194'304), 4, false, 0.30, 0.35, 0.04},
    PopulationClass{"serverless-2", Demand(2'000, 6'144, 65'536), 1, true, 0.10, 0.25, 0.05},
    PopulationClass{"serverless-8", Demand(8'000, 24'576, 262'144), 1, true, 0.10, 0.25, 0.05},
};

constexpr std::array<double, kClasses.size()> kMixed = {100, 25, 20, 8,   4,  2, 1.5,
                                                        10,  4,  2,  1.5, 20, 4};
constexpr std::array<double, kClasses.size()> kLocal = {50, 15, 12, 6, 3, 1, 1, 30, 12, 5, 3, 8, 3};
constexpr std::array<double, kClasses.size()> kSmall = {150, 40, 15, 5, 2,  1.5, 1.5,
                                                        8,   2,  1,  1, 40, 7};
constexpr std::array<double, kClasses.size()> kLarge = {40, 15, 15, 15, 10, 5, 4, 8, 8, 4, 2, 8, 4};
constexpr std::array kRegions = {
    PopulationRegion{"region-1", kMixed, 0.02, 430, 0.95},
    PopulationRegion{"region-2", kLocal, 0.03, 720, 1.05},
    PopulationRegion{"region-3", kSmall, 0.04, 290, 0.85},
    PopulationRegion{"region-4", kLarge, 0.05, 580, 0.95},
};

constexpr Step kLifetimeStepsLongest = 26'280;  // Half a year.
constexpr double kLifetimeSpread = 1.5;  // The heavy tail: one in a hundred lives 33 medians.

// How a resource that fills up behaves.
struct Filling {
  double fast_share;  // Of tenants, grown within the region's share of the lifetime.
  double dip_most;    // Below the level, after growth, now and then.
  double drop_share;  // Of tenants, who give much back once.
  double drop_most;   // How much, of the maximum.
};
constexpr Filling kDisk{0.95, 0.03, 0.006, 0.60};
constexpr Filling kMemory{0.93, 0.10, 0.03, 0.70};
constexpr Filling kServerlessMemory{0.93, 0.12, 0.12, 0.90};

// A class is of tenants with similar demands: what a tenant needs is mostly its class's.
constexpr double kSizeSpread = 0.15;
constexpr double kDipChance = 0.02;
constexpr double kLevelAtGrowthEnd = 0.965;  // Of the maximum; the rest comes slowly.

double Spread(Rng& rng, double least, double most) { return least + (most - least) * rng.Unit(); }

// Normal and, by `share`, that of the tenant's size.
double Correlated(Rng& rng, double size, double share) {
  return share * size + std::sqrt(1 - share * share) * rng.Normal();
}

Step LifetimeOf(const PopulationRegion& region, double size, Rng& rng) {
  const double steps =
      region.lifetime_steps_median * std::exp(kLifetimeSpread * Correlated(rng, size, 0.8));
  return std::clamp(static_cast<Step>(steps), 1, kLifetimeStepsLongest);
}

class Level {
 public:
  Level(const Filling& filling, double growth_share, Step lifetime, Rng& rng)
      : filling_(filling), lifetime_(lifetime), initial_(Spread(rng, 0.02, 0.15)) {
    const double share = rng.Unit() < filling.fast_share ? growth_share * Spread(rng, 0.5, 1.0)
                                                         : Spread(rng, growth_share, 1.0);
    growth_ = static_cast<Step>(share * lifetime);
    if (rng.Unit() < filling.drop_share) {
      dropped_at_ = static_cast<Step>(Spread(rng, growth_, lifetime));
      dropped_to_ = 1 - Spread(rng, 0.2, filling.drop_most);
    }
  }

  // Of the maximum, at an age.
  double At(Step age, Rng& rng) const {
    if (age < growth_) return initial_ + (kLevelAtGrowthEnd - initial_) * age / growth_;
    if (dropped_at_ > 0 && age >= dropped_at_) return dropped_to_;
    const double level =
        kLevelAtGrowthEnd + (1 - kLevelAtGrowthEnd) * (age - growth_ + 1) / (lifetime_ - growth_);
    const bool dips = age > growth_ && rng.Unit() < kDipChance;
    return dips ? level - filling_.dip_most * rng.Unit() : level;
  }

 private:
  Filling filling_;
  Step lifetime_;
  double initial_;
  Step growth_ = 0;
  Step dropped_at_ = 0;
  double dropped_to_ = 0;
};

// A level that wanders, with bursts and, if serverless, pauses.
class CpuUse {
 public:
  CpuUse(double share, bool serverless) : share_(share), serverless_(serverless) {}

  double Next(Rng& rng) {
    wandering_ = 0.9 * wandering_ + 0.3 * rng.Normal();
    if (serverless_ && rng.Unit() < 0.02) paused_ = !paused_;
    if (paused_) return 0;
    const double burst = rng.Unit() < 0.02 ? Spread(rng, 1, 8) : 1;
    return std::min(share_ * std::exp(wandering_) * burst, 1.0);
  }

 private:
  double share_;
  bool serverless_;
  double wandering_ = 0;
  bool paused_ = false;
};

double ShareOf(double median, double region_size, double size) {
  return std::min(median * region_size * std::exp(kSizeSpread * size), 1.0);
}

std::uint32_t Amount(std::uint32_t limit, double share) {
  return static_cast<std::uint32_t>(limit * share);
}

}  // namespace

std::span<const PopulationClass> PopulationClasses() { return kClasses; }

std::span<const PopulationRegion> PopulationRegions() { return kRegions; }

DemandTrace GenerateTenant(const PopulationRegion& region, Rng& rng) {
  const std::size_t index = rng.Weighted(region.class_weights);
  const PopulationClass& kind = kClasses[index];
  const bool secondary = rng.Below(kind.replicas) > 0;
  const double size = rng.Normal();
  const Step lifetime = LifetimeOf(region, size, rng);
  const double disk_share = ShareOf(kind.disk_share, region.size, Correlated(rng, size, 0.8));
  const double memory_share = ShareOf(kind.memory_share, region.size, Correlated(rng, size, 0.8));
  const double cpu_share = ShareOf(kind.cpu_share, region.size, Correlated(rng, size, 0.6));
  const Level disk(kDisk, region.growth_share, lifetime, rng);
  const Level memory(kind.serverless ? kServerlessMemory : kMemory, region.growth_share, lifetime,
                     rng);
  CpuUse cpu(secondary ? cpu_share / 2 : cpu_share, kind.serverless);

  DemandTrace trace{.tenant_class = TenantClass{static_cast<std::uint16_t>(index)},
                    .role = secondary ? TenantRole::kSecondary : TenantRole::kPrimary,
                    .samples = {}};
  trace.samples.reserve(static_cast<std::size_t>(lifetime));
  for (Step age = 0; age < lifetime; ++age) {
    using enum DemandResource;
    Demand& sample = trace.samples.emplace_back();
    sample[kDisk] = Amount(kind.limit[kDisk], disk_share * disk.At(age, rng));
    sample[kMemory] = Amount(kind.limit[kMemory], memory_share * memory.At(age, rng));
    sample[kCpu] = Amount(kind.limit[kCpu], cpu.Next(rng));
  }
  return trace;
}

}  // namespace berth

// For tests: an outlook that says something of every machine and newcomer, and nothing true.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "allocate/outlook.h"

namespace berth::testing {

class MadeUpOutlook final : public Outlook {
 public:
  explicit MadeUpOutlook(std::uint64_t epoch) : epoch_(epoch) {}

  void Follow(Inventory& /*view*/, Time /*now*/, Duration /*late*/) override {}
  bool Refresh(Inventory& /*view*/, std::uint32_t /*machines_max*/) override { return false; }
  void Observe(const Instance& /*instance*/, const Resources& /*usage*/, Time /*at*/) override {}
  std::uint64_t epoch() const override { return epoch_; }

  Resources Usage(MachineIndex machine) const override {
    return Amounts(Mixed(At(machine), 1) % 8000);
  }
  Resources NewcomerUsage(const Traits& newcomer) const override {
    return Amounts(NumberOf(newcomer) % 4000);
  }
  Risk RiskOf(const Traits& newcomer, MachineIndex machine) const override {
    constexpr std::uint32_t kFutures = 100;
    const std::uint64_t mixed = Mixed(NumberOf(newcomer), At(machine));
    Risk risk{.repetitions = kFutures};
    if (mixed % 2 == 0) return risk;
    risk.after = static_cast<std::uint32_t>(mixed / 2 % (kFutures + 1));
    risk.before = static_cast<std::uint32_t>(mixed / 1024 % (risk.after + 1));
    return risk;
  }
  bool IsHeldOut(MachineIndex machine) const override { return At(machine) % 3 == 0; }
  LoadWeights WeightsIn(ClusterIndex cluster) const override {
    return {1, static_cast<std::uint32_t>(At(cluster)), 1, 0, 0};
  }

 private:
  // By what is written, and not by where in memory names lie: every run says the same.
  static std::uint64_t NumberOf(const Traits& newcomer) {
    std::uint64_t number = newcomer.epoch ^ newcomer.known_as;
    for (const std::string& name : {newcomer.type.name.str(), newcomer.role.str()}) {
      number = Mixed(number, name.size());
      for (const char letter : name) number = Mixed(number, static_cast<unsigned char>(letter));
    }
    for (const Resource r : kAllResources) {
      number = Mixed(number, static_cast<std::uint64_t>(newcomer.limit[r]));
    }
    return number;
  }
  static std::uint64_t Mixed(std::uint64_t a, std::uint64_t b) {
    std::uint64_t mixed = (a ^ (b << 32 | b)) * 0x9e3779b97f4a7c15ULL;
    mixed ^= mixed >> 29;
    return mixed * 0xbf58476d1ce4e5b9ULL >> 16;
  }
  static Resources Amounts(std::uint64_t amount) {
    Resources amounts;
    amounts[Resource::kCpu] = static_cast<std::int64_t>(amount);
    amounts[Resource::kMemory] = static_cast<std::int64_t>(amount) << 20;
    return amounts;
  }

  std::uint64_t epoch_;
};

}  // namespace berth::testing

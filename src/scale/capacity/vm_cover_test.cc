#include "scale/capacity/vm_cover.h"

#include <gtest/gtest.h>

#include "berth/rng.h"
#include "scale/capacity/capacity_testing.h"
#include "scale/capacity/vm_cover_relaxed.h"

namespace berth {
namespace {

std::int64_t PriceOfCover(const std::vector<VmFilling>& vms, const std::vector<VmType>& types) {
  std::int64_t sum = 0;
  for (const VmFilling& vm : vms) sum += types[vm.type].hour_micros;
  return sum;
}

// VMs hold 2 of a or 3 of b, and cost 1. Five of a and one of b: 5/2 + 1/3 of a VM.
TEST(RelaxedCover, VmsAreRentedInPart) {
  const std::vector<VmType> types = {TypeOf("n", 1, 1, 1)};
  const std::vector<VmFilling> fillings = {{0, {2, 0}}, {0, {0, 3}}};
  const RelaxedCover cover = RelaxCover(fillings, types, {5, 1});
  EXPECT_NEAR(cover.vms[0], 2.5, 1e-9);
  EXPECT_NEAR(cover.vms[1], 1.0 / 3, 1e-9);
  EXPECT_NEAR(cover.bound_micros, 1e6 * (2.5 + 1.0 / 3), 0.01);
}

// Mixed VMs (1, 1) at 1.2 beat (2, 0) and (0, 2) at 1.5 only where both are wanted: three of a and
// one of b take one mixed and one of two a.
TEST(RelaxedCover, TheBestMixOfFillingsIsFound) {
  const std::vector<VmType> types = {TypeOf("plain", 1, 1, 1.5), TypeOf("mixed", 1, 1, 1.2)};
  const std::vector<VmFilling> fillings = {{0, {2, 0}}, {0, {0, 2}}, {1, {1, 1}}};
  const RelaxedCover cover = RelaxCover(fillings, types, {3, 1});
  EXPECT_NEAR(cover.vms[0], 1, 1e-9);
  EXPECT_NEAR(cover.vms[1], 0, 1e-9);
  EXPECT_NEAR(cover.vms[2], 1, 1e-9);
  EXPECT_NEAR(cover.bound_micros, 2.7e6, 0.01);
}

TEST(RelaxedCover, HoldsAllAndIsNeverDearerThanWholeVms) {
  Rng rng(12);
  for (int round = 0; round < 300; ++round) {
    const auto draw = [&](std::uint64_t most) {
      return static_cast<std::int64_t>(1 + rng.Below(most));
    };
    std::vector<InstanceDemand> demands;
    InstanceCounts wanted;
    const std::uint64_t services = 1 + rng.Below(3);
    for (std::uint64_t s = 0; s < services; ++s) {
      demands.push_back(DemandOf("s", draw(4), draw(4), static_cast<std::uint32_t>(rng.Below(10))));
      wanted.push_back(demands.back().instances);
    }
    const std::vector<VmType> types = {TypeOf("a", 4, 4, 1 + rng.Unit()),
                                       TypeOf("b", draw(8), draw(8), 1 + rng.Unit())};
    const auto fillings = AllFillings(demands, types, 5'000);
    ASSERT_TRUE(fillings);
    const RelaxedCover relaxed = RelaxCover(*fillings, types, wanted);
    const auto whole = CheapestCover(*fillings, types, wanted, 100'000'000);
    ASSERT_TRUE(whole);
    EXPECT_LE(relaxed.bound_micros, static_cast<double>(PriceOfCover(*whole, types)));
    double price = 0;
    std::vector<double> held(wanted.size(), 0);
    for (std::size_t f = 0; f < fillings->size(); ++f) {
      const VmFilling& filling = (*fillings)[f];
      price += relaxed.vms[f] * static_cast<double>(types[filling.type].hour_micros);
      for (std::size_t s = 0; s < held.size(); ++s) {
        held[s] += relaxed.vms[f] * filling.instances[s];
      }
    }
    EXPECT_NEAR(price, relaxed.bound_micros, 1);  // The two programs meet.
    for (std::size_t s = 0; s < held.size(); ++s) EXPECT_GE(held[s], wanted[s] - 1e-6);
  }
}

}  // namespace
}  // namespace berth

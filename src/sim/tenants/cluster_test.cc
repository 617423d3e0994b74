#include "sim/tenants/cluster.h"

#include <gtest/gtest.h>

#include "berth/rng.h"

namespace berth {
namespace {

constexpr NodeSpec kRoomOfNode{.capacity = Demand(1'000, 1'000, 1'000)};

TenantNumber PutTenant(TenantCluster& cluster, NodeIndex node, const Demand& demand) {
  const TenantNumber number = cluster.Add({}, {.promised_millicores = 100}, demand);
  cluster.Place(number, node);
  return number;
}

TEST(TenantCluster, IsViolatedFromTheThresholdOn) {
  TenantCluster cluster(kRoomOfNode, 1);
  const TenantNumber tenant = PutTenant(cluster, 0, Demand(949, 0, 0));
  EXPECT_FALSE(cluster.InViolation(0));
  cluster.Update(tenant, Demand(950, 0, 0), Demand(950, 0, 0));
  EXPECT_TRUE(cluster.InViolation(0));
  EXPECT_TRUE(cluster.InViolation(0, DemandResource::kCpu));
  EXPECT_FALSE(cluster.InViolation(0, DemandResource::kMemory));
}

TEST(TenantCluster, FindsFitsByWhatIsReportedAndOnlyThenByWhatIsNeeded) {
  TenantCluster cluster(kRoomOfNode, 3);
  const TenantNumber first = PutTenant(cluster, 0, Demand(100, 0, 0));
  const TenantNumber second = PutTenant(cluster, 1, Demand(800, 0, 0));
  const TenantNumber newcomer = cluster.Add({}, {}, Demand(150, 0, 0));
  std::vector<NodeIndex> fits;
  cluster.FindFits(cluster.tenant(newcomer), 2, fits);
  EXPECT_EQ(fits, std::vector<NodeIndex>{0});

  // Both are foreseen to be full; the first has room now.
  cluster.Update(first, Demand(100, 0, 0), Demand(900, 0, 0));
  cluster.Update(second, Demand(800, 0, 0), Demand(900, 0, 0));
  cluster.FindFits(cluster.tenant(newcomer), 2, fits);
  EXPECT_EQ(fits, std::vector<NodeIndex>{0});
}

// Nodes 0 to 5 are in the fault domains 0, 1, 0, 1, 0, 1 and the update domains 0, 1, 2, 0, 1, 2.
TEST(TenantCluster, FindsFitsApartFromTheOtherReplicas) {
  TenantCluster cluster(kRoomOfNode, 6, {.fault = 2, .update = 3});
  const TenantNumber first = PutTenant(cluster, 0, Demand(100, 0, 0));
  const TenantNumber second = cluster.Add({}, {}, Demand(100, 0, 0), first);
  const auto fits_of = [&](TenantNumber number, NodeIndex except) {
    std::vector<NodeIndex> fits;
    cluster.FindFits(cluster.tenant(number), except, fits);
    return fits;
  };
  EXPECT_EQ(fits_of(second, kNoNode), (std::vector<NodeIndex>{1, 5}));
  cluster.Place(second, 1);
  EXPECT_EQ(fits_of(second, 1), std::vector<NodeIndex>{5});
  EXPECT_EQ(fits_of(first, 0), (std::vector<NodeIndex>{2}));
  // Foreseen to be full, but not now.
  cluster.Update(PutTenant(cluster, 5, Demand(1, 0, 0)), Demand(1, 0, 0), Demand(900, 0, 0));
  EXPECT_EQ(fits_of(second, 1), std::vector<NodeIndex>{5});
  EXPECT_FALSE(cluster.FitsNow(cluster.tenant(second), 3));
  // Another tenant's replicas may be anywhere.
  EXPECT_EQ(fits_of(cluster.Add({}, {}, Demand(100, 0, 0)), kNoNode).size(), 5U);
  EXPECT_EQ(cluster.ReplicasOf(cluster.tenant(second)).size(), 2U);
}

TEST(TenantCluster, TellsWhenMoreIsSeenThanEver) {
  TenantCluster cluster(kRoomOfNode, 1);
  const TenantNumber tenant = PutTenant(cluster, 0, Demand(500, 500, 500));
  EXPECT_TRUE(cluster.Update(tenant, Demand(5, 5, 5), Demand(5, 5, 5)));
  EXPECT_FALSE(cluster.Update(tenant, Demand(5, 4, 5), Demand(5, 4, 5)));
  EXPECT_TRUE(cluster.Update(tenant, Demand(1, 6, 1), Demand(1, 6, 1)));
  EXPECT_EQ(cluster.tenant(tenant).hosted.observed_peak, Demand(5, 6, 5));
}

// Loads kept by differences against loads added up.
TEST(TenantCluster, AddsUpWhateverHappens) {
  constexpr std::uint32_t kNodes = 4;
  TenantCluster cluster(kRoomOfNode, kNodes);
  Rng rng(3);
  const auto random = [&] {
    return Demand(static_cast<std::uint32_t>(rng.Below(50)),
                  static_cast<std::uint32_t>(rng.Below(50)),
                  static_cast<std::uint32_t>(rng.Below(50)));
  };
  std::vector<TenantNumber> present;
  for (int i = 0; i < 3'000; ++i) {
    if (present.empty() || rng.Below(3) == 0) {
      present.push_back(PutTenant(cluster, static_cast<NodeIndex>(rng.Below(kNodes)), random()));
      continue;
    }
    const std::size_t which = rng.Below(present.size());
    switch (rng.Below(3)) {
      case 0:
        cluster.Take(present[which]);
        present.erase(present.begin() + static_cast<std::ptrdiff_t>(which));
        break;
      case 1:
        cluster.Take(present[which]);
        cluster.Place(present[which], static_cast<NodeIndex>(rng.Below(kNodes)));
        break;
      default:
        cluster.Update(present[which], random(), random());
    }
    NodeLoad total;
    for (NodeIndex node = 0; node < kNodes; ++node) {
      NodeLoad load;
      NodeLoad reported;
      for (const TenantNumber number : cluster.tenants(node)) {
        for (const DemandResource r : kAllDemandResources) {
          load[r] += cluster.tenant(number).demand[r];
          reported[r] += cluster.tenant(number).reported[r];
        }
      }
      ASSERT_EQ(cluster.reported(node), reported);
      for (const DemandResource r : kAllDemandResources) {
        ASSERT_EQ(cluster.InViolation(node, r), load[r] >= 950);
      }
      total = total + reported;
    }
    ASSERT_EQ(cluster.reported_total(), total);
    ASSERT_EQ(cluster.tenant_count(), present.size());
    ASSERT_EQ(cluster.promised_millicores(), 100 * present.size());
  }
}

}  // namespace
}  // namespace berth

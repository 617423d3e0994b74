#include "appsim/multiverse/node_group.h"

#include <gtest/gtest.h>

namespace berth::multiverse {
namespace {

class MultiverseNodeGroup : public ::testing::Test {
 protected:
  MultiverseNodeGroup() {
    set_.application.services.resize(2);
    set_.application.services[0].idle[1] = {.mean = 100};
    set_.application.requests.resize(1);
    set_.node_types.push_back({.capacity = {2, 1'000, 1'000, 1'000}});
  }
  NodeGroup Group(std::uint32_t nodes, std::uint32_t instances) {
    NodeGroup group(set_, 0, quirks_);
    group.AddNodes(nodes);
    group.AddInstances(0, instances);
    return group;
  }
  ItemIndex Item(double vcpu, double memory, std::int64_t left) {
    const ItemIndex index = pool_.New();
    pool_[index].need = {vcpu, memory, 0, 0};
    pool_[index].left = left;
    return index;
  }

  SimulationSet set_;
  Quirks quirks_;
  ItemPool pool_{2};
  Rng rng_{1};
};

TEST_F(MultiverseNodeGroup, IsPlannedWithWhatWasOrderedForIt) {
  NodeGroup group = Group(3, 4);
  group.ForgetPlans();
  group.PlanNodes(-2);
  group.PlanInstances(0, -3);
  group.PlanInstances(1, 5);
  EXPECT_EQ(group.AsPlanned().nodes(), 1U);
  EXPECT_EQ(group.AsPlanned().instances(0), 1U);
  EXPECT_EQ(group.AsPlanned().instances(1), 5U);
  EXPECT_EQ(group.nodes(), 3U);
  group.PlanNodes(-2);
  EXPECT_EQ(group.planned_nodes(), 0U);
  group.ForgetPlans();
  EXPECT_EQ(group.planned_nodes(), 3U);
  EXPECT_EQ(group.planned_instances(0), 4U);
  // Nothing can be put on nodes that boot.
  NodeGroup booting = Group(0, 0);
  booting.PlanNodes(2);
  booting.PlanInstances(0, 6);
  EXPECT_EQ(booting.AsPlanned().nodes(), 0U);
  EXPECT_EQ(booting.AsPlanned().instances(0), 0U);
}

TEST_F(MultiverseNodeGroup, TakesAnItemWhileEveryResourceStaysBelowAllNodes) {
  NodeGroup group = Group(2, 10);
  EXPECT_TRUE(group.CanTake(pool_[Item(0.1, 999, 1)], rng_));
  EXPECT_FALSE(group.CanTake(pool_[Item(0.1, 1'000, 1)], rng_));
}

TEST_F(MultiverseNodeGroup, AnInstanceIsWorthOneCoreOfWork) {
  NodeGroup group = Group(10, 1);
  group.Start(Item(0.6, 1, 5), pool_);
  EXPECT_TRUE(group.CanTake(pool_[Item(0.6, 1, 5)], rng_));
  group.Start(Item(0.6, 1, 5), pool_);
  EXPECT_FALSE(group.CanTake(pool_[Item(0.1, 1, 5)], rng_));
}

TEST_F(MultiverseNodeGroup, WorkIsTheSumOfNeedsOrWithTheQuirkTheLatestTimesTheirNumber) {
  NodeGroup group = Group(1, 1);
  group.Start(Item(0.1, 10, 5), pool_);
  group.Start(Item(0.3, 40, 5), pool_);
  EXPECT_DOUBLE_EQ(group.WorkUse(0)[1], 50);
  quirks_.Set(Quirk::kLatestNeedForAll, true);
  EXPECT_DOUBLE_EQ(group.WorkUse(0)[1], 80);
}

TEST_F(MultiverseNodeGroup, WithTheQuirkAnOverfullGroupLooksLikeOneFullNode) {
  NodeGroup group = Group(3, 31);
  EXPECT_DOUBLE_EQ(group.IdleUse(rng_)[1], 3'100);
  EXPECT_TRUE(group.IsFull(rng_));
  quirks_.Set(Quirk::kOverfullLooksIdle, true);
  EXPECT_DOUBLE_EQ(group.IdleUse(rng_)[1], 1'000);
  EXPECT_FALSE(group.IsFull(rng_));
}

TEST_F(MultiverseNodeGroup, ItemsAreChargedTheirOwnTimeAndTheRestOfTheStepIsLeft) {
  NodeGroup group = Group(1, 1);
  const ItemIndex quick = Item(0.1, 1, 20);
  const ItemIndex slow = Item(0.1, 1, 70);
  group.Start(quick, pool_);
  group.Start(slow, pool_);
  EXPECT_EQ(group.Advance(pool_, 50), 0);
  std::vector<ItemIndex> done;
  group.TakeDone(done);
  EXPECT_EQ(done, std::vector<ItemIndex>{quick});
  EXPECT_EQ(pool_[quick].accumulated, 20);
  EXPECT_EQ(group.Advance(pool_, 50), 30);
  EXPECT_EQ(pool_[slow].accumulated, 70);
  EXPECT_EQ(group.Advance(pool_, 50), 50);
}

TEST_F(MultiverseNodeGroup, WithTheQuirkAnItemWithoutWorkEndsTheStepForAll) {
  NodeGroup group = Group(1, 1);
  const ItemIndex other = Item(0.1, 1, 20);
  group.Start(other, pool_);
  group.Start(Item(0.1, 1, 0), pool_);
  quirks_.Set(Quirk::kZeroTimeEndsStep, true);
  group.Advance(pool_, 50);
  EXPECT_EQ(pool_[other].accumulated, 0);
  group.Advance(pool_, 50);
  EXPECT_EQ(pool_[other].accumulated, 20);
}

TEST_F(MultiverseNodeGroup, AGroupThatGoesLosesItsWork) {
  NodeGroup group = Group(1, 1);
  group.Start(Item(0.1, 1, 20), pool_);
  EXPECT_EQ(group.Clear(pool_), 1U);
  EXPECT_EQ(pool_.in_use(), 0U);
  EXPECT_EQ(group.WorkUse(0)[1], 0);
}

}  // namespace
}  // namespace berth::multiverse

#include "appsim/multiverse/buffer.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace berth::multiverse {
namespace {

constexpr std::int64_t kStep = 50'000;

class MultiverseBuffer : public ::testing::Test {
 protected:
  MultiverseBuffer() { Order(QueueOrder::kFifo); }

  void Order(QueueOrder order) {
    spec_ = {.order = order, .capacity = {0}};
    buffer_.emplace(spec_, 0, types_);
    buffer_->AddLink(0);
  }
  ItemIndex Send(std::uint64_t id, bool upstream = true, std::size_t replies = 1,
                 std::int64_t accumulated = 0) {
    const ItemIndex index = pool_.New();
    pool_[index].id = id;
    pool_[index].upstream = upstream;
    pool_[index].replies_expected = replies;
    pool_[index].accumulated = accumulated;
    EXPECT_TRUE(buffer_->Send(index, pool_, links_, kStep));
    return index;
  }
  std::uint64_t Step(bool skips = false) { return buffer_->Step(pool_, links_, kStep, skips); }
  std::uint64_t TakeId() { return pool_[buffer_->Take(pool_)].id; }

  std::vector<RequestSpec> types_ = {{.timeout = std::chrono::seconds(1)}};
  ServiceSpec spec_;
  ItemPool pool_{1};
  std::vector<GroupLink> links_ = {{.latency = 20'000, .bandwidth = 1e9, .in_transfer = {{}}}};
  std::optional<ServiceBuffer> buffer_;
};

TEST_F(MultiverseBuffer, AnItemArrivesAfterAtLeastOneStepWhichItIsCharged) {
  const ItemIndex index = Send(1);
  EXPECT_EQ(buffer_->size(), 0U);
  Step();
  ASSERT_EQ(buffer_->size(), 1U);
  EXPECT_EQ(pool_[index].accumulated, kStep);
  EXPECT_EQ(pool_[index].network, kStep);
}

TEST_F(MultiverseBuffer, WithTheQuirkEverySecondArrivalWaitsOneMoreStepUncharged) {
  std::vector<ItemIndex> items;
  for (std::uint64_t id = 0; id < 4; ++id) items.push_back(Send(id));
  Step(true);
  EXPECT_EQ(buffer_->size(), 2U);
  Step(true);
  EXPECT_EQ(buffer_->size(), 3U);
  Step(true);
  EXPECT_EQ(buffer_->size(), 4U);
  EXPECT_EQ(pool_[items[1]].network, kStep);
}

TEST_F(MultiverseBuffer, WhatHasTimedOutIsThrownAwayBeforeNewItemsCome) {
  Send(1, true, 1, 900'000);
  Send(2);
  EXPECT_EQ(Step(), 0U);
  buffer_->ChargeWaiting(pool_, kStep);
  EXPECT_EQ(Step(), 1U);
  EXPECT_EQ(TakeId(), 2U);
}

TEST_F(MultiverseBuffer, AFullBufferLosesWhatArrives) {
  spec_.capacity = {1};
  Send(1);
  Send(2);
  EXPECT_EQ(Step(), 1U);
  EXPECT_EQ(buffer_->size(), 1U);
}

TEST_F(MultiverseBuffer, ALinkWithoutBandwidthTakesNothing) {
  links_[0].latency = 2 * kStep;
  links_[0].bandwidth = 100;
  const ItemIndex index = pool_.New();
  pool_[index].bytes = 51;
  EXPECT_FALSE(buffer_->Send(index, pool_, links_, kStep));
  pool_[index].bytes = 50;
  EXPECT_TRUE(buffer_->Send(index, pool_, links_, kStep));
  Step();
  Step();
  EXPECT_EQ(links_[0].used, 0);
}

TEST_F(MultiverseBuffer, AResponseIsWholeWhenAllItsSiblingsAreThere) {
  Send(1, false, 2);
  Send(2, false, 1);
  Step();
  EXPECT_FALSE(buffer_->HasWholeFirst(pool_));
  buffer_->Rotate();
  EXPECT_TRUE(buffer_->HasWholeFirst(pool_));
  buffer_->Rotate();
  Send(1, false, 2);
  Step();
  ASSERT_TRUE(buffer_->HasWholeFirst(pool_));
  EXPECT_EQ(pool_[buffer_->TakeWhole(pool_, false)].id, 1U);
  EXPECT_EQ(buffer_->size(), 1U);
}

TEST_F(MultiverseBuffer, LifoTakesTheLatestAndOldestFirstTheLongestUnderWay) {
  Order(QueueOrder::kLifo);
  Send(1);
  Send(2);
  Step();
  EXPECT_EQ(TakeId(), 2U);
  Order(QueueOrder::kOldestFirst);
  Send(1, true, 1, 10);
  Send(2, true, 1, 30);
  Send(3, true, 1, 20);
  Step();
  EXPECT_EQ(TakeId(), 2U);
  EXPECT_EQ(TakeId(), 3U);
}

// Against a plain list of ids, whatever is done in which order.
TEST_F(MultiverseBuffer, BehavesAsAPlainList) {
  Rng rng(5);
  std::vector<std::uint64_t> list;
  std::uint64_t next = 0;
  for (int i = 0; i < 3'000; ++i) {
    switch (rng.Below(4)) {
      case 0:
        Send(next, false);
        Step();
        list.push_back(next++);
        break;
      case 1:
        buffer_->Rotate();
        if (!list.empty()) std::rotate(list.begin(), list.end() - 1, list.end());
        break;
      case 2:
        if (list.empty()) break;
        ASSERT_EQ(TakeId(), list.front());
        list.erase(list.begin());
        break;
      default:
        if (list.empty()) break;
        ASSERT_EQ(pool_[buffer_->TakeWhole(pool_, true)].id, list.front());
        list.erase(list.begin());
        std::reverse(list.begin(), list.end());
        break;
    }
    ASSERT_EQ(buffer_->size(), list.size());
  }
}

}  // namespace
}  // namespace berth::multiverse

#include "scale/space/count_path.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "berth/rng.h"
#include "scale/space/group_rule.h"
#include "scale/space/stabiliser.h"

namespace berth {
namespace {

CountPath RandomPath(Rng& rng, std::size_t steps, std::uint32_t most) {
  CountPath path(steps);
  for (std::uint32_t& count : path) count = static_cast<std::uint32_t>(rng.Below(most + 1));
  return path;
}

TEST(CountPath, WindowsTakeTheirLeastAndMostFromTheirFirstStepOn) {
  const CountPath counts = {3, 1, 4, 1, 5, 9, 2};
  EXPECT_EQ(MostOfWindows(counts, 3), (CountPath{4, 4, 4, 9, 9, 9, 2}));
  EXPECT_EQ(LeastOfWindows(counts, 3), (CountPath{1, 1, 1, 1, 1, 1, 2}));
  EXPECT_EQ(FindStabiliser("max").value()->stabilise(counts, 2), (CountPath{3, 3, 4, 4, 9, 9, 2}));
  EXPECT_EQ(FindStabiliser("min").value()->stabilise(counts, 2), (CountPath{1, 1, 1, 1, 5, 5, 2}));
}

TEST(CountPath, GrowthIsOrderedAheadAndNothingGoesWhileItIsNeeded) {
  const CountPath needed = {2, 2, 2, 5, 5, 1, 1, 1};
  EXPECT_EQ(OrderedAhead(needed, 6, 2), (CountPath{2, 5, 5, 5, 5, 1}));
  EXPECT_EQ(OrderedAhead(needed, 6, 0), (CountPath{2, 2, 2, 5, 5, 1}));
}

TEST(CountPath, WhatIsOrderedIsThereWhenItIsNeeded) {
  Rng rng(7);
  for (int round = 0; round < 300; ++round) {
    const std::size_t steps = 1 + rng.Below(12);
    const std::size_t lead = rng.Below(steps + 1);
    const CountPath needed = RandomPath(rng, 2 * steps, 9);
    const CountPath ordered = OrderedAhead(needed, steps, lead);
    // An order is there after `lead` steps if it is for more, at once if it is for fewer.
    for (std::size_t t = lead; t < steps; ++t) {
      std::uint32_t there = ordered[t];
      for (std::size_t i = t - lead; i <= t; ++i) there = std::min(there, ordered[i]);
      EXPECT_GE(there, needed[t]);
    }
  }
}

// A worked-out case: the first group leaves 4 to 6, then 2 to 3; the second is brought into that.
TEST(GroupRules, InSequenceEachGroupNarrowsTheNext) {
  const std::vector<GroupWish> wishes = {
      {.priority = 1, .window = 1, .counts = {9, 5, 1, 3}},
      {.priority = 2, .window = 2, .counts = {4, 6, 3, 2}},
  };
  EXPECT_EQ(FindGroupRule("sequential").value()->combine(wishes), (CountPath{6, 5, 2, 3}));
}

TEST(GroupRules, InParallelTheMostOrTheLeastIsTaken) {
  const std::vector<GroupWish> wishes = {{.counts = {9, 5, 1}}, {.counts = {4, 6, 3}}};
  EXPECT_EQ(FindGroupRule("parallel_max").value()->combine(wishes), (CountPath{9, 6, 3}));
  EXPECT_EQ(FindGroupRule("parallel_min").value()->combine(wishes), (CountPath{4, 5, 1}));
}

// The same, step by step: the count of a step is in the windows of all groups before.
std::uint32_t SequentialAt(const std::vector<const GroupWish*>& order, std::size_t group,
                           std::size_t step) {
  std::uint32_t low = 0;
  std::uint32_t high = UINT32_MAX;
  for (std::size_t g = 0; g < group; ++g) {
    const std::size_t begin = step / order[g]->window * order[g]->window;
    const std::size_t end = std::min(order[g]->counts.size(), begin + order[g]->window);
    std::uint32_t least = UINT32_MAX;
    std::uint32_t most = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t count = SequentialAt(order, g, i);
      least = std::min(least, count);
      most = std::max(most, count);
    }
    low = std::max(low, least);
    high = std::min(high, most);
  }
  return std::min(std::max(order[group]->counts[step], low), high);
}

TEST(GroupRules, SequencesAgreeWithTheStepByStepReference) {
  Rng rng(11);
  for (int round = 0; round < 200; ++round) {
    const std::size_t steps = 1 + rng.Below(7);
    std::vector<GroupWish> wishes(1 + rng.Below(3));
    for (GroupWish& wish : wishes) {
      wish = {.priority = static_cast<std::int64_t>(rng.Below(3)),
              .window = 1 + rng.Below(4),
              .counts = RandomPath(rng, steps, 8)};
    }
    std::vector<const GroupWish*> order;
    for (std::int64_t priority = 2; priority >= 0; --priority) {
      for (const GroupWish& wish : wishes) {
        if (wish.priority == priority) order.push_back(&wish);
      }
    }
    const CountPath combined = FindGroupRule("sequential").value()->combine(wishes);
    for (std::size_t i = 0; i < steps; ++i) {
      EXPECT_EQ(combined[i], SequentialAt(order, order.size() - 1, i));
    }
  }
}

}  // namespace
}  // namespace berth

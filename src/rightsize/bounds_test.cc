#include "rightsize/bounds.h"

#include <gtest/gtest.h>

#include "berth/rng.h"

namespace berth {
namespace {

constexpr SizeAdvice kAdvice = {.target = 1000, .lower = 500, .upper = 2000};

TEST(ApplyBounds, NothingToMeetChangesNothing) {
  const BoundedAdvice bounded = ApplyBounds(Resource::kCpu, kAdvice, 4000, {});
  EXPECT_EQ(bounded.advice, kAdvice);
  EXPECT_TRUE(bounded.notes.empty());
}

TEST(ApplyBounds, EachThatChangesTheTargetSaysSo) {
  const auto note = [](std::int64_t now, const SizeBounds& bounds) {
    const BoundedAdvice bounded = ApplyBounds(Resource::kCpu, kAdvice, now, bounds);
    return bounded.notes.empty() ? "" : bounded.notes.front();
  };
  EXPECT_EQ(note(0, {.headroom = 0.5}), "50% added for fail-over");
  EXPECT_EQ(note(1500, {.grow_only = true}), "raised from 1 to 1.5, what it has: it may only grow");
  EXPECT_EQ(note(900, {.grow_only = true}), "");
  EXPECT_EQ(note(0, {.min = 1200}), "raised from 1 to its least, 1.2");
  EXPECT_EQ(note(0, {.max = 800}), "cut from 1 to its most, 800m; it will be slowed down");
  EXPECT_EQ(note(0, {.machine = 900}),
            "cut from 1 to the largest machine, 900m; it will be slowed down");
  EXPECT_EQ(note(0, {.quota = 700}),
            "cut from 1 to what the quota leaves, 700m; it will be slowed down");
  EXPECT_EQ(note(0, {.min = 1000, .max = 1000}), "");
}

TEST(ApplyBounds, AKillRaisesWhateverTheSamplesSay) {
  const SizeAdvice advice{.target = 100 << 20, .lower = 90 << 20, .upper = 110 << 20};
  const BoundedAdvice bounded =
      ApplyBounds(Resource::kMemory, advice, 0, {.killed_with = 200 << 20});
  EXPECT_EQ(bounded.advice, (SizeAdvice{240 << 20, 240 << 20, 240 << 20}));
  ASSERT_EQ(bounded.notes.size(), 1U);
  EXPECT_EQ(bounded.notes[0],
            "raised from 100Mi to 240Mi: it was killed for want of memory with 200Mi");
  EXPECT_FALSE(bounded.cut);
}

TEST(ApplyBounds, MemoryIsInWholeMebibytesUnlessABoundIsNot) {
  const SizeAdvice advice{.target = (5 << 20) + 1, .lower = 1, .upper = 7 << 20};
  EXPECT_EQ(ApplyBounds(Resource::kMemory, advice, 0, {}).advice,
            (SizeAdvice{6 << 20, 1 << 20, 7 << 20}));
  EXPECT_EQ(ApplyBounds(Resource::kMemory, advice, 0, {.max = 1234567}).advice.target, 1234567);
}

TEST(ApplyBounds, ACapBelowThePeakOfMemoryWarns) {
  const BoundedAdvice bounded =
      ApplyBounds(Resource::kMemory, {.target = 3 << 20, .lower = 3 << 20, .upper = 3 << 20}, 0,
                  {.max = 1 << 20});
  EXPECT_EQ(bounded.advice.target, 1 << 20);
  ASSERT_EQ(bounded.notes.size(), 1U);
  EXPECT_EQ(bounded.notes[0], "cut from 3Mi to its most, 1Mi; it may be killed for want of memory");
}

TEST(ApplyBounds, WhatIsHardWinsWhateverElseIsAskedFor) {
  Rng rng(3);
  for (int i = 0; i < 2000; ++i) {
    const auto draw = [&]() -> std::optional<std::int64_t> {
      if (rng.Below(2) == 0) return std::nullopt;
      return static_cast<std::int64_t>(1 + rng.Below(3000));
    };
    const SizeBounds bounds{.headroom = rng.Unit(),
                            .grow_only = rng.Below(2) == 0,
                            .min = draw(),
                            .max = draw(),
                            .machine = draw(),
                            .quota = draw()};
    const auto now = static_cast<std::int64_t>(rng.Below(3000));
    const SizeAdvice advice = ApplyBounds(Resource::kCpu, kAdvice, now, bounds).advice;
    EXPECT_LE(advice.lower, advice.target);
    EXPECT_LE(advice.target, advice.upper);
    std::int64_t most =
        std::min({bounds.max.value_or(kAmountMax), bounds.machine.value_or(kAmountMax),
                  bounds.quota.value_or(kAmountMax)});
    EXPECT_LE(advice.upper, most);
    std::int64_t least = std::max(bounds.min.value_or(0), bounds.grow_only ? now : 0);
    EXPECT_GE(advice.target, std::min(least, most));
  }
}

}  // namespace
}  // namespace berth

// A sequencer that takes steps back is as one that never took them.
#include <gtest/gtest.h>

#include <deque>
#include <vector>

#include "random_changes.h"
#include "store/sequencer.h"
#include "support.h"

namespace berth {
namespace {

void ExpectSame(const Inventory& a, const Inventory& b) {
  ASSERT_EQ(a.revision(), b.revision());
  ASSERT_TRUE(SameUpdates(SortedRecords(a), SortedRecords(b)));
  ASSERT_EQ(a.decisions(), b.decisions());
  ASSERT_EQ(a.policy_revision(), b.policy_revision());
  for (const Update& update : a.AllRecords()) {
    ASSERT_EQ(a.RevisionOf(update.key), b.RevisionOf(update.key)) << ToString(update.key);
  }
}

class SequencerUndo : public ::testing::TestWithParam<std::uint64_t> {};

// One tries, fails and tries again; the other only ever does what came of it.
TEST_P(SequencerUndo, LeavesNoTrace) {
  Sequencer tries(Inventory(), /*undoable=*/true);
  Sequencer learns(Inventory(), /*undoable=*/true);
  Rng rng(GetParam());
  RandomChanges changes(GetParam(), "a0");
  RandomChanges others(GetParam(), "a1");
  Time now = TimeFromMicros(1'000'000);
  for (int round = 0; round < 250; ++round) {
    now += Duration(static_cast<std::int64_t>(rng.Below(20'000)));
    std::vector<Sequencer::Step> taken;
    for (std::uint64_t i = 1 + rng.Below(4); i > 0; --i) {
      taken.push_back(tries.Take(changes.Next(tries.inventory(), now), now));
    }
    for (auto step = taken.rbegin(); step != taken.rend(); ++step) {
      if (step->committed != nullptr) tries.Undo(*step);
    }
    ExpectSame(tries.inventory(), learns.inventory());
    if (HasFatalFailure()) FAIL() << "round " << round << ", undone";
    // What another process does, judged by the one that never took anything back.
    const ChangeSet change = others.Next(learns.inventory(), now);
    const Sequencer::Step step = learns.Take(change, now);
    if (step.committed != nullptr) tries.Learn(*step.committed);
    ExpectSame(tries.inventory(), learns.inventory());
    if (HasFatalFailure()) FAIL() << "round " << round << ", learned";
  }
  EXPECT_GT(ToNumber(learns.inventory().revision()), 80U);
}

INSTANTIATE_TEST_SUITE_P(Seeds, SequencerUndo, ::testing::Values(1, 2, 3));

}  // namespace
}  // namespace berth

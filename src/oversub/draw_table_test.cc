#include "oversub/draw_table.h"

#include <gtest/gtest.h>

#include "berth/rng.h"

namespace berth {
namespace {

// Against a list of lists.
TEST(DrawTable, KeepsWhatIsSetWhileItGrows) {
  constexpr std::uint32_t kRepetitions = 7;
  Rng rng(3);
  DrawTable table(kRepetitions);
  std::vector<std::vector<TraceIndex>> expected;  // By slot, then repetition.
  for (int step = 0; step < 2000; ++step) {
    if (expected.empty() || rng.Below(50) == 0) {
      expected.emplace_back(kRepetitions, TraceIndex{0});
      if (expected.size() > table.slots()) table.Reserve(expected.size() + rng.Below(3));
    }
    const auto slot = static_cast<TenantSlot>(rng.Below(expected.size()));
    const auto repetition = static_cast<std::uint32_t>(rng.Below(kRepetitions));
    const TraceIndex drawn =
        rng.Below(10) == 0 ? kNoTrace
                           : TraceIndex{static_cast<std::uint32_t>(rng.Below(kLibraryModelsMax))};
    table.Set(slot, repetition, drawn);
    expected[slot][repetition] = drawn;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      for (std::uint32_t j = 0; j < kRepetitions; ++j) {
        ASSERT_EQ(table.At(static_cast<TenantSlot>(i), j), expected[i][j]);
      }
    }
  }
}

TEST(DrawTable, TellsTheLastTraceFromNone) {
  DrawTable table(1);
  table.Reserve(2);
  table.Set(0, 0, TraceIndex{static_cast<std::uint32_t>(kLibraryModelsMax - 1)});
  table.Set(1, 0, kNoTrace);
  EXPECT_EQ(table.At(0, 0), TraceIndex{static_cast<std::uint32_t>(kLibraryModelsMax - 1)});
  EXPECT_EQ(table.At(1, 0), kNoTrace);
}

}  // namespace
}  // namespace berth

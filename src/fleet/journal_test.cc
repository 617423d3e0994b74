#include "fleet/journal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "berth/rng.h"

namespace berth {
namespace {

std::vector<std::uint32_t> Since(const Journal& journal, std::uint64_t position) {
  std::vector<std::uint32_t> found;
  journal.ForEachSince(position, [&](MachineIndex m) { found.push_back(std::uint32_t(At(m))); });
  return found;
}

TEST(Journal, KeepsOnlyTheLatestChangeOfAMachine) {
  Journal journal;
  journal.Touch(MachineIndex{3});
  journal.Touch(MachineIndex{1});
  journal.Touch(MachineIndex{3});
  EXPECT_EQ(Since(journal, 0), (std::vector<std::uint32_t>{3, 1}));
  EXPECT_EQ(Since(journal, 1), (std::vector<std::uint32_t>{3, 1}));
  EXPECT_EQ(Since(journal, 2), (std::vector<std::uint32_t>{3}));
  EXPECT_TRUE(Since(journal, journal.position()).empty());
}

TEST(Journal, AgreesWithAPlainListOfAllTouches) {
  Rng rng(7);
  Journal journal;
  std::vector<std::uint32_t> touches;
  for (int step = 0; step < 2000; ++step) {
    const auto machine = static_cast<std::uint32_t>(rng.Below(40));
    journal.Touch(MachineIndex{machine});
    touches.push_back(machine);
    const std::uint64_t since = rng.Below(touches.size() + 1);
    std::vector<std::uint32_t> expected;
    for (std::size_t i = touches.size(); i > since; --i) {
      if (std::ranges::find(expected, touches[i - 1]) == expected.end()) {
        expected.push_back(touches[i - 1]);
      }
    }
    ASSERT_EQ(Since(journal, since), expected) << "step " << step;
  }
}

}  // namespace
}  // namespace berth

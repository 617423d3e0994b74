#include "fleet/journal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "berth/rng.h"

namespace berth {
namespace {

constexpr ClusterIndex kFirst{0};
constexpr ClusterIndex kSecond{1};

std::vector<std::uint32_t> Since(const Journal& journal, ClusterIndex cluster,
                                 std::uint64_t position) {
  std::vector<std::uint32_t> found;
  journal.ForEachSince(cluster, position,
                       [&](MachineIndex m) { found.push_back(std::uint32_t(At(m))); });
  return found;
}

TEST(Journal, KeepsOnlyTheLatestChangeOfAMachine) {
  Journal journal;
  journal.Touch(MachineIndex{3}, kFirst);
  journal.Touch(MachineIndex{1}, kFirst);
  journal.Touch(MachineIndex{3}, kFirst);
  EXPECT_EQ(Since(journal, kFirst, 0), (std::vector<std::uint32_t>{3, 1}));
  EXPECT_EQ(Since(journal, kFirst, 1), (std::vector<std::uint32_t>{3, 1}));
  EXPECT_EQ(Since(journal, kFirst, 2), (std::vector<std::uint32_t>{3}));
  EXPECT_TRUE(Since(journal, kFirst, journal.position()).empty());
}

TEST(Journal, TellsClustersApart) {
  Journal journal;
  journal.Touch(MachineIndex{0}, kFirst);
  journal.Touch(MachineIndex{5}, kSecond);
  EXPECT_EQ(Since(journal, kFirst, 0), (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(Since(journal, kSecond, 0), (std::vector<std::uint32_t>{5}));
  EXPECT_EQ(journal.LastIn(kFirst), 1U);
  EXPECT_EQ(journal.LastIn(kSecond), 2U);
  EXPECT_EQ(journal.LastIn(ClusterIndex{7}), 0U);
  // A machine that leaves a cluster changes it, and is named there no longer.
  journal.Leave(MachineIndex{0}, kFirst);
  journal.Touch(MachineIndex{0}, kSecond);
  EXPECT_TRUE(Since(journal, kFirst, 0).empty());
  EXPECT_EQ(journal.LastIn(kFirst), 3U);
  EXPECT_EQ(Since(journal, kSecond, 0), (std::vector<std::uint32_t>{0, 5}));
}

TEST(Journal, AgreesWithAPlainListOfAllTouches) {
  struct Touched {
    std::uint32_t machine;
    std::uint32_t cluster;
  };
  Rng rng(7);
  Journal journal;
  std::vector<Touched> touches;
  for (int step = 0; step < 2000; ++step) {
    const auto machine = static_cast<std::uint32_t>(rng.Below(40));
    touches.push_back({machine, machine % 3});
    journal.Touch(MachineIndex{machine}, ClusterIndex{machine % 3});
    const std::uint64_t since = rng.Below(touches.size() + 1);
    std::vector<std::vector<std::uint32_t>> machines(3);
    std::vector<std::uint32_t> clusters;
    for (std::size_t i = touches.size(); i > since; --i) {
      const auto [touched, cluster] = touches[i - 1];
      if (std::ranges::find(machines[cluster], touched) == machines[cluster].end()) {
        machines[cluster].push_back(touched);
      }
      if (std::ranges::find(clusters, cluster) == clusters.end()) clusters.push_back(cluster);
    }
    for (std::uint32_t cluster = 0; cluster < 3; ++cluster) {
      ASSERT_EQ(Since(journal, ClusterIndex{cluster}, since), machines[cluster]) << "step " << step;
    }
    std::vector<std::uint32_t> changed;
    journal.ForEachClusterSince(since,
                                [&](ClusterIndex c) { changed.push_back(std::uint32_t(At(c))); });
    ASSERT_EQ(changed, clusters) << "step " << step;
  }
}

}  // namespace
}  // namespace berth

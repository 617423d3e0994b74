#include "apptopo/attachment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "apptopo/structure.h"

namespace berth {
namespace {

TEST(Attachment, SetsAreFoundByLetterAndName) {
  EXPECT_EQ(FindAttachmentSet("C").value().power, 0.05);
  EXPECT_EQ(FindAttachmentSet("single_center_b").value().letter, "B");
  EXPECT_EQ(FindAttachmentSet("E").status().message(),
            "there is no set 'E'; the sets are A (tiered_with_single_center_a), B "
            "(single_center_b), C (tree_with_multiple_centers_c), D "
            "(pipeline_with_multiple_centers_d)");
}

TEST(Attachment, GivesATree) {
  for (const AttachmentSet& set : kAttachmentSets) {
    const ServiceGraph graph = AttachServices(set, 50, CallDirection::kToOlder, Rng(1));
    const TopologyStructure structure = StructureOf(graph);
    EXPECT_EQ(graph.edges().size(), 49U);
    EXPECT_EQ(structure.components, 1U);
    EXPECT_EQ(structure.leaves, 1U);  // The first calls nobody.
    const ServiceGraph turned = AttachServices(set, 50, CallDirection::kToYounger, Rng(1));
    EXPECT_EQ(StructureOf(turned).entries, 1U);
    EXPECT_EQ(StructureOf(turned).services[0].fan_out, structure.services[0].fan_in);
  }
}

TEST(Attachment, TheSeedDecides) {
  const AttachmentSet set = kAttachmentSets[3];
  const auto draw = [&](std::uint64_t seed) {
    return AttachServices(set, 30, CallDirection::kToOlder, Rng(seed));
  };
  EXPECT_EQ(draw(4), draw(4));
  EXPECT_NE(draw(4), draw(5));
  EXPECT_EQ(AttachServices(set, 1, CallDirection::kToOlder, Rng(1)).size(), 1U);
}

// The third service chooses between the first, which one calls (1 + a), and the second (a); the
// fourth, where the third chose the first, between 2^alpha + a, a and a.
TEST(Attachment, ServicesAreChosenInProportionToTheirWeights) {
  constexpr int kDraws = 20'000;
  const AttachmentSet set{.letter = "x", .name = "x", .power = 0.9, .appeal = 0.5};
  int third = 0;
  int fourth = 0;
  for (std::uint64_t seed = 0; seed < kDraws; ++seed) {
    const ServiceGraph graph = AttachServices(set, 4, CallDirection::kToOlder, Rng(seed));
    const auto callees = graph.Callees();
    if (ToIndex(callees[2][0]) != 0) continue;
    ++third;
    fourth += ToIndex(callees[3][0]) == 0 ? 1 : 0;
  }
  EXPECT_NEAR(third / double{kDraws}, 1.5 / 2.0, 0.01);
  const double hub = std::pow(2.0, 0.9) + 0.5;
  EXPECT_NEAR(fourth / static_cast<double>(third), hub / (hub + 1.0), 0.01);
}

// B prefers what is called already, C hardly: its largest hub is smaller.
TEST(Attachment, SetBHasOneCentreAndSetCSeveral) {
  const auto hub = [](const AttachmentSet& set) {
    std::size_t sum = 0;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      std::size_t most = 0;
      for (const ServiceStructure& service :
           StructureOf(AttachServices(set, 40, CallDirection::kToOlder, Rng(seed))).services) {
        most = std::max(most, service.fan_in);
      }
      sum += most;
    }
    return static_cast<double>(sum) / 50;
  };
  EXPECT_GT(hub(kAttachmentSets[1]), 2 * hub(kAttachmentSets[2]));
}

}  // namespace
}  // namespace berth

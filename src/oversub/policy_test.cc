#include "oversub/policy.h"

#include <gtest/gtest.h>

#include "allocate/policy.h"

namespace berth {
namespace {

Result<OversubPolicy> Parsed(std::string_view text) {
  const Document document = ParseDocument(text, "p.yaml").value();
  return ParseOversubPolicy(document.root());
}

TEST(OversubPolicy, HasDefaults) {
  EXPECT_EQ(Parsed("name: x").value(), OversubPolicy());
  EXPECT_EQ(Parsed("oversub: {}").value(), OversubPolicy());
}

TEST(OversubPolicy, IsReadWhole) {
  const OversubPolicy policy =
      Parsed(
          "oversub: {repetitions: 50, threshold: {cpu: 90%, disk: 0.8}, initial_percentile: 80,\n"
          "  epoch: 30m, held_out: {per_cluster: 1, weighting: sum}, resolve: true,\n"
          "  defragment: true}")
          .value();
  EXPECT_EQ(policy.repetitions, 50U);
  EXPECT_EQ(policy.threshold_thousandths, (PerResource<std::uint32_t>{900, 950, 800}));
  EXPECT_EQ(policy.initial_percentile, 80U);
  EXPECT_EQ(policy.epoch, std::chrono::minutes(30));
  EXPECT_EQ(policy.held_out_per_cluster, 1U);
  EXPECT_EQ(policy.held_out_by, Weighting::kSum);
  EXPECT_TRUE(policy.resolves);
  EXPECT_TRUE(policy.defragments);
}

TEST(OversubPolicy, RefusesWhatItDoesNotKnow) {
  for (const char* text :
       {"oversub: {repetition: 5}", "oversub: {repetitions: 0}", "oversub: {repetitions: 10001}",
        "oversub: {threshold: {gpu: 5%}}", "oversub: {threshold: {cpu: 101%}}",
        "oversub: {epoch: 9m}", "oversub: {held_out: {weighting: min}}",
        "oversub: {initial_percentile: 0}"}) {
    EXPECT_FALSE(Parsed(text).ok()) << text;
  }
}

TEST(OversubPolicy, ShipsInTwoPoliciesThatLookAhead) {
  int looking_ahead = 0;
  for (const ShippedPolicyEntry& entry : ShippedPolicies()) {
    const Document document = ParseDocument(entry.text, "p").value();
    ASSERT_TRUE(ParseOversubPolicy(document.root()).ok()) << entry.name;
    const bool ahead = ParseAllocatePolicy(document.root()).value().reads.Has(Trait::kEpoch);
    EXPECT_EQ(ahead, entry.name.starts_with("prv_")) << entry.name;
    looking_ahead += ahead ? 1 : 0;
  }
  EXPECT_EQ(looking_ahead, 2);
}

}  // namespace
}  // namespace berth

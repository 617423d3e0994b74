#include "sim/rightsizing/split.h"

#include <gtest/gtest.h>

#include <string>

#include "support/paths.h"

namespace berth {
namespace {

// The published hashes: of "" cbf29ce484222325, of "a" af63dc4c8601ec8c, of "foobar"
// 85944171f73967e8.
TEST(SizingSplit, GoesByTheHashOfTheName) {
  const SizingSplit split{.of = 0x10000, .held_out = 0x67e9};
  EXPECT_TRUE(split.IsHeldOut("foobar"));
  EXPECT_FALSE((SizingSplit{.of = 0x10000, .held_out = 0x67e8}).IsHeldOut("foobar"));
  EXPECT_TRUE((SizingSplit{.of = 2, .held_out = 1}).IsHeldOut("a"));
  EXPECT_FALSE((SizingSplit{.of = 2, .held_out = 1}).IsHeldOut(""));
}

TEST(SizingSplit, NoServiceAndNoDayIsInBothParts) {
  const SizingSplit split{.of = 3, .held_out = 1, .tuning_days = 5};
  int held_out = 0;
  for (int i = 0; i < 300; ++i) {
    const std::string service = std::to_string(i);
    bool tuned = false;
    bool judged = false;
    for (std::uint32_t day = 0; day < 10; ++day) {
      const bool tuning = split.Scores(SizingPart::kTuning, service, day);
      const bool judging = split.Scores(SizingPart::kHeldOut, service, day);
      EXPECT_TRUE(!tuning || day < 5);
      EXPECT_TRUE(!judging || day >= 5);
      tuned = tuned || tuning;
      judged = judged || judging;
    }
    EXPECT_NE(tuned, judged) << service;
    held_out += judged ? 1 : 0;
  }
  EXPECT_NEAR(held_out, 100, 30);
}

TEST(SizingSplit, TheOneOfTheExperimentsIsRead) {
  const auto split =
      ReadSizingSplit((testing::SourceDir() / "docs/experiments/autopilot/split.yaml").string());
  ASSERT_TRUE(split.ok()) << split.status().message();
  EXPECT_EQ(split.value().of, 3U);
  EXPECT_EQ(split.value().held_out, 1U);
  EXPECT_EQ(split.value().tuning_days, 14U);
}

}  // namespace
}  // namespace berth

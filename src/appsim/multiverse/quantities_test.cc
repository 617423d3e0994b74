#include "appsim/multiverse/quantities.h"

#include <gtest/gtest.h>

#include <cmath>

namespace berth::multiverse {
namespace {

template <typename T>
Result<T> Read(const std::string& text, Result<T> (*read)(const Node&)) {
  const Result<Document> document = ParseDocument(text, "x.json");
  if (!document.ok()) return document.status();
  return read(document.value().root());
}

TEST(MultiverseQuantities, SizesArePowersOf1024AndALowerCaseBIsBits) {
  EXPECT_EQ(Read(R"({"value": 2, "unit": "GB"})", ReadBytes).value(), 2.0 * 1024 * 1024 * 1024);
  EXPECT_EQ(Read(R"({"value": 625, "unit": "Mb"})", ReadBytes).value(), 78.125 * 1024 * 1024);
  EXPECT_EQ(Read(R"({"value": 8, "unit": "b"})", ReadBytes).value(), 1);
  EXPECT_EQ(Read(R"({"value": 1, "unit": "XB"})", ReadBytes).status().message(),
            "x.json:1:1: top level: 'XB' is no unit of size; use B, KB, MB, GB, TB, PB or EB, or "
            "Kb, Mb, Gb for bits");
}

TEST(MultiverseQuantities, TimesHaveUnitsAndOldFilesWriteThemAsTextOrMilliseconds) {
  EXPECT_EQ(Read(R"({"value": 1.5, "unit": "m"})", ReadLength).value(), std::chrono::seconds(90));
  EXPECT_EQ(Read("\"500ms\"", ReadLength).value(), std::chrono::milliseconds(500));
  EXPECT_EQ(Read("200", ReadLength).value(), std::chrono::milliseconds(200));
  EXPECT_FALSE(Read(R"({"value": -1, "unit": "m"})", ReadLength).ok());
  EXPECT_FALSE(Read(R"({"value": 1, "unit": "fortnight"})", ReadLength).ok());
  EXPECT_FALSE(Read(R"({"value": 0, "unit": "s"})", ReadPositiveLength).ok());
  EXPECT_FALSE(Read(R"({"value": 1e17, "unit": "D"})", ReadLength).ok());
}

TEST(MultiverseQuantities, DrawsKeepToTheFloorAndHaveTheMeanThatFollows) {
  const Varying wide = {.mean = 0.072, .deviation = 0.603, .floor = 0.000072};
  Rng rng(7);
  double sum = 0;
  constexpr int kDraws = 200'000;
  for (int i = 0; i < kDraws; ++i) {
    const double drawn = Draw(wide, rng);
    ASSERT_GE(drawn, wide.floor);
    sum += drawn;
  }
  // Six standard errors of the untruncated distribution, which is wider.
  EXPECT_NEAR(sum / kDraws, MeanOfDraws(wide), 6 * 0.603 / std::sqrt(kDraws));
  EXPECT_GT(MeanOfDraws(wide), 3 * wide.mean);
  EXPECT_EQ(MeanOfDraws({.mean = 5}), 5);
}

}  // namespace
}  // namespace berth::multiverse

#include "scale/capacity/price_file.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(PriceFile, TypesAreOfProviders) {
  const PriceList prices = ParsePriceFile(R"(currency: USD
providers:
  - name: north
    types:
      - {name: s, cpu: 2, memory: 4Gi, price: 0.0416, boot: 60s, priority: 3}
  - name: south
    types:
      - {name: s, cpu: 1, memory: 2Gi, price: 1}
)",
                                          "p.yaml")
                               .value();
  EXPECT_EQ(prices.currency, "USD");
  ASSERT_EQ(prices.types.size(), 2U);
  EXPECT_EQ(prices.types[0].FullName(), "north/s");
  EXPECT_EQ(prices.types[0].hour_micros, 41'600);
  EXPECT_EQ(prices.types[0].boot, std::chrono::seconds(60));
  EXPECT_EQ(prices.types[0].priority, 3);
  EXPECT_EQ(prices.types[1].hour_micros, 1'000'000);
}

TEST(PriceFile, SaysWhatTheAutoscalerMayRemove) {
  const PriceList prices = ParsePriceFile(R"(currency: USD
scale_down: {unneeded_time: 5m, unready_time: 15m, least: {cpu: 8, memory: 16Gi}}
providers:
  - name: north
    types:
      - {name: s, cpu: 2, price: 1, keep: true}
      - {name: m, cpu: 4, price: 2, unready: {nodes: 3, after: 2h}}
)",
                                          "p.yaml")
                               .value();
  EXPECT_EQ(prices.scale_down.unneeded_time, std::chrono::minutes(5));
  EXPECT_EQ(prices.scale_down.unready_time, std::chrono::minutes(15));
  EXPECT_EQ(prices.scale_down.least[Resource::kCpu], 8'000);
  EXPECT_EQ(prices.scale_down.least[Resource::kMemory], std::int64_t{16} << 30);
  EXPECT_TRUE(prices.types[0].keep);
  EXPECT_FALSE(prices.types[1].keep);
  EXPECT_EQ(prices.types[1].unready_nodes, 3U);
  EXPECT_EQ(prices.types[1].unready_after, std::chrono::hours(2));
}

std::string PriceError(const std::string& type) {
  const auto read = ParsePriceFile(
      "currency: USD\nproviders:\n  - {name: n, types: [{" + type + "}]}\n", "p.yaml");
  return read.ok() ? "no error" : read.status().message();
}

TEST(PriceFile, SaysWhatIsWrong) {
  for (const std::string price : {"0", "-1", "1.1234567", "10001", "x", "'1 2'"}) {
    EXPECT_NE(PriceError("name: s, cpu: 1, price: " + price)
                  .find("is no price of an hour; write a number above 0, at most 10,000 and with "
                        "at most six decimals"),
              std::string::npos)
        << price << PriceError("name: s, cpu: 1, price: " + price);
  }
  EXPECT_NE(PriceError("name: s, price: 1").find("has no resources; write cpu and memory"),
            std::string::npos);
  EXPECT_NE(PriceError("name: s, cpu: 1, price: 1}, {name: s, cpu: 1, price: 1")
                .find("there is a type s already, on line 3; give each a name of its own"),
            std::string::npos);
  EXPECT_NE(PriceError("name: s, cpu: 1, price: 1, unready: {nodes: 1}").find("after"),
            std::string::npos);
  EXPECT_EQ(ParsePriceFile("currency: USD\nproviders: []\n", "p.yaml").status().message(),
            "p.yaml:1:1: top level: has no types; write at least one");
}

}  // namespace
}  // namespace berth

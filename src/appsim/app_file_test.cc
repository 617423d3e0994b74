#include "appsim/app_file.h"

#include <gtest/gtest.h>

#include "appsim/simulate_app.h"
#include "base/document.h"
#include "support/paths.h"

namespace berth {
namespace {

std::string ShopPath() { return (testing::SourceDir() / "testdata/appsim/shop.yaml").string(); }

TEST(AppFile, ReadsTheShop) {
  const auto read = ReadAppFile(ShopPath());
  ASSERT_TRUE(read.ok()) << read.status().message();
  const AppModel& model = read.value();
  ASSERT_EQ(model.services.size(), 4U);
  EXPECT_EQ(model.services[0].next, (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(model.services[3].work_milli, 2000);
  EXPECT_EQ(model.services[3].upstream.order, BufferOrder::kPriority);
  EXPECT_EQ(model.services[3].upstream.capacity, (std::vector<std::uint32_t>{2000, 0}));
  EXPECT_EQ(model.services[0].need[Resource::kMemory], std::int64_t{1} << 30);
  EXPECT_EQ(model.services[0].idle[0], (Spread{.mean = 20}));
  EXPECT_EQ(model.services[0].boot, (Spread{.mean = 2e6}));
  const AppRequestType& browse = model.request_types[0];
  EXPECT_EQ(browse.visits, (std::vector<bool>{true, true, false, true}));
  EXPECT_EQ(browse.times[0].upstream,
            (Spread{.kind = Spread::Kind::kNormal, .mean = 8000, .deviation = 2000}));
  EXPECT_EQ(browse.times[3].upstream, (Spread{.kind = Spread::Kind::kExponential, .mean = 1e4}));
  EXPECT_EQ(browse.request_bytes.mean, 1024);
  EXPECT_EQ(model.node_types[0].vm.hour_micros, 41'600);
  EXPECT_EQ(model.node_types[0].vm.boot, Duration(std::chrono::seconds(40)));
  EXPECT_EQ(model.regions[0].deployment[0].instances, (InstanceCounts{1, 1, 0, 0}));
  ASSERT_EQ(model.regions[0].loads.size(), 2U);
  EXPECT_EQ(model.regions[0].loads[1].rates[2], 48);
  EXPECT_TRUE(SimulateApp(model, {}).ok());
}

std::string ShopWith(std::string_view from, std::string_view to) {
  std::string text = ReadText(ShopPath()).value();
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(AppFile, SaysWhatIsWrongAndWhere) {
  struct Case {
    std::string_view from;
    std::string_view to;
    std::string_view says;
  };
  const Case cases[] = {
      {"calls: [catalog, cart]", "calls: [catalog, carts]", "there is no service 'carts'; there"},
      {"calls: [storage]", "calls: [web]", "next leads back to where it came from"},
      {"duration: 10m", "duration: 0s", "has no duration"},
      {"duration: 10m", "duration: 10m\nlength: 3", "length"},
      {"order: priority", "order: random", "'random' is no order; there are fifo, lifo"},
      {"capacity: {browse: 2000}", "capacity: {brows: 2000}", "there is no request 'brows'"},
      {"timeout: 5s", "timeout: 0s", "timeout must be above zero"},
      {"entry: web", "entry: wep", "there is no service 'wep'"},
      {"exponential: 10ms", "exponential: soon", "soon"},
      {"{mean: 8ms, deviation: 2ms}", "{mean: 8ms}", "deviation"},
      {"price: 0.0416", "burst: {most: 5}", "shop.yaml:4:63: node_types[0].burst: needs either"},
      {"price: 0.0416", "burst: {baseline: 0.1, earned: 12}", "needs either baseline, a share"},
      {"price: 0.0416", "burst: {baseline: 1.5}", "1.5"},
      {"price: 0.0416", "burst: {baseline: 0}", "below a thousandth"},
      {"price: 0.0416", "burst: {earned: 121}",
       "'121' is out of range; write a number from 0 to 120"},
      {"price: 0.0416", "burst: {earned: 12, most: 30, start: 31}", "31"},
      {"price: 0.0416", "burst: {earned: 12, least: 30}", "least"},
      {"type: small, count: 2", "type: tiny, count: 2", "there is no node type 'tiny'"},
      {"{web: 1, catalog: 1}", "{web: 9, catalog: 1}", "put fewer on it"},
      {"requests: {browse: 0.8", "rate: 5\n        requests: {browse: 0.8", "and only one"},
      {"requests: {browse: 0.8", "requests: {browse: 1.8", "1.8"},
      {"{for: 2m, rate: 60}", "{for: 2m, rate: -60}", "-60"},
      {"{for: 2m, rate: 60}", "{for: 0s, rate: 60}", "holds for no time"},
      {"levels: [{for: 2m, rate: 60}, {for: 4m, rate: 240}, {for: 4m, rate: 60}]",
       "trace: {file: nowhere.csv}", "nowhere.csv"},
      {"levels: [{for: 2m, rate: 60}, {for: 4m, rate: 240}, {for: 4m, rate: 60}]",
       "sarima: {ar: [5]}", "beyond all bounds"},
      {"levels: [{for: 2m, rate: 60}, {for: 4m, rate: 240}, {for: 4m, rate: 60}]",
       "seasonal: {start: soon, days: [{values: [1]}]}", "write a date as"},
      {"levels: [{for: 2m, rate: 60}, {for: 4m, rate: 240}, {for: 4m, rate: 60}]",
       "seasonal: {start: 2026-11-16 08:00:00, days: [{on: fryday, values: [1]}]}",
       "'fryday' is neither all nor one of sun, mon"},
  };
  for (const Case& wrong : cases) {
    const auto read = ParseAppFile(ShopWith(wrong.from, wrong.to), "shop.yaml");
    ASSERT_FALSE(read.ok()) << wrong.to;
    EXPECT_NE(read.status().message().find(wrong.says), std::string::npos)
        << read.status().message();
  }
}

TEST(AppFile, ReadsNodesThatBurst) {
  const auto burst = [](std::string_view text) {
    const auto read = ParseAppFile(ShopWith("price: 0.0416", text), "shop.yaml");
    EXPECT_TRUE(read.ok()) << read.status().message();
    return read.ok() ? read.value().node_types[0].burst : CpuBurst();
  };
  // Two cpus: a tenth of both for an hour are 12 minutes of one, and a day's worth is held.
  const CpuBurst day{.baseline_milli = 200, .most = 288 * kCpuCredit};
  EXPECT_EQ(burst("burst: {baseline: 0.1}"), day);
  EXPECT_EQ(burst("burst: {earned: 12}"), day);
  EXPECT_EQ(
      burst("burst: {earned: 12, most: 40.5, start: 30}"),
      (CpuBurst{.baseline_milli = 200, .most = 81 * kCpuCredit / 2, .start = 30 * kCpuCredit}));
  EXPECT_EQ(burst("price: 1"), CpuBurst());
}

TEST(AppFile, ReadsEveryPattern) {
  const std::string_view levels =
      "levels: [{for: 2m, rate: 60}, {for: 4m, rate: 240}, {for: 4m, rate: 60}]";
  const auto rates = [&](std::string_view pattern) {
    const auto read = ParseAppFile(ShopWith(levels, pattern), ShopPath());
    EXPECT_TRUE(read.ok()) << read.status().message();
    return read.ok() ? read.value().regions[0].loads[0].rates : std::vector<double>();
  };
  EXPECT_EQ(rates("rate: 10"), std::vector<double>{8});
  EXPECT_EQ(rates("sine: {period: 10m, low: 10, high: 20}").size(), 60U);
  EXPECT_EQ(rates("seasonal: {start: 2026-11-16 08:00:00, days: [{on: [mon, weekend], months: "
                  "nov, values: [10, 20, 30]}]}"),
            std::vector<double>{16});
  EXPECT_EQ(rates("trace: {file: ../forecast/load.csv, scale: 0.1}"),
            std::vector<double>{0.8 * (0.1 * 146.4)});
  EXPECT_EQ(rates("sarima: {step: 10s, ar: [0.5], mean: 20, variance: 4, period: 6, "
                  "seasonal_ma: [0.3], seed: 4}")
                .size(),
            60U);
}

}  // namespace
}  // namespace berth

#include "sim/rightsizing/rehearse.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "sim/rightsizing/generate_usage.h"

namespace berth {
namespace {

using std::chrono::hours;

// Says the last sample it saw.
class Echo final : public Recommender {
 public:
  void Observe(const UsageWindow& window) override { last_ = window.samples.back(); }
  void ObserveOom(std::int64_t /*used*/, Time /*at*/) override {}
  std::optional<SizeAdvice> Recommend() const override {
    if (last_ < 0) return std::nullopt;
    const auto target = static_cast<std::int64_t>(last_);
    return SizeAdvice{.target = target, .lower = target, .upper = target};
  }
  std::string Why() const override { return "the last"; }
  std::string Save() const override { return {}; }
  Status Restore(std::string_view /*bytes*/) override { return {}; }

 private:
  float last_ = -1;
};

// Every six hours. The first day teaches. On the second the limits in force are 40, 10, 20, 20.
ServiceUsage TwoDays() {
  ServiceUsage usage;
  Time at(hours(24 * 365));
  for (const float value : {100.0F, 100.0F, 100.0F, 40.0F, 10.0F, 20.0F, 20.0F, 10.0F}) {
    usage.windows.push_back({.begin = at, .cpu = {value}, .memory = {value, value}});
    at += hours(6);
  }
  return usage;
}

TEST(RehearseSizing, ADayByHand) {
  Echo echo;
  const std::vector<SizingDay> days = RehearseSizing(TwoDays(), Resource::kCpu, echo);
  ASSERT_EQ(days.size(), 1U);
  EXPECT_EQ(days[0].number, 1U);
  EXPECT_DOUBLE_EQ(days[0].limit_mean, (40 + 10 + 20 + 20) / 4.0);
  EXPECT_DOUBLE_EQ(days[0].usage_p95, 20);
  EXPECT_DOUBLE_EQ(days[0].used, 60);
  EXPECT_DOUBLE_EQ(days[0].used_above, 10);  // 20 used with a limit of 10.
  EXPECT_EQ(days[0].samples, 4U);
  EXPECT_EQ(days[0].samples_above, 1U);
  EXPECT_EQ(days[0].changes, 3U);  // 100 to 40 at its beginning, to 10, to 20.
  EXPECT_DOUBLE_EQ(days[0].slack(), (22.5 - 20) / 22.5);
}

TEST(RehearseSizing, OfMemoryEveryInstanceCounts) {
  Echo echo;
  const std::vector<std::vector<SizingDay>> all = {
      RehearseSizing(TwoDays(), Resource::kMemory, echo)};
  EXPECT_EQ(all[0][0].samples_above, 2U);
  const SizingTotals totals = SumUp(all);
  EXPECT_DOUBLE_EQ(totals.above_per_task_day, 1);  // Two of two instances in a day.
  EXPECT_DOUBLE_EQ(totals.footprint, 45);
  EXPECT_DOUBLE_EQ(totals.days_without, 0);
  EXPECT_EQ(SeriousDays(all, {.count = 1, .share = 0.5}), 1U);
  EXPECT_EQ(SeriousDays(all, {.count = 2, .share = 0.5}), 0U);
}

TEST(RehearseSizing, ADayWithoutSamplesIsNone) {
  ServiceUsage usage = TwoDays();
  usage.windows.push_back(
      {.begin = usage.windows.front().begin + hours(24 * 5), .cpu = {1}, .memory = {1}});
  Echo echo;
  const std::vector<SizingDay> days = RehearseSizing(usage, Resource::kCpu, echo);
  ASSERT_EQ(days.size(), 2U);
  EXPECT_EQ(days[0].number, 1U);
  EXPECT_EQ(days[1].number, 5U);
  EXPECT_TRUE(IsUsed(usage, Resource::kMemory));
  for (ServiceWindow& window : usage.windows) std::ranges::fill(window.memory, 0.0F);
  EXPECT_FALSE(IsUsed(usage, Resource::kMemory));
}

TEST(RehearseSizing, RunsOnWhatIsGenerated) {
  std::ostringstream text;
  GenerateUsage({.services = 3, .days = 3}, 5, text);
  const auto usage = ReadServiceUsage(LineReader::FromText(text.str(), "usage.csv"));
  ASSERT_TRUE(usage.ok()) << usage.status().message();
  ASSERT_EQ(usage.value().size(), 3U);
  for (const RecommenderEntry& entry : Recommenders()) {
    for (const ServiceUsage& service : usage.value()) {
      EXPECT_GT(service.asked[Resource::kMemory], 0);
      const Sized sized{.resource = Resource::kMemory, .request = service.asked[Resource::kMemory]};
      const std::vector<SizingDay> days =
          RehearseSizing(service, Resource::kMemory, *entry.make(sized));
      ASSERT_EQ(days.size(), 2U);
      EXPECT_GT(days[0].limit_mean, 0);
    }
  }
}

}  // namespace
}  // namespace berth

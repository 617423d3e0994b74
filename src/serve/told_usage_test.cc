#include "serve/told_usage.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

using std::chrono::seconds;

const Time kCreated = Time(std::chrono::hours(1000));

Instance Created() {
  Instance instance;
  instance.id = {"db", 0};
  instance.timeline.created = kCreated;
  return instance;
}

std::vector<UsagePoint> Points(std::initializer_list<std::pair<int, double>> points) {
  std::vector<UsagePoint> made;
  for (const auto& [after, value] : points) made.push_back({kCreated + seconds(after), value});
  return made;
}

TEST(ToldUsage, IsTheLatestOfABatchAndTheMost) {
  ToldUsage told;
  told.Add(Created(), Resource::kCpu, Points({{10, 500}, {30, 200}, {20, 900.5}}));
  ASSERT_EQ(told.all().size(), 1U);
  const auto& [of, usage] = *told.all().begin();
  EXPECT_EQ(of.first, Created().id);
  EXPECT_EQ(of.second, kCreated + seconds(30));
  EXPECT_EQ(usage.latest[Resource::kCpu], 200);
  EXPECT_EQ(usage.most[Resource::kCpu], 901);
  EXPECT_EQ(usage.latest[Resource::kMemory], -1) << "nothing was told of it";
  EXPECT_EQ(usage.most[Resource::kMemory], -1);
}

TEST(ToldUsage, WhatIsOlderThanTheInstanceIsOfAnotherOfItsName) {
  ToldUsage told;
  told.Add(Created(), Resource::kCpu, Points({{-1, 9000}, {0, 100}}));
  EXPECT_EQ(told.all().begin()->second.most[Resource::kCpu], 100);
  ToldUsage nothing;
  nothing.Add(Created(), Resource::kCpu, Points({{-10, 9000}, {-1, 100}}));
  nothing.Add(Created(), Resource::kCpu, {});
  EXPECT_TRUE(nothing.all().empty());
}

TEST(ToldUsage, ResourcesOfOneTimeAreToldTogetherAndOthersByThemselves) {
  ToldUsage told;
  told.Add(Created(), Resource::kCpu, Points({{30, 100}}));
  told.Add(Created(), Resource::kMemory, Points({{30, 200}}));
  told.Add(Created(), Resource::kDisk, Points({{20, 300}}));
  ASSERT_EQ(told.all().size(), 2U);
  EXPECT_EQ(told.all().begin()->second.latest[Resource::kDisk], 300);
  EXPECT_EQ(told.all().begin()->second.latest[Resource::kCpu], -1);
  const ToldUsage::Told& later = told.all().rbegin()->second;
  EXPECT_EQ(later.latest[Resource::kCpu], 100);
  EXPECT_EQ(later.latest[Resource::kMemory], 200);
}

}  // namespace
}  // namespace berth

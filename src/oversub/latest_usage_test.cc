#include "oversub/latest_usage.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

constexpr std::string_view kUsageHeader = "at_ms,instance,cpu_milli,memory_bytes,disk_bytes\n";

Result<UsageByInstance> ReadLatest(std::string_view rows) {
  return ReadLatestUsage(
      LineReader::FromText(std::string(kUsageHeader) + std::string(rows), "u.csv"));
}

TEST(LatestUsage, IsTheLastRowAndTheGreatestOfEachColumn) {
  const auto usage = ReadLatest("0,web/0,900,10,5\n0,db/7,0,0,0\n600000,web/0,500,30,5\n");
  ASSERT_TRUE(usage.ok()) << usage.status().message();
  ASSERT_EQ(usage.value().size(), 2U);
  const InstanceUsage& web = usage.value().at({"web", 0});
  EXPECT_EQ(web.now[Resource::kCpu], 500);
  EXPECT_EQ(web.peak[Resource::kCpu], 900);
  EXPECT_EQ(web.now[Resource::kMemory], 30);
  EXPECT_EQ(web.peak[Resource::kMemory], 30);
}

TEST(LatestUsage, SaysWhatIsWrongAndWhere) {
  const auto wrong = [](std::string_view rows) {
    return std::string(ReadLatest(rows).status().message());
  };
  EXPECT_TRUE(wrong("0,web,1,1,1\n").starts_with("u.csv:2: column 'instance'"));
  EXPECT_TRUE(wrong("0,web/0,x,1,1\n").starts_with("u.csv:2: column 'cpu_milli'"));
  EXPECT_TRUE(
      wrong("0,web/0,1,1,1\n0,web/0,1,-1,1\n").starts_with("u.csv:3: column 'memory_bytes'"));
  const auto no_disk =
      ReadLatestUsage(LineReader::FromText("instance,cpu_milli,memory_bytes\n", "u"));
  EXPECT_NE(no_disk.status().message().find("disk_bytes"), std::string::npos);
}

}  // namespace
}  // namespace berth

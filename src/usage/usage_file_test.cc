#include "usage/usage_file.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

Result<std::vector<ServiceUsage>> ReadUsageText(const std::string& rows) {
  return ReadServiceUsage(LineReader::FromText(
      "at_ms,instance,cpu_milli,memory_bytes,cpu_limit_milli,memory_limit_bytes\n" + rows,
      "u.csv"));
}

TEST(UsageFile, GathersInstancesIntoWindowsOfTheirService) {
  const auto usage = ReadUsageText(
      "0,web/0,100,1000,500,4000\n"
      "60000,web/0,300,900,500,4000\n"
      "1000,web/1,200,2000,600,4000\n"
      "300000,web/0,50,700,500,4000\n"
      "0,db,7,8,9,10\n");
  ASSERT_TRUE(usage.ok()) << usage.status().message();
  ASSERT_EQ(usage.value().size(), 2U);
  EXPECT_EQ(usage.value()[0].service, "db");
  const ServiceUsage& web = usage.value()[1];
  EXPECT_EQ(web.asked[Resource::kCpu], 600);
  ASSERT_EQ(web.windows.size(), 2U);
  EXPECT_EQ(web.windows[0].cpu, (std::vector<float>{100, 300, 200}));
  EXPECT_EQ(web.windows[0].memory, (std::vector<float>{1000, 2000}));
  EXPECT_EQ(web.windows[1].memory, std::vector<float>{700});
}

TEST(UsageFile, SaysWhatIsWrongAndWhere) {
  const auto message = [](const std::string& rows) {
    const auto usage = ReadUsageText(rows);
    return usage.ok() ? std::string() : usage.status().message();
  };
  EXPECT_EQ(message(""), "u.csv:1: there is no row; nothing was used");
  EXPECT_NE(message("5,web/0,1,1,1,1\n5,web/0,1,1,1,1\n").find("u.csv:3"), std::string::npos);
  EXPECT_NE(message("5,web/0,-1,1,1,1\n").find("uses nothing or more"), std::string::npos);
  EXPECT_NE(message("5,web/0,nan,1,1,1\n").find("u.csv:2"), std::string::npos);
  EXPECT_NE(message("-5,web/0,1,1,1,1\n").find("1970"), std::string::npos);
  EXPECT_NE(message("5,,1,1,1,1\n").find("must name the instance"), std::string::npos);
}

}  // namespace
}  // namespace berth

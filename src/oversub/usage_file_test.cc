#include "oversub/usage_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace berth {
namespace {

Result<UsageByInstance> Read(const std::string& text) {
  const std::string path = ::testing::TempDir() + "usage_file_test.csv";
  std::ofstream(path) << text;
  return ReadUsageFile(path);
}

TEST(UsageFile, ReadsAmountsAndPeaks) {
  const auto usage =
      Read("instance,cpu,memory,disk,peak_cpu\nweb/0,1.5,4Gi,100Gi,2\ndb/7,0,0,0,0\n");
  ASSERT_TRUE(usage.ok()) << usage.status().message();
  const InstanceUsage& web = usage.value().at({"web", 0});
  EXPECT_EQ(web.now[Resource::kCpu], 1'500);
  EXPECT_EQ(web.peak[Resource::kCpu], 2'000);
  EXPECT_EQ(web.peak[Resource::kMemory], std::int64_t{4} << 30);
  EXPECT_EQ(usage.value().size(), 2U);
}

TEST(UsageFile, SaysWhatIsWrongAndWhere) {
  const auto wrong = [](const std::string& text) { return Read(text).status().message(); };
  EXPECT_NE(wrong("instance,cpu,memory\n").find("disk"), std::string::npos);
  EXPECT_NE(wrong("instance,cpu,memory,disk\nweb,1,1,1\n").find(":2: column 'instance'"),
            std::string::npos);
  EXPECT_NE(wrong("instance,cpu,memory,disk\nweb/0,x,1,1\n").find(":2: column 'cpu'"),
            std::string::npos);
  EXPECT_NE(
      wrong("instance,cpu,memory,disk\nweb/0,1,1,1\nweb/0,1,1,1\n").find("each instance once"),
      std::string::npos);
  EXPECT_NE(wrong("instance,cpu,memory,disk,peak_cpu\nweb/0,2,1,1,1\n").find("peak_cpu"),
            std::string::npos);
}

}  // namespace
}  // namespace berth

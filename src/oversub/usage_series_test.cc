#include "oversub/usage_series.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace berth {
namespace {

constexpr std::string_view kSeriesHeader =
    "at_ms,instance,type,role,cpu_milli,memory_bytes,disk_bytes\n";

Result<UsageTraces> ReadSeries(std::string_view rows) {
  return ReadUsageTraces(
      LineReader::FromText(std::string(kSeriesHeader) + std::string(rows), "u.csv"));
}

// Steps of ten minutes are 600,000 ms. db/0 is told in steps 1, 1 and 3: the greater of the first
// two counts, and step 2 is as before. Memory is rounded up to whole MiB.
TEST(UsageSeries, AreFoldedIntoStepsOfTenMinutes) {
  const UsageTraces found = ReadSeries(
                                "600000,db/0,small,primary,100,1048576,0\n"
                                "700000,db/0,small,primary,50,1048577,0\n"
                                "900000,db/1,large,secondary,7,0,0\n"
                                "1800000,db/0,small,primary,20,0,3145728\n")
                                .value();
  EXPECT_EQ(found.rows, 4U);
  EXPECT_EQ(found.class_names, (std::vector<std::string>{"small", "large"}));
  ASSERT_EQ(found.traces.size(), 2U);
  const DemandTrace& first = found.traces[0];
  EXPECT_EQ(first.samples, (std::vector<Demand>{{100, 2, 0}, {100, 2, 0}, {20, 0, 3}}));
  EXPECT_EQ(first.tenant_class, TenantClass{0});
  EXPECT_EQ(found.traces[1].role, TenantRole::kSecondary);
  EXPECT_EQ(found.traces[1].tenant_class, TenantClass{1});
  EXPECT_EQ(found.still_running, 1U);
}

TEST(UsageSeries, SayWhereTheyAreWrong) {
  const auto refusal = [](std::string_view rows) { return ReadSeries(rows).status().message(); };
  EXPECT_NE(refusal("").find("there is no row"), std::string::npos);
  EXPECT_NE(refusal("1800000,a,t,,1,1,1\n600000,a,t,,1,1,1\n").find("u.csv:3: column 'at_ms'"),
            std::string::npos);
  EXPECT_NE(refusal("1,a,t,,-1,1,1\n").find("column 'cpu_milli'"), std::string::npos);
  EXPECT_NE(refusal("1,a,no name,,1,1,1\n").find("column 'type'"), std::string::npos);
  EXPECT_NE(refusal("1,,t,,1,1,1\n").find("column 'instance'"), std::string::npos);
  EXPECT_NE(refusal("-1,a,t,,1,1,1\n").find("column 'at_ms'"), std::string::npos);
  EXPECT_NE(refusal("1,a,t,,1,1,1\n900000000000,a,t,,1,1,1\n").find("older than"),
            std::string::npos);
}

// Twenty years between two rows would be twelve megabytes.
TEST(UsageSeries, AreRefusedWhenHardlyAnythingIsTold) {
  const auto rows = [](std::int64_t days_apart, int count) {
    std::string text;
    for (int i = 0; i < count; ++i)
      text += fmt::format("{},a,t,,1,1,1\n", i * days_apart * 86'400'000);
    return text;
  };
  EXPECT_TRUE(ReadSeries(rows(400, 2)).ok());
  const std::string refusal(ReadSeries(rows(7'000, 2)).status().message());
  EXPECT_NE(refusal.find("u.csv:3"), std::string::npos) << refusal;
  EXPECT_NE(refusal.find("1008001 steps of ten minutes in 2 rows"), std::string::npos) << refusal;
  EXPECT_TRUE(ReadSeries(rows(1, 2'000)).ok());
  EXPECT_FALSE(ReadSeries(rows(2, 2'000)).ok());
}

}  // namespace
}  // namespace berth

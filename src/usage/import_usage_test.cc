#include "usage/import_usage.h"

#include <gtest/gtest.h>

#include "support/temp_folder.h"
#include "usage/usage_file.h"

namespace berth {
namespace {

using std::chrono::minutes;

const InstanceLabels kLabels = {.service = "app", .instance = "pod"};

PrometheusSeries SeriesNamed(std::string app, std::string pod,
                             const std::vector<std::pair<int, double>>& points) {
  PrometheusSeries series;
  if (!app.empty()) series.labels["app"] = std::move(app);
  series.labels["pod"] = std::move(pod);
  for (const auto& [minute, value] : points) {
    series.points.emplace_back(Time(minutes(minute)), value);
  }
  return series;
}

TEST(UsageFromSeries, AMomentCountsWhereBothAreKnown) {
  const auto usage = UsageFromSeries(
      {SeriesNamed("web", "0", {{0, 0.5}, {1, 0.25}, {3, -1}}), SeriesNamed("db", "a", {{0, 1}})},
      {SeriesNamed("web", "0", {{1, 1000}, {2, 2000}, {3, 3000}})}, kLabels);
  ASSERT_TRUE(usage.ok()) << usage.status().message();
  EXPECT_EQ(usage.value().csv,
            "at_ms,instance,cpu_milli,memory_bytes\n"
            "60000,web/0,250.000,1000\n"
            "180000,web/0,0.000,3000\n");
  EXPECT_EQ(usage.value().rows, 2U);
  EXPECT_EQ(usage.value().instances, 1U);
  EXPECT_EQ(usage.value().left_out, 3U);
}

TEST(UsageFromSeries, WhatIsNotAskedForIsNothing) {
  const auto cpu = UsageFromSeries({SeriesNamed("web", "0", {{1, 0.25}})}, {}, kLabels);
  EXPECT_EQ(cpu.value().csv, "at_ms,instance,cpu_milli,memory_bytes\n60000,web/0,250.000,0\n");
  const auto memory = UsageFromSeries({}, {SeriesNamed("web", "0", {{1, 7}})}, kLabels);
  EXPECT_EQ(memory.value().csv, "at_ms,instance,cpu_milli,memory_bytes\n60000,web/0,0.000,7\n");
}

TEST(UsageFromSeries, NamesTellWhatToAskFor) {
  const auto error = [](const std::vector<PrometheusSeries>& cpu) {
    return UsageFromSeries(cpu, {}, kLabels).status().message();
  };
  EXPECT_EQ(error({SeriesNamed("", "0", {{1, 1}})}),
            "a series of cpu is named {pod='0'}: it needs the labels app and pod; ask for `sum by "
            "(app, pod) (...)`, or name other labels");
  EXPECT_NE(error({SeriesNamed("a,b", "0", {{1, 1}})}).find("needs the labels"), std::string::npos);
  EXPECT_EQ(error({SeriesNamed("web", "0", {{1, 1}}), SeriesNamed("web", "0", {{1, 1}})}),
            "two series of cpu are of the instance web/0, the second is {app='web', pod='0'}; ask "
            "for `sum by (app, pod) (...)`");
}

TEST(WriteUsageFile, WhatIsWrittenIsRead) {
  const std::string csv = "at_ms,instance,cpu_milli,memory_bytes\n60000,web/0,250.000,1000\n";
  const testing::TempFolder folder;
  for (const std::string name : {"usage.csv", "usage.csv.gz"}) {
    const std::string path = folder.File(name);
    ASSERT_TRUE(WriteUsageFile(path, csv).ok());
    Result<LineReader> lines = LineReader::Open(path);
    ASSERT_TRUE(lines.ok());
    const auto services = ReadServiceUsage(std::move(lines).value());
    ASSERT_TRUE(services.ok()) << services.status().message();
    EXPECT_EQ(services.value()[0].service, "web");
  }
  EXPECT_EQ(WriteUsageFile("/no/such/folder/x.csv", csv).message(),
            "/no/such/folder/x.csv cannot be written");
}

}  // namespace
}  // namespace berth

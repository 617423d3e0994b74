#include "scale/external_scaler.h"

#include <gtest/gtest.h>

#include "support/paths.h"

namespace berth {
namespace {

using std::chrono::hours;

std::shared_ptr<ExternalProgram> OpenProgram(std::vector<std::string> command) {
  Result<std::shared_ptr<ExternalProgram>> opened =
      ExternalProgram::Open(std::move(command), std::chrono::seconds(20));
  EXPECT_TRUE(opened.ok()) << opened.status().message();
  return std::move(opened).value();
}

// 2000m at 60% of 500m are 6.7 replicas: seven, and one more.
TEST(ExternalScaler, TheExampleOfTheDocumentsCounts) {
  const auto program =
      OpenProgram({(testing::SourceDir() / "testdata/external/median.py").string()});
  const auto scaler = NewExternalScaler(program, {.reference_milli = 500});
  EXPECT_EQ(scaler->Recommend(), std::nullopt);
  const std::vector<NamedMetric> metrics = {{"queue \"1\"", 4.5}};
  scaler->Observe({.at = Time(hours(1)), .replicas = 4, .cpu_milli = 2000, .metrics = metrics});
  EXPECT_EQ(scaler->Recommend(), 8U);
  EXPECT_EQ(scaler->Why(), "8: what it takes, and one more");
  EXPECT_EQ(program->Trouble(), "");
  const auto restored = NewExternalScaler(program, {.reference_milli = 500});
  ASSERT_TRUE(restored->Restore(scaler->Save()).ok());
  EXPECT_EQ(restored->Why(), scaler->Why());
}

TEST(ExternalScaler, NonsenseLeavesTheLastCount) {
  const auto program = OpenProgram(
      {"sh", "-c",
       "read line; echo '{\"berth\": 1}'; read line; echo '{\"id\": 1}'; read line\n"
       "echo '{\"id\": 1, \"count\": 5}'; read line; echo '{\"id\": 1, \"count\": 1000000}'\n"});
  const auto scaler = NewExternalScaler(program, {});
  scaler->Observe({.at = Time(hours(1)), .replicas = 4, .cpu_milli = 2000});
  EXPECT_EQ(scaler->Recommend(), 5U);
  scaler->Observe({.at = Time(hours(2)), .replicas = 4, .cpu_milli = 2000});
  EXPECT_EQ(scaler->Recommend(), 5U);
  EXPECT_NE(program->Trouble().find("its answer:1:20: count:"), std::string::npos)
      << program->Trouble();
}

}  // namespace
}  // namespace berth

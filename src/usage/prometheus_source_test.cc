#include "usage/prometheus_source.h"

#include <gtest/gtest.h>

#include <string>

#include "support/temp_folder.h"

namespace berth {
namespace {

class PrometheusSourceTest : public ::testing::Test {
 protected:
  Result<PrometheusSource> Read(const std::string& text) {
    return ReadPrometheusSource(folder_.Write("source.yaml", text));
  }
  std::string Error(const std::string& text) {
    std::string message = Read(text).status().message();
    const std::string path = folder_.File("source.yaml");
    return message.starts_with(path) ? message.substr(path.size()) : message;
  }

  testing::TempFolder folder_;
};

TEST_F(PrometheusSourceTest, ReadsWhatToAskFor) {
  const Result<PrometheusSource> read = Read(
      "url: http://localhost:9090\nevery: 30s\nseries:\n"
      "- {metric: cpu_milli, query: 1000 * used, service: app, instance: pod}\n"
      "- {metric: queue, query: queue}\n");
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(read.value().every, std::chrono::seconds(30));
  ASSERT_EQ(read.value().series.size(), 2U);
  EXPECT_EQ(read.value().series[0].query, "1000 * used");
  EXPECT_EQ(read.value().series[0].instance, "pod");
  EXPECT_EQ(read.value().series[1].service, "service");
}

TEST_F(PrometheusSourceTest, WhatIsWrongIsNamedWithItsPlace) {
  EXPECT_EQ(Error("url: localhost\nseries: [{metric: a, query: b}]"),
            ":1:1: top level: url is an address as http://localhost:9090, not 'localhost'");
  EXPECT_NE(Error("url: http://h\nevery: 6m\nseries: [{metric: a, query: b}]")
                .find("every is 1s to 5m, not 6m"),
            std::string::npos);
  EXPECT_NE(Error("url: http://h\nseries: []").find("series are 1 to 64, not 0"),
            std::string::npos);
  EXPECT_NE(Error("url: http://h\nseries: [{metric: 'a b', query: b}]").find("is no metric"),
            std::string::npos);
  EXPECT_NE(Error("url: http://h\nseries: [{metric: a}]").find("query"), std::string::npos);
}

TEST(SubjectOfSeries, IsWhomTheLabelsName) {
  const PolledSeries of_instance{.service = "app", .instance = "pod"};
  EXPECT_EQ(SubjectOf(of_instance, {{"app", "web"}, {"pod", "3"}}), "web/3");
  EXPECT_EQ(SubjectOf(of_instance, {{"app", "web"}, {"pod", "api/3"}}), "api/3");
  EXPECT_EQ(SubjectOf(of_instance, {{"app", "web"}}), std::nullopt);
  const PolledSeries of_service{.service = "app"};
  EXPECT_EQ(SubjectOf(of_service, {{"app", "web"}, {"pod", "3"}}), "web");
  EXPECT_EQ(SubjectOf(of_service, {}), std::nullopt);
}

}  // namespace
}  // namespace berth

#include "scale/load_file.h"

#include <gtest/gtest.h>

#include <cmath>

namespace berth {
namespace {

Result<ServiceLoad> ReadLoad(std::string text) {
  return ReadServiceLoad(LineReader::FromText(std::move(text), "load.csv"));
}

TEST(LoadFile, OtherColumnsAreMetrics) {
  const Result<ServiceLoad> read =
      ReadLoad("queue,at_ms,cpu_milli,rate\n7,60000,500,\n8,120000,,0.5\n");
  ASSERT_TRUE(read.ok()) << read.status().message();
  const ServiceLoad& load = read.value();
  EXPECT_EQ(load.metrics, (std::vector<std::string>{"queue", "rate"}));
  ASSERT_EQ(load.rows.size(), 2U);
  EXPECT_EQ(load.rows[0].at, Time(std::chrono::minutes(1)));
  EXPECT_EQ(load.rows[0].cpu_milli, 500);
  EXPECT_EQ(load.rows[0].metrics[0], 7);
  EXPECT_TRUE(std::isnan(load.rows[0].metrics[1]));
  EXPECT_EQ(load.rows[1].cpu_milli, std::nullopt);
}

TEST(LoadFile, WhatIsWrongIsSaidWithItsLine) {
  const auto error = [](std::string text) { return ReadLoad(std::move(text)).status().message(); };
  EXPECT_NE(error("at_ms,cpu\n1,2\n").find("cpu_milli"), std::string::npos);
  EXPECT_EQ(error("at_ms,cpu_milli\n5,1\n5,1\n"),
            "load.csv:3: column 'at_ms': is not after the row above; sort them");
  EXPECT_EQ(error("at_ms,cpu_milli\n5,-1\n"),
            "load.csv:2: column 'cpu_milli': -1 is not between 0 and 4.5036e+15");
  EXPECT_NE(error("at_ms,cpu_milli\n5,1\n").find("fewer than two rows"), std::string::npos);
  EXPECT_NE(error("at_ms,cpu_milli\n-5,1\n").find("1970"), std::string::npos);
}

}  // namespace
}  // namespace berth

#include "forecast/read_series.h"

#include <gtest/gtest.h>

#include <cmath>

namespace berth {
namespace {

Result<TimeSeries> Read(std::string text) {
  return ReadSeries(LineReader::FromText(std::move(text), "load.csv"));
}

std::string ErrorOf(std::string text) {
  const Result<TimeSeries> series = Read(std::move(text));
  return series.ok() ? "none" : series.status().message();
}

TEST(ReadSeries, TakesSecondsMillisecondsAndTimestamps) {
  for (const char* text : {"at_s,value\n7200,1\n10800,2\n", "value,at_ms\n1,7200000\n2,10800000\n",
                           "timestamp,load\n1970-01-01 02:00:00,1\n1970-01-01T03:00Z,2\n"}) {
    const Result<TimeSeries> series = Read(text);
    ASSERT_TRUE(series.ok()) << series.status().message();
    EXPECT_EQ(series.value().start, TimeFromMicros(7'200'000'000));
    EXPECT_EQ(series.value().step, std::chrono::hours(1));
    EXPECT_EQ(series.value().values, (std::vector<double>{1, 2}));
  }
}

TEST(ReadSeries, RowsLeftOutAndEmptyValuesAreGaps) {
  const Result<TimeSeries> series = Read("at_s,value\n0,\n60,1\n120,\n180,2\n360,3\n420,\n");
  ASSERT_TRUE(series.ok()) << series.status().message();
  const std::vector<double>& values = series.value().values;
  ASSERT_EQ(values.size(), 6U);
  EXPECT_EQ(series.value().start, TimeFromMicros(60'000'000));
  EXPECT_EQ(values[0], 1);
  EXPECT_TRUE(std::isnan(values[1]));
  EXPECT_EQ(values[2], 2);
  EXPECT_TRUE(std::isnan(values[3]) && std::isnan(values[4]));
  EXPECT_EQ(values[5], 3);
}

TEST(ReadSeries, AByteOrderMarkIsNoPartOfAName) {
  const Result<TimeSeries> series = Read(
      "\xEF\xBB\xBF"
      "at_s,value\n0,1\n60,2\n");
  ASSERT_TRUE(series.ok()) << series.status().message();
  EXPECT_EQ(series.value().values, (std::vector<double>{1, 2}));
  const auto columns = ReadSeriesColumns(
      "\xEF\xBB\xBF"
      "a,at_s\n1,0\n2,60\n",
      "load.csv");
  ASSERT_TRUE(columns.ok()) << columns.status().message();
  EXPECT_EQ(columns.value()[0].name, "a");
}

TEST(ReadSeries, OnePointIsASeries) {
  const Result<TimeSeries> series = Read("at_s,value\n60,5\n");
  ASSERT_TRUE(series.ok());
  EXPECT_EQ(series.value().values, std::vector<double>{5});
}

TEST(ReadSeries, SaysWhereWhatIsWrong) {
  EXPECT_EQ(ErrorOf("at_s,value\n60,1\n0,2\n"),
            "load.csv:3: column 'at_s': the time is before that of the row before; sort the rows");
  EXPECT_EQ(ErrorOf("at_s,value\n60,1\n60,2\n"),
            "load.csv:3: column 'at_s': the time is that of the row before; keep one");
  EXPECT_EQ(ErrorOf("at_s,value\n0,1\n60,x\n"),
            "load.csv:3: column 'value': 'x' is not a number; write a number");
  EXPECT_EQ(ErrorOf("at_s,value\n0,nan\n"),
            "load.csv:2: column 'value': 'nan' is not a number; write a number");
  EXPECT_EQ(ErrorOf("at_s,value\n0,inf\n"),
            "load.csv:2: column 'value': 'inf' is not a number; write a number");
  EXPECT_EQ(ErrorOf("at_s,value\n0,1e200\n"),
            "load.csv:2: column 'value': 1e+200 is beyond 1e+100");
  EXPECT_EQ(ErrorOf("at_s,value\n"),
            "load.csv:1: column 'value': there is no value; a forecast needs at least one");
  EXPECT_EQ(ErrorOf("at_s,value\n0,1\n60,1\n150,1\n"),
            "load.csv:4: column 'at_s': the time is 1m 30s after the row before; the first two "
            "rows are 1m apart, and all must be on that grid");
  EXPECT_EQ(ErrorOf("timestamp,value\n2026-02-30 00:00,1\n"),
            "load.csv:2: column 'timestamp': '2026-02-30 00:00' is not a time; write 2026-11-15 "
            "13:45:00");
  EXPECT_EQ(ErrorOf("at_s,value\n-1,1\n"),
            "load.csv:2: column 'at_s': -1 is not between 1970 and the year 3000");
  EXPECT_EQ(ErrorOf("when,value\n0,1\n"),
            "load.csv:1: there is no column of times; name it at_s, at_ms or timestamp");
  EXPECT_EQ(ErrorOf("at_s,a,b\n0,1,2\n"),
            "load.csv:1: there is no column 'value', and not just one beside the times");
}

TEST(ReadSeries, AGapCannotBeLongerThanASeries) {
  EXPECT_EQ(ErrorOf("at_s,value\n0,1\n1,1\n2000000,1\n"),
            "load.csv:4: column 'at_s': with this row the series is longer than 1,000,000 points");
}

}  // namespace
}  // namespace berth

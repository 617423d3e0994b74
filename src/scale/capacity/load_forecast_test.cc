#include "scale/capacity/load_forecast.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(LoadQuantile, TheBoundsAreThoseOfTheBand) {
  const LoadPoint point{.mean = 100, .lower = 90, .upper = 130};
  EXPECT_NEAR(LoadQuantile(point, 0.95, 0.975), 130, 1e-9);
  EXPECT_NEAR(LoadQuantile(point, 0.95, 0.025), 90, 1e-9);
  EXPECT_NEAR(LoadQuantile(point, 0.95, 0.5), 100, 1e-9);
  // One deviation is 30 / 1.959964 above.
  EXPECT_NEAR(LoadQuantile(point, 0.95, 0.8413447460685429), 100 + 30 / 1.959963984540054, 1e-6);
  EXPECT_EQ(LoadQuantile({.mean = 1, .lower = -50, .upper = 60}, 0.95, 0.1), 0);
}

std::string PointsWith(const std::string& points) {
  return R"({"method": "m", "level": 0.95, "forecast": [)" + points + "]}";
}

TEST(LoadForecast, ReadsWhatBerthForecastPrints) {
  const LoadForecast forecast =
      ParseLoadForecast(PointsWith(R"({"at_ms": 3600000, "mean": 5.5, "lower": 4, "upper": 7},
        {"at_ms": 4500000, "mean": 6, "lower": 5, "upper": 8e0},
        {"at_ms": 5400000, "mean": 6, "lower": 5, "upper": 8})"),
                        "f.json")
          .value();
  EXPECT_EQ(ToMicros(forecast.start), 3'600'000'000);
  EXPECT_EQ(forecast.step, std::chrono::minutes(15));
  EXPECT_EQ(forecast.level, 0.95);
  ASSERT_EQ(forecast.points.size(), 3U);
  EXPECT_EQ(forecast.points[0].mean, 5.5);
  EXPECT_EQ(forecast.points[1].upper, 8);
}

std::string ForecastError(const std::string& text) {
  const auto read = ParseLoadForecast(text, "f.json");
  return read.ok() ? "no error" : read.status().message();
}

TEST(LoadForecast, SaysWhatIsWrong) {
  EXPECT_EQ(ForecastError("{}"),
            "f.json:1:1: top level: has no level and forecast; give what `berth forecast --json` "
            "prints");
  EXPECT_NE(ForecastError(PointsWith("")).find("has no points; forecast at least one"),
            std::string::npos);
  const std::string first = R"({"at_ms": 1, "mean": 1, "lower": 1, "upper": 1})";
  EXPECT_NE(ForecastError(PointsWith(first + ", " + first))
                .find("forecast[1]: is not after the point before; sort the points"),
            std::string::npos);
  EXPECT_NE(ForecastError(PointsWith(first + R"(, {"at_ms": 2, "mean": 1, "lower": 1, "upper": 1},
      {"at_ms": 4, "mean": 1, "lower": 1, "upper": 1})"))
                .find("is not as far from the point before as others; give all points"),
            std::string::npos);
  EXPECT_NE(ForecastError(PointsWith(R"({"at_ms": 1, "mean": 3, "lower": 1, "upper": 2})"))
                .find("has a mean outside of its band"),
            std::string::npos);
  EXPECT_NE(ForecastError(PointsWith(R"({"at_ms": 1, "mean": 3})")).find("has no lower"),
            std::string::npos);
}

}  // namespace
}  // namespace berth

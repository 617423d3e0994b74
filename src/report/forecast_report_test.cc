#include "report/forecast_report.h"

#include <gtest/gtest.h>

#include "report/table.h"

namespace berth {
namespace {

MethodForecast Of(double unit) {
  return {.method = "average",
          .backtest = ForecastScores{.points = 1, .interval_score = 4.25 * unit, .coverage = 1},
          .forecast = {.mean = {2 * unit},
                       .bands = {{.level = 0.95, .lower = {unit}, .upper = {3 * unit}}}}};
}

std::string Cell(const Table& table, std::size_t column) {
  return std::get<std::string>(table.rows[0][column]);
}

TEST(ForecastReport, NumbersOfAnySizeAreReadable) {
  const TimeSeries series{.start = TimeFromMicros(0), .values = {1}};
  const auto shown = [&](double unit) {
    const MethodForecast one = Of(unit);
    const Table table = ForecastTable(one, series);
    return std::vector<std::string>{Cell(table, 1), Cell(table, 2), Cell(table, 3),
                                    Cell(MethodTable(std::span(&one, 1)), 3)};
  };
  using Shown = std::vector<std::string>;
  EXPECT_EQ(shown(1), (Shown{"2.000", "1.000", "3.000", "4.250"}));
  EXPECT_EQ(shown(1e-7), (Shown{"0.000000200", "0.000000100", "0.000000300", "0.000000425"}));
  EXPECT_EQ(shown(1e-90), (Shown{"2.000e-90", "1.000e-90", "3.000e-90", "4.250e-90"}));
  EXPECT_EQ(shown(1e99), (Shown{"2.000e+99", "1.000e+99", "3.000e+99", "4.250e+99"}));
}

}  // namespace
}  // namespace berth

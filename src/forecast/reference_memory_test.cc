// What lasts long: fractional differences beside R's forecast::arfima and fracdiff. The figures
// were printed by `Rscript testdata/forecast/reference_memory.R` (R 4.2.2, forecast 8.20,
// fracdiff 1.5.2), which tells what is compared with what.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "forecast/fractional.h"
#include "forecast/reference_series_testing.h"
#include "forecast/series_forecaster.h"

namespace berth {
namespace {

SeriesForecaster FittedWithMemory(std::string_view method, const std::vector<double>& values,
                                  const ForecastOptions& options = {}) {
  return SeriesForecaster::Fit(*FindForecaster(method).value(),
                               {.start = TimeFromMicros(0), .values = values}, options)
      .value();
}

struct MemoryOfR {
  double ar;
  double d;
  std::size_t skip;
  double least_squares;  // Of what two terms of autoregression leave, as ours is found.
  double of_two_terms;   // The most likely with these.
  double of_method;      // With as many terms as the method took.
  AtSteps mean;          // 1, 12 and 24 ahead.
  AtSteps half;          // Of a band of 95%.
};

std::vector<double> LongMemory(const MemoryOfR& r) {
  const std::vector<double> errors = ProcessOf(ErrorsAfter(r.skip, 500), {r.ar});
  return About(100, FractionalDifferences(errors, -r.d), 3);
}

double MemoryOf(std::vector<double> values) {
  double mean = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  for (double& value : values) value -= mean;
  return EstimateMemory(values, 2);
}

void ExpectForecast(const SeriesForecaster& fitted, const AtSteps& mean, const AtSteps& half) {
  const Forecast ours = fitted.Predict(24, std::vector<double>{0.95}).value();
  for (std::size_t i = 0; i < kReferenceSteps.size(); ++i) {
    const std::size_t h = kReferenceSteps[i];
    EXPECT_NEAR(ours.mean[h], mean[i], 0.02 * half[i]) << fitted.description();
    EXPECT_NEAR(ours.bands[0].upper[h] - ours.mean[h], half[i], 0.01 * half[i])
        << fitted.description();
  }
}

// Of series that the test of levels takes for stationary. Others ours differences first, R's never.
TEST(ReferenceMemory, FractionalForecastsAreThoseOfR) {
  const std::vector<MemoryOfR> all = {
      {0, 0.2, 500, 0.1254, 0.1223, 0.1472, {99.7208, 99.8589, 99.9071}, {6.1897, 6.4278, 6.4366}},
      {0, 0.2, 1000, 0.1684, 0.1556, 0.1715, {99.5292, 99.9099, 99.9975}, {6.0441, 6.2134, 6.2248}},
      {0,
       0.2,
       2500,
       0.1712,
       0.1635,
       0.1715,
       {100.0729, 100.4154, 100.3442},
       {5.9502, 6.1170, 6.1283}},
      {0,
       0.2,
       5500,
       0.2432,
       0.2299,
       0.2386,
       {101.4107, 100.6479, 100.5155},
       {5.5897, 5.9194, 5.9492}},
      {-0.4,
       0.3,
       500,
       0.2402,
       0.2317,
       0.2582,
       {99.0301, 99.7829, 99.8524},
       {6.1892, 6.4035, 6.4288}},
      {-0.4,
       0.3,
       1000,
       0.3006,
       0.2784,
       0.2913,
       {99.6343, 99.8233, 99.9472},
       {6.0389, 6.3813, 6.4122}},
      {-0.4,
       0.3,
       2500,
       0.2553,
       0.2430,
       0.2307,
       {101.7596, 100.5534, 100.4502},
       {5.9391, 6.1031, 6.1193}},
  };
  for (const MemoryOfR& r : all) {
    const std::vector<double> values = LongMemory(r);
    EXPECT_NEAR(MemoryOf(values), r.least_squares, 0.01 * r.least_squares) << r.d << " " << r.skip;
    // So many points tell the memory to 0.05.
    EXPECT_NEAR(MemoryOf(values), r.of_two_terms, 0.025) << r.d << " " << r.skip;
    const SeriesForecaster fitted = FittedWithMemory("sarfima", values);
    // The method says how often it differenced, last, to two digits.
    const std::string said = fitted.description();
    EXPECT_NEAR(std::stod(said.substr(said.rfind(' '))), r.least_squares, 0.007) << said;
    EXPECT_NEAR(std::stod(said.substr(said.rfind(' '))), r.of_method, 0.03) << said;
    ExpectForecast(fitted, r.mean, r.half);
  }
}

TEST(ReferenceMemory, LongerMemoryIsFoundAsByR) {
  const std::vector<MemoryOfR> all = {
      {0, 0.4, 2000, 0.3795, 0.3606, 0.4005, {99.5993, 98.6883, 98.5925}, {5.7053, 6.8712, 7.0633}},
      {0,
       0.4,
       3000,
       0.4357,
       0.4088,
       0.4080,
       {101.9475, 101.7839, 101.5379},
       {5.3821, 6.5338, 6.7281}},
      {0,
       0.4,
       4000,
       0.3761,
       0.3404,
       0.3754,
       {99.9786, 101.1260, 101.0979},
       {5.8218, 7.1668, 7.3382}},
  };
  for (const MemoryOfR& r : all) {
    EXPECT_NEAR(MemoryOf(LongMemory(r)), r.least_squares, 0.01 * r.least_squares);
    EXPECT_NEAR(MemoryOf(LongMemory(r)), r.of_two_terms, 0.04);
  }
}

struct WholeOfR {
  std::string_view kind;
  std::size_t skip;
  std::string_view description;
  AtSteps mean;
  AtSteps half;
};

std::vector<double> WithWholeDifferences(const WholeOfR& r) {
  const std::vector<double> memory =
      About(0, FractionalDifferences(ErrorsAfter(r.skip, 500), -0.2), 3);
  if (r.kind == "level") return About(100, Summed(memory, 1));
  std::vector<double> values = Summed(memory, 12);
  if (r.kind == "both") values = Summed(values, 1);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += 10 * static_cast<double>(i % 12);
  return About(r.kind == "both" ? 1000 : 100, values);
}

// Series of which ours selects the same order, as it mostly does; see reference_selection_test.cc.
TEST(ReferenceMemory, ForecastsWithWholeDifferencesAreThoseOfPartsOfR) {
  const std::vector<WholeOfR> all = {
      {"level",
       500,
       "ARIMA(1,0,0) of differences of 1.13",
       {83.4929, 81.5020, 80.3381},
       {6.2008, 31.2019, 48.2762}},
      {"level",
       1000,
       "ARIMA(0,0,0) of differences of 1.17",
       {166.0768, 163.9594, 163.5478},
       {6.0497, 30.1178, 47.8416}},
      {"level",
       3000,
       "ARIMA(0,0,0) of differences of 1.24",
       {91.0358, 96.4537, 101.6806},
       {5.3819, 30.7615, 51.0863}},
      {"season",
       500,
       "ARIMA(1,0,0)(0,0,0)[12] of differences of 0.11 and of seasons of 12",
       {144.2054, 173.2850, 173.2473},
       {6.1598, 6.4006, 9.1528}},
      {"season",
       1000,
       "ARIMA(0,0,0)(0,0,0)[12] of differences of 0.18 and of seasons of 12",
       {184.2866, 176.3263, 176.2949},
       {6.0246, 6.2108, 8.9513}},
      {"season",
       1500,
       "ARIMA(0,0,0)(0,0,0)[12] of differences of 0.19 and of seasons of 12",
       {167.2551, 164.6496, 163.9900},
       {5.6360, 5.8387, 8.4366}},
      {"both",
       500,
       "ARIMA(0,0,1)(0,0,0)[12] of differences of 1.12 and of seasons of 12",
       {338.2488, 345.9683, 327.1222},
       {6.1614, 30.5800, 72.9554}},
      {"both",
       2000,
       "ARIMA(0,0,0)(0,0,0)[12] of differences of 1.19 and of seasons of 12",
       {1856.5193, 1743.7800, 1604.2430},
       {5.7202, 29.6566, 73.2286}},
      {"both",
       2500,
       "ARIMA(1,0,0)(0,0,0)[12] of differences of 0.18 and of seasons of 12",
       {455.6350, 489.9056, 526.2494},
       {5.9314, 27.2909, 62.0781}},
  };
  for (const WholeOfR& r : all) {
    ForecastOptions options;
    if (r.kind != "level") options.seasons = {12};
    const SeriesForecaster fitted = FittedWithMemory("sarfima", WithWholeDifferences(r), options);
    EXPECT_EQ(fitted.description(), r.description) << r.kind << r.skip;
    ExpectForecast(fitted, r.mean, r.half);
  }
}

}  // namespace
}  // namespace berth

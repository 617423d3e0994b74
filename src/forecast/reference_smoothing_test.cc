// Exponential smoothing beside R's forecast::ets and statsmodels. The figures were printed by
// `Rscript testdata/forecast/reference_smoothing.R` (R 4.2.2, forecast 8.20) and by
// `python3 testdata/forecast/reference_smoothers.py` (statsmodels 0.13.5).
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "forecast/ets_fit.h"
#include "forecast/reference_series_testing.h"
#include "forecast/series_forecaster.h"

namespace berth {
namespace {

using enum EtsError;
constexpr EtsTrend kNoTrend = EtsTrend::kNone;
constexpr EtsTrend kTrend = EtsTrend::kAdditive;
constexpr EtsTrend kDamped = EtsTrend::kDamped;
constexpr EtsSeason kNoSeason = EtsSeason::kNone;
constexpr EtsSeason kSum = EtsSeason::kAdditive;
constexpr EtsSeason kProduct = EtsSeason::kMultiplicative;

struct FormOfR {
  EtsForm form;
  double aicc;
  double continued;  // Of its search begun again where it ended.
};

// R's search stops short: ours may find a better fit, and may not miss one.
TEST(ReferenceSmoothing, EveryFormIsFittedAsWellAsByR) {
  const std::vector<FormOfR> all = {{{kAdditive, kNoTrend, kNoSeason}, 2982.6975, 2982.6973},
                                    {{kAdditive, kTrend, kNoSeason}, 2987.6978, 2986.8090},
                                    {{kAdditive, kDamped, kNoSeason}, 2988.3754, 2988.2059},
                                    {{kAdditive, kNoTrend, kSum}, 1766.1770, 1762.8011},
                                    {{kAdditive, kTrend, kSum}, 1771.5729, 1767.3370},
                                    {{kAdditive, kDamped, kSum}, 1772.3851, 1769.4821},
                                    {{kMultiplicative, kNoTrend, kNoSeason}, 2804.3201, 2804.3201},
                                    {{kMultiplicative, kNoTrend, kSum}, 1808.2679, 1803.3908},
                                    {{kMultiplicative, kDamped, kSum}, 1814.9883, 1808.3725},
                                    {{kMultiplicative, kNoTrend, kProduct}, 1874.7488, 1867.8490},
                                    {{kMultiplicative, kTrend, kProduct}, 1925.9169, 1872.0134},
                                    {{kMultiplicative, kDamped, kProduct}, 1877.8468, 1870.5273}};
  const std::vector<double> values = ReferenceSeries();
  for (const FormOfR& r : all) {
    const double ours = FitEts(values, r.form, 12).aicc;
    EXPECT_LT(ours, r.aicc + 0.1) << ToString(r.form);
    EXPECT_NEAR(ours, r.continued, 0.3) << ToString(r.form);
  }
}

struct ModelOfR {
  EtsModel model;
  double log_likelihood;
  AtSteps mean;
  AtSteps half;  // Of a band of 95%.
};

// From R's weights and start, so that the two searches do not matter.
void ExpectModels(const std::vector<ModelOfR>& all, const std::vector<double>& values,
                  double mean_tolerance) {
  for (ModelOfR r : all) {
    const EtsFollowed followed = Follow(r.model, values, {});
    const double likelihood =
        -0.5 * static_cast<double>(values.size()) * std::log(followed.squares) - followed.logs;
    EXPECT_NEAR(likelihood, r.log_likelihood, 1e-3) << ToString(r.model.form);
    const std::vector<double> means = r.model.Means(24);
    const std::vector<double> deviations = r.model.Deviations(24);
    for (std::size_t i = 0; i < kReferenceSteps.size(); ++i) {
      const std::size_t h = kReferenceSteps[i];
      EXPECT_NEAR(means[h], r.mean[i], mean_tolerance) << ToString(r.model.form);
      EXPECT_NEAR(kTwoSided * deviations[h], r.half[i], 0.01 * r.half[i]) << ToString(r.model.form);
    }
  }
}

TEST(ReferenceSmoothing, ModelsAreThoseOfR) {
  const std::vector<ModelOfR> all = {
      {{.form = {EtsError::kAdditive, EtsTrend::kAdditive, EtsSeason::kAdditive},
        .weights = {.alpha = 0.6082151908, .beta = 0.0001029135867, .gamma = 0.0001189887248},
        .state = {.level = 105.3743278,
                  .slope = 0.03996332288,
                  .season = {-54.61963354, -43.96379523, -33.74292196, -24.07084805, -14.98473894,
                             -6.038390474, 4.745176052, 14.45530054, 25.17064945, 34.47003608,
                             44.40454629, 54.1746198}},
        .variance = 6.1518605},
       -867.408073,
       {56.078434, 165.304020, 165.775065},
       {4.8613, 10.9540, 15.0174}},
      {{.form = {EtsError::kAdditive, EtsTrend::kDamped, EtsSeason::kNone},
        .weights = {.alpha = 0.8781058099, .beta = 0.0001000010821, .phi = 0.8628918732},
        .state = {.level = 40.7441301, .slope = 10.44538162},
        .variance = 1033.2624},
       -1488.007437,
       {163.635966, 163.658113, 163.662634},
       {63.0019, 194.0656, 272.8302}},
      {{.form = {EtsError::kMultiplicative, EtsTrend::kDamped, EtsSeason::kAdditive},
        .weights = {.alpha = 0.6424466544,
                    .beta = 0.0001137252371,
                    .gamma = 0.0001096881318,
                    .phi = 0.97187313},
        .state = {.level = 104.3830542,
                  .slope = -0.1057195962,
                  .season = {-54.39150079, -43.84547019, -33.60215472, -24.36819863, -15.20357552,
                             -5.844884676, 4.774446609, 14.5386856, 25.27138438, 34.53816792,
                             44.02352112, 54.1095789}},
        .variance = 0.00071312783},
       -887.946652,
       {56.397220, 164.899696, 164.900891},
       {2.9518, 15.0451, 20.2540}},
      {{.form = {EtsError::kMultiplicative, EtsTrend::kDamped, EtsSeason::kMultiplicative},
        .weights = {.alpha = 0.5731924119,
                    .beta = 0.0001058685304,
                    .gamma = 0.0001058614443,
                    .phi = 0.9793985354},
        .state = {.level = 103.7349393,
                  .slope = 0.1967818659,
                  .season = {0.4935918566, 0.5906482939, 0.6877562007, 0.7729126798, 0.8593591254,
                             0.9438757813, 1.0440269, 1.135633381, 1.235031253, 1.32175646,
                             1.411584758, 1.503823311}},
        .variance = 0.00092517767},
       -919.375866,
       {54.125013, 164.923273, 164.940404},
       {3.2267, 21.1558, 28.8639}}};
  ExpectModels(all, ReferenceSeries(), 1e-3);
}

std::vector<double> MovingSeason() {
  EtsModel model{.form = {kMultiplicative, kNoTrend, kProduct},
                 .weights = {.alpha = 0.3, .gamma = 0.25},
                 .state = {.level = 100, .season = {1.3, 0.9, 0.8, 1}}};
  std::vector<double> values;
  for (const double error : ErrorsAfter(0, 200)) {
    values.push_back(model.Next() * (1 + 0.03 * error));
    model.Update(values.back());
  }
  return values;
}

// Whose bands grow with the seasons that a horizon spans. Of factors ours are to the first order,
// and R's means hold how level and factor go together, a thousandth.
TEST(ReferenceSmoothing, ModelsOfASeasonThatMovesAreThoseOfR) {
  const std::vector<ModelOfR> all = {
      {{.form = {kMultiplicative, kNoTrend, kProduct},
        .weights = {.alpha = 0.3, .gamma = 0.25},
        .state = {.level = 99.99332531,
                  .season = {1.281169005, 0.8718519429, 0.8221816562, 1.024797396}},
        .variance = 0.00078556655},
       -727.282145,
       {128.1548, 102.2823, 102.3004},
       {7.0400, 8.7348, 11.4324}},
      {{.form = {kMultiplicative, kTrend, kProduct},
        .weights = {.alpha = 0.3, .beta = 0.05, .gamma = 0.25},
        .state = {.level = 100.5735565,
                  .slope = -0.2774536652,
                  .season = {1.280057632, 0.8717695818, 0.8225832245, 1.025589562}},
        .variance = 0.00087287678},
       -736.748889,
       {128.0944, 101.2984, 100.3897},
       {7.4175, 14.3959, 29.2946}},
      {{.form = {kMultiplicative, kDamped, kProduct},
        .weights = {.alpha = 0.3, .beta = 0.05, .gamma = 0.25, .phi = 0.9},
        .state = {.level = 101.2807905,
                  .slope = -0.646337225,
                  .season = {1.27926073, 0.8715723266, 0.8228793484, 1.026287595}},
        .variance = 0.00083412135},
       -731.676816,
       {128.0716, 101.6900, 101.5636},
       {7.2660, 12.0952, 19.1194}},
      {{.form = {kMultiplicative, kTrend, kSum},
        .weights = {.alpha = 0.3, .beta = 0.05, .gamma = 0.25},
        .state = {.level = 100.4524368,
                  .slope = -0.2466748003,
                  .season = {27.54652003, -12.45987894, -17.47695353, 2.390312437}},
        .variance = 0.00089626912},
       -739.373463,
       {128.0222, 101.0171, 99.8551},
       {7.5119, 14.7996, 29.9926}},
      {{.form = {kAdditive, kNoTrend, kSum},
        .weights = {.alpha = 0.3, .gamma = 0.25},
        .state = {.level = 100.1586791,
                  .season = {27.7012533, -12.60205504, -17.44448185, 2.3452836}},
        .variance = 7.9396997},
       -733.973361,
       {128.1309, 102.2247, 102.2249},
       {5.5353, 8.5583, 11.1920}}};
  ExpectModels(all, MovingSeason(), 0.1);
}

struct SmoothedByR {
  std::string_view kind;
  std::size_t skip;
  std::string_view form;
  AtSteps mean;
  AtSteps half;
};

SeriesForecaster FittedTo(std::string_view method, std::string_view kind, std::size_t skip) {
  ForecastOptions options;
  if (kind == "holt_winters") options.seasons = {12};
  return SeriesForecaster::Fit(*FindForecaster(method).value(),
                               {.start = TimeFromMicros(0), .values = SmoothedSeries(kind, skip)},
                               options)
      .value();
}

void ExpectForecast(const SeriesForecaster& fitted, const SmoothedByR& r) {
  EXPECT_TRUE(fitted.description().starts_with(r.form)) << fitted.description() << r.skip;
  const Forecast ours = fitted.Predict(24, std::vector<double>{0.95}).value();
  for (std::size_t i = 0; i < kReferenceSteps.size(); ++i) {
    const std::size_t h = kReferenceSteps[i];
    EXPECT_NEAR(ours.mean[h], r.mean[i], 0.01 * r.half[i]) << r.kind << r.skip;
    EXPECT_NEAR(ours.bands[0].upper[h] - ours.mean[h], r.half[i], 0.01 * r.half[i])
        << r.kind << r.skip;
  }
}

// Which form is selected is ours; see docs/forecasting.md.
TEST(ReferenceSmoothing, MethodsForeseeWhatRDoesWithTheirForm) {
  const std::vector<SmoothedByR> all = {
      {"simple_exponential",
       0,
       "ETS(A,N,N)",
       {53.8209, 53.8209, 53.8209},
       {1.8719, 3.2343, 4.2485}},
      {"simple_exponential",
       500,
       "ETS(M,N,N)",
       {48.0798, 48.0798, 48.0798},
       {2.0618, 3.4860, 4.5585}},
      {"simple_exponential",
       1000,
       "ETS(A,A,N)",
       {54.7256, 54.9813, 55.2603},
       {2.0560, 3.2578, 4.1981}},
      {"holt", 0, "ETS(A,A,N)", {176.3413, 182.1340, 188.4533}, {3.7576, 5.3205, 6.6259}},
      {"holt", 500, "ETS(A,A,N)", {167.7000, 173.1280, 179.0494}, {4.1338, 5.7343, 7.0887}},
      {"holt", 1000, "ETS(A,A,N)", {177.6185, 183.4904, 189.8960}, {4.1161, 5.5501, 6.7861}},
      {"holt_winters", 0, "ETS(A,A,A)", {175.4915, 168.8521, 172.6167}, {1.8877, 2.6681, 3.3208}},
      {"holt_winters", 500, "ETS(A,A,A)", {171.3087, 164.0961, 167.6542}, {2.0243, 2.8801, 3.5928}},
      {"holt_winters",
       1000,
       "ETS(A,A,A)",
       {175.9477, 169.2881, 173.0943},
       {2.0972, 2.8478, 3.4918}},
  };
  for (const SmoothedByR& r : all) {
    ExpectForecast(FittedTo("exponential_smoothing", r.kind, r.skip), r);
    if (r.kind != "simple_exponential") ExpectForecast(FittedTo("holt_winters", r.kind, r.skip), r);
  }
}

TEST(ReferenceSmoothing, HoltWintersForeseesWhatStatsmodelsDoes) {
  struct OfStatsmodels {
    std::string_view kind;
    std::size_t skip;
    AtSteps mean;
  };
  const std::vector<OfStatsmodels> all = {
      {"holt", 0, {176.3410, 182.1331, 188.4519}},
      {"holt_winters", 0, {175.4920, 168.8538, 172.6193}},
      {"holt", 500, {167.7021, 173.1300, 179.0514}},
      {"holt_winters", 500, {171.3099, 164.0981, 167.6565}},
      {"holt", 1000, {177.6190, 183.4931, 189.9011}},
      {"holt_winters", 1000, {175.9475, 169.2881, 173.0944}},
  };
  for (const OfStatsmodels& r : all) {
    const SeriesForecaster fitted = FittedTo("holt_winters", r.kind, r.skip);
    const Forecast ours = fitted.Predict(24, {}).value();
    for (std::size_t i = 0; i < kReferenceSteps.size(); ++i) {
      EXPECT_NEAR(ours.mean[kReferenceSteps[i]], r.mean[i], 0.01 * r.mean[i]) << r.kind << r.skip;
    }
  }
}

}  // namespace
}  // namespace berth

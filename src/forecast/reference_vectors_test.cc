// Support vectors beside those of scikit-learn. The figures were printed by
// `python3 testdata/forecast/reference_vectors.py` (scikit-learn 1.2.1).
#include <gtest/gtest.h>

#include "forecast/reference_series_testing.h"
#include "forecast/series_forecaster.h"

namespace berth {
namespace {

// What lingers, with or without a wave.
std::vector<double> NoisySeries(std::size_t skip, double wave) {
  return WithWave(About(100, ProcessOf(ErrorsAfter(skip, 300), {0.6}), 5), 12, wave);
}

struct OfScikitLearn {
  std::vector<double> values;
  std::vector<std::size_t> seasons;
  std::vector<double> mean;  // 24 steps, each made of those before.
};

TEST(ReferenceVectors, SupportVectorsForeseeWhatThoseOfScikitLearnDo) {
  const std::vector<OfScikitLearn> all = {
      {ReferenceSeries(), {12}, {54.5230,  65.5162,  74.2264,  83.3339,  91.6433,  101.1468,
                                 111.8030, 122.7577, 133.2073, 142.7412, 153.1375, 162.5535,
                                 52.4712,  63.7236,  73.2546,  82.5616,  91.3807,  101.0542,
                                 111.5498, 122.2772, 132.5728, 142.3194, 152.5555, 162.1610}},
      {NoisySeries(0, 10), {12}, {103.0941, 107.6638, 112.5850, 112.0178, 109.6709, 102.4106,
                                  98.2510,  92.8092,  88.6877,  87.1919,  92.6722,  93.0817,
                                  102.0184, 107.7254, 113.9546, 112.1524, 109.0396, 103.0999,
                                  96.0842,  88.1307,  86.5600,  88.8929,  95.4277,  103.6496}},
      {NoisySeries(0, 0), {}, {99.9213,  100.2872, 99.4236,  99.9301,  99.8719,  100.2444,
                               100.2952, 100.4594, 100.4663, 100.5067, 100.4871, 100.4853,
                               100.4667, 100.4601, 100.4508, 100.4482, 100.4456, 100.4457,
                               100.4458, 100.4466, 100.4471, 100.4476, 100.4478, 100.4480}},
      {NoisySeries(1000, 10), {12}, {102.5316, 108.1837, 114.5881, 116.2114, 115.3948, 110.0167,
                                     106.2715, 101.8207, 94.2592,  95.4797,  95.2066,  99.3318,
                                     103.2513, 106.9709, 111.3042, 114.4617, 114.8665, 111.1361,
                                     106.1237, 101.5310, 93.3715,  90.3669,  89.1398,  93.1209}},
      {NoisySeries(1000, 0), {}, {104.5960, 104.6616, 104.2888, 104.4393, 104.4535, 104.5238,
                                  104.5494, 104.5727, 104.5805, 104.5850, 104.5856, 104.5856,
                                  104.5852, 104.5849, 104.5847, 104.5846, 104.5845, 104.5845,
                                  104.5845, 104.5845, 104.5845, 104.5845, 104.5845, 104.5845}},
  };
  for (const OfScikitLearn& r : all) {
    const SeriesForecaster fitted =
        SeriesForecaster::Fit(*FindForecaster("support_vector").value(),
                              {.start = TimeFromMicros(0), .values = r.values},
                              {.seasons = r.seasons})
            .value();
    const Forecast ours = fitted.Predict(r.mean.size(), {}).value();
    for (std::size_t h = 0; h < r.mean.size(); ++h) {
      EXPECT_NEAR(ours.mean[h], r.mean[h], 0.001 * r.mean[h]) << "step " << h + 1;
    }
  }
}

}  // namespace
}  // namespace berth

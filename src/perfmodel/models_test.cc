// What every model must hold to, and each one's case worked out by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "berth/rng.h"
#include "perfmodel/online_linear.h"
#include "perfmodel/performance_model.h"

namespace berth {
namespace {

struct MadeRows {
  std::size_t rows = 0;
  std::vector<double> features, targets;
  ModelRows View(std::size_t begin, std::size_t end, const ModelSettings& of) const {
    return {
        .rows = end - begin,
        .features = std::span(features).subspan(begin * of.features, (end - begin) * of.features),
        .targets = std::span(targets).subspan(begin * of.targets, (end - begin) * of.targets)};
  }
};

constexpr ModelSettings kTwoFromThree = {.features = 3, .targets = 2, .penalty = 1e-4};

// Targets of very different sizes that depend on features of very different sizes.
MadeRows LinearRows(std::size_t rows, std::uint64_t seed) {
  Rng rng(seed);
  MadeRows made{.rows = rows};
  for (std::size_t i = 0; i < rows; ++i) {
    const double a = 100 + 20 * rng.Normal(), b = 0.01 * rng.Unit(), c = rng.Normal();
    made.features.insert(made.features.end(), {a, b, c});
    made.targets.insert(made.targets.end(),
                        {500 + 3 * a - 4'000 * b, 0.02 + 0.001 * c + 0.0001 * rng.Normal()});
  }
  return made;
}

class ModelContract : public ::testing::TestWithParam<std::size_t> {
 protected:
  const ModelEntry& entry() const { return PerformanceModels()[GetParam()]; }
  std::unique_ptr<PerformanceModel> Learned(std::size_t rows) const {
    auto model = entry().make(kTwoFromThree);
    const MadeRows made = LinearRows(rows, 1);
    EXPECT_TRUE(model->Learn(made.View(0, rows, kTwoFromThree)).ok());
    return model;
  }
  static std::vector<double> Predicted(const PerformanceModel& model,
                                       std::vector<double> features) {
    std::vector<double> targets(2);
    model.Predict(features, targets);
    return targets;
  }
};

TEST_P(ModelContract, KnowsNothingBeforeItLearns) {
  const auto model = entry().make(kTwoFromThree);
  EXPECT_EQ(Predicted(*model, {1, 2, 3}), (std::vector<double>{0, 0}));
}

TEST_P(ModelContract, LearnsWhatIsLinear) {
  const auto model = Learned(10'000);
  const MadeRows asked = LinearRows(200, 2);
  double errors[2] = {0, 0}, squares[2] = {0, 0};
  for (std::size_t i = 0; i < asked.rows; ++i) {
    const ModelRows one = asked.View(i, i + 1, kTwoFromThree);
    const auto predicted = Predicted(*model, {one.features.begin(), one.features.end()});
    for (std::size_t t = 0; t < 2; ++t) {
      const double mean = t == 0 ? 780 : 0.02;
      errors[t] += std::pow(predicted[t] - one.targets[t], 2);
      squares[t] += std::pow(one.targets[t] - mean, 2);
    }
  }
  EXPECT_LT(errors[0], 0.2 * squares[0]);
  EXPECT_LT(errors[1], 0.2 * squares[1]);
}

TEST_P(ModelContract, SlopesAreDifferencesOfPredictions) {
  const auto model = Learned(2'000);
  const std::vector<double> at = {110, 0.004, 0.5};
  std::vector<double> jacobian(6);
  model->Jacobian(at, jacobian);
  const std::vector<double> steps = {1e-3, 1e-7, 1e-5};
  for (std::size_t i = 0; i < 3; ++i) {
    std::vector<double> up = at, down = at;
    up[i] += steps[i];
    down[i] -= steps[i];
    const auto high = Predicted(*model, up), low = Predicted(*model, down);
    for (std::size_t t = 0; t < 2; ++t) {
      const double expected = (high[t] - low[t]) / (2 * steps[i]);
      EXPECT_NEAR(jacobian[t * 3 + i], expected, 1e-5 * std::abs(expected) + 1e-7) << t << i;
    }
  }
}

TEST_P(ModelContract, ARestoredOneGoesOnAlike) {
  const auto model = Learned(507);
  const auto restored = entry().make(kTwoFromThree);
  ASSERT_TRUE(restored->Restore(model->Save()).ok());
  EXPECT_EQ(restored->Save(), model->Save());
  const MadeRows more = LinearRows(60, 3);
  ASSERT_TRUE(model->Learn(more.View(0, 60, kTwoFromThree)).ok());
  ASSERT_TRUE(restored->Learn(more.View(0, 60, kTwoFromThree)).ok());
  EXPECT_EQ(Predicted(*restored, {90, 0.002, 1}), Predicted(*model, {90, 0.002, 1}));
}

TEST_P(ModelContract, OnlineOnesMayBeToldRowByRow) {
  if (entry().learning == ModelLearning::kBatch) return;
  const auto model = entry().make(kTwoFromThree);
  const MadeRows made = LinearRows(500, 1);
  for (std::size_t i = 0; i < made.rows; ++i) {
    ASSERT_TRUE(model->Learn(made.View(i, i + 1, kTwoFromThree)).ok());
  }
  EXPECT_EQ(model->Save(), Learned(500)->Save());
}

TEST_P(ModelContract, BadBytesAreAnErrorAndChangeNothing) {
  const auto model = Learned(300);
  const std::string good = model->Save();
  EXPECT_FALSE(model->Restore("no model").ok());
  EXPECT_FALSE(model->Restore(std::string_view(good).substr(0, good.size() / 2)).ok());
  auto wider = entry().make({.features = 4, .targets = 2});
  EXPECT_FALSE(wider->Restore(good).ok());
  Rng rng(9);
  for (int i = 0; i < 300; ++i) {
    std::string damaged = good;
    damaged[rng.Below(damaged.size())] = static_cast<char>(rng.Below(256));
    const auto other = entry().make(kTwoFromThree);
    if (!other->Restore(damaged).ok()) {
      EXPECT_EQ(other->Save(), entry().make(kTwoFromThree)->Save());
    }
  }
  EXPECT_EQ(model->Save(), good);
}

TEST_P(ModelContract, HardRowsGiveNumbers) {
  const auto model = entry().make(kTwoFromThree);
  const MadeRows made{.rows = 12,
                      .features = std::vector<double>(36, 1e12),
                      .targets = std::vector<double>(24, -1e12)};
  ASSERT_TRUE(model->Learn(made.View(0, 12, kTwoFromThree)).ok());
  for (const std::vector<double>& asked :
       {std::vector<double>{0, 0, 0}, {1e12, 1e12, 1e12}, {-1e12, 1, 0}}) {
    for (const double value : Predicted(*model, asked)) EXPECT_TRUE(std::isfinite(value));
  }
}

INSTANTIATE_TEST_SUITE_P(Models, ModelContract,
                         ::testing::Range(std::size_t{0}, PerformanceModels().size()),
                         [](const auto& tested) {
                           return std::string(PerformanceModels()[tested.param].name);
                         });

TEST(Models, AnUnknownOneIsToldTheKnown) {
  EXPECT_EQ(FindPerformanceModel("oracle").status().message(),
            "there is no model 'oracle'; the models are lasso, sgd, passive_aggressive, network");
  EXPECT_TRUE(FindPerformanceModel(kDefaultPerformanceModel).ok());
}

TEST(Models, SettingsHaveBounds) {
  EXPECT_TRUE(CheckSettings({}).ok());
  EXPECT_EQ(CheckSettings({.degree = 4}).message(), "the degree is 4; it is from 1 to 3");
  EXPECT_FALSE(CheckSettings({.features = 257}).ok());
  EXPECT_FALSE(CheckSettings({.targets = 0}).ok());
  EXPECT_FALSE(CheckSettings({.penalty = 0}).ok());
  EXPECT_FALSE(CheckSettings({.penalty = std::nan("")}).ok());
}

TEST(Models, TooManyTermsAreRefused) {
  const auto refusal = [](std::size_t features, std::size_t degree, std::size_t rows) {
    auto model =
        FindPerformanceModel("lasso").value()->make({.features = features, .degree = degree});
    const std::vector<double> values(features * rows, 1);
    return model
        ->Learn({.rows = rows, .features = values, .targets = std::span(values).first(rows)})
        .message();
  };
  EXPECT_EQ(refusal(200, 3, 1),
            "200 features make 1,373,700 terms of degree 3, 10,000 are the most; ask for a lower "
            "degree, or give fewer columns");
  EXPECT_EQ(refusal(100, 2, 13'031),
            "13,031 rows of 5,150 terms are too many; ask for a lower degree, or give at most "
            "13,030 rows");
}

// One feature and one target, both of deviation 1 about 0 from the second row on: rows (-1, -1) and
// (1, 1). The first row is the mean of what was seen, so it is 0 and teaches the constant nothing.
double WeightAfterTwoRows(std::string_view name) {
  auto model = FindPerformanceModel(name).value()->make({});
  const std::vector<double> rows = {-1, 1};
  EXPECT_TRUE(model->Learn({.rows = 2, .features = rows, .targets = rows}).ok());
  std::vector<double> jacobian(1);
  model->Jacobian(std::span(rows).first(1), jacobian);
  return jacobian[0];
}

TEST(Models, SgdByHand) {
  // An error of 1 times 0.01 times 2^-0.25.
  EXPECT_NEAR(WeightAfterTwoRows("sgd"), 0.01 * 0.8408964, 1e-9);
}

TEST(Models, PassiveAggressiveByHand) {
  // A loss of 0.9 over a square of 2 would be 0.45, which is cut to 0.01.
  EXPECT_NEAR(WeightAfterTwoRows("passive_aggressive"), 0.01, 1e-12);
}

}  // namespace
}  // namespace berth

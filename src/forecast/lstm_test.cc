#include "forecast/lstm.h"

#include <gtest/gtest.h>

#include <cmath>

namespace berth {
namespace {

double Sigmoid(double z) { return 1 / (1 + std::exp(-z)); }

// The equations one by one, for one unit and one input.
TEST(Lstm, OneUnitByHand) {
  LstmNetwork network(1, 1, Rng(1));
  // Of take, keep, show and fresh: by input, by output, constant; then the output's.
  const double given[] = {0.5, -0.3, 0.8, 1.1, 0.2, 0.4, -0.6, 0.7, 0.1, 1, -0.2, 0.3, 2, -0.5};
  ASSERT_EQ(network.parameters().size(), 14U);
  std::copy(std::begin(given), std::end(given), network.parameters().begin());
  double h = 0, c = 0;
  LstmState state = network.Start();
  for (const double x : {1.0, -2.0, 0.5}) {
    const double take = Sigmoid(0.5 * x + 0.2 * h + 0.1);
    const double keep = Sigmoid(-0.3 * x + 0.4 * h + 1);
    const double show = Sigmoid(0.8 * x - 0.6 * h - 0.2);
    const double fresh = std::tanh(1.1 * x + 0.7 * h + 0.3);
    c = keep * c + take * fresh;
    h = show * std::tanh(c);
    EXPECT_NEAR(network.Step(state, std::vector<double>{x}), 2 * h - 0.5, 1e-12);
  }
}

TEST(Lstm, SlopesAreThoseOfDifferences) {
  Rng rng(2);
  LstmNetwork network(2, 3, Rng(5));
  std::vector<std::vector<double>> inputs;
  std::vector<double> targets;
  for (int t = 0; t < 7; ++t) {
    inputs.push_back({rng.Normal(), rng.Normal()});
    targets.push_back(rng.Normal());
  }
  std::vector<double> slopes;
  (void)network.Loss(inputs, targets, slopes);
  std::vector<double> unused;
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    double& parameter = network.parameters()[i];
    const double before = parameter;
    constexpr double kStep = 1e-5;
    parameter = before + kStep;
    const double above = network.Loss(inputs, targets, unused);
    parameter = before - kStep;
    const double below = network.Loss(inputs, targets, unused);
    parameter = before;
    EXPECT_NEAR(slopes[i], (above - below) / (2 * kStep), 1e-8) << i;
  }
}

TEST(Lstm, TheLossIsThatOfTheSteps) {
  LstmNetwork network(1, 2, Rng(3));
  const std::vector<std::vector<double>> inputs = {{1}, {2}};
  const std::vector<double> targets = {0.5, -1};
  LstmState state = network.Start();
  const double first = network.Step(state, inputs[0]) - 0.5;
  const double second = network.Step(state, inputs[1]) + 1;
  std::vector<double> slopes;
  EXPECT_NEAR(network.Loss(inputs, targets, slopes), (first * first + second * second) / 4, 1e-12);
}

TEST(Lstm, TrainingLearnsToRemember) {
  // The target is the input of two steps ago.
  Rng rng(6);
  LstmNetwork network(1, 6, Rng(7));
  AdamSteps adam(network.parameters().size());
  std::vector<double> slopes;
  double late = 0;
  for (int i = 0; i < 600; ++i) {
    std::vector<std::vector<double>> inputs;
    std::vector<double> targets;
    for (int t = 0; t < 20; ++t) {
      inputs.push_back({rng.Unit() < 0.5 ? -1.0 : 1.0});
      targets.push_back(t < 2 ? 0 : inputs[inputs.size() - 3][0]);
    }
    const double loss = network.Loss(inputs, targets, slopes);
    adam.Step(network.parameters(), slopes);
    if (i >= 550) late += loss / 50;
  }
  EXPECT_LT(late, 0.15);  // Not knowing costs 0.45.
}

}  // namespace
}  // namespace berth

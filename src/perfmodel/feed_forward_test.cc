#include "perfmodel/feed_forward.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace berth {
namespace {

std::vector<double> RandomValues(std::size_t count, Rng& rng) {
  std::vector<double> values(count);
  for (double& value : values) value = rng.Normal();
  return values;
}

TEST(FeedForward, OneHiddenUnitByHand) {
  FeedForward network({2, 1, 1}, Rng(1));
  // max(0, 2a - b + 3) * 4 - 5.
  const std::vector<double> set = {2, -1, 3, 4, -5};
  std::ranges::copy(set, network.parameters().begin());
  std::vector<double> output(1), slopes(2);
  network.Predict(std::vector<double>{1, 2}, output);
  EXPECT_EQ(output[0], 7);
  network.Jacobian(std::vector<double>{1, 2}, slopes);
  EXPECT_EQ(slopes, (std::vector<double>{8, -4}));
  network.Predict(std::vector<double>{-5, 0}, output);
  EXPECT_EQ(output[0], -5);
  network.Jacobian(std::vector<double>{-5, 0}, slopes);
  EXPECT_EQ(slopes, (std::vector<double>{0, 0}));
}

// Every unit a sum written out, for the rows one by one.
double LossByDefinition(const FeedForward& network, const std::vector<double>& inputs,
                        const std::vector<double>& outputs, std::size_t rows) {
  const std::size_t in = inputs.size() / rows, out = outputs.size() / rows;
  double loss = 0;
  std::vector<double> predicted(out);
  for (std::size_t r = 0; r < rows; ++r) {
    network.Predict(std::span(inputs).subspan(r * in, in), predicted);
    for (std::size_t t = 0; t < out; ++t) {
      loss += std::pow(predicted[t] - outputs[r * out + t], 2);
    }
  }
  return loss / static_cast<double>(outputs.size());
}

TEST(FeedForward, BackPropagationIsTheDifferenceOfLosses) {
  Rng rng(3);
  for (int round = 0; round < 5; ++round) {
    FeedForward network({4, 6, 5, 3}, rng.Fork(static_cast<std::uint64_t>(round)));
    for (double& parameter : network.parameters()) parameter += 0.1 * rng.Normal();
    const std::vector<double> inputs = RandomValues(7 * 4, rng), outputs = RandomValues(7 * 3, rng);
    std::vector<double> gradient(network.parameters().size());
    const double loss = network.LossGradient(inputs, outputs, 7, 0, rng, gradient);
    EXPECT_NEAR(loss, LossByDefinition(network, inputs, outputs, 7), 1e-12);
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      constexpr double kStep = 1e-6;
      const double kept = network.parameters()[i];
      network.parameters()[i] = kept + kStep;
      const double up = LossByDefinition(network, inputs, outputs, 7);
      network.parameters()[i] = kept - kStep;
      const double down = LossByDefinition(network, inputs, outputs, 7);
      network.parameters()[i] = kept;
      EXPECT_NEAR(gradient[i], (up - down) / (2 * kStep), 1e-6) << i;
    }
  }
}

// With the same draws, so that the same units are left out.
TEST(FeedForward, BackPropagationKnowsWhatWasLeftOut) {
  Rng rng(4);
  FeedForward network({3, 8, 6, 1}, rng.Fork("weights"));
  const std::vector<double> inputs = RandomValues(10 * 3, rng), outputs = RandomValues(10, rng);
  std::vector<double> gradient(network.parameters().size()), unused(gradient.size());
  const auto loss = [&](std::vector<double>& into) {
    Rng draws(7);
    return network.LossGradient(inputs, outputs, 10, 0.2, draws, into);
  };
  loss(gradient);
  std::size_t moved = 0;
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    constexpr double kStep = 1e-6;
    const double kept = network.parameters()[i];
    network.parameters()[i] = kept + kStep;
    const double up = loss(unused);
    network.parameters()[i] = kept - kStep;
    const double down = loss(unused);
    network.parameters()[i] = kept;
    EXPECT_NEAR(gradient[i], (up - down) / (2 * kStep), 1e-6) << i;
    moved += gradient[i] != 0 ? 1 : 0;
  }
  EXPECT_GT(moved, gradient.size() / 4);
}

TEST(FeedForward, WhatIsLeftOutIsMadeUpForOnAverage) {
  FeedForward network({1, 1, 1}, Rng(1));
  const std::vector<double> set = {1, 0, 1, 0};  // The identity, above zero.
  std::ranges::copy(set, network.parameters().begin());
  Rng rng(5);
  std::vector<double> gradient(4);
  double out = 0;
  constexpr int kDraws = 20'000;
  for (int i = 0; i < kDraws; ++i) {
    // The slope of the last constant is twice what the network gives for 1, less a target of 0.
    network.LossGradient(std::vector<double>{1}, std::vector<double>{0}, 1, 0.2, rng, gradient);
    out += gradient[3] / 2 / kDraws;
  }
  EXPECT_NEAR(out, 1, 0.02);
}

TEST(Adam, FirstStepsByHand) {
  Adam adam(2);
  std::vector<double> parameters = {1, 1};
  // The first step is the rate against the sign, whatever the size.
  adam.Step(std::vector<double>{0.5, -200}, parameters);
  EXPECT_NEAR(parameters[0], 0.999, 1e-9);
  EXPECT_NEAR(parameters[1], 1.001, 1e-9);
  // Mean (0.9 * 0.05 + 0.1 * 0) / 0.19, square (0.999 * 0.00025) / 0.001999.
  adam.Step(std::vector<double>{0, 0}, parameters);
  EXPECT_NEAR(parameters[0], 0.999 - 0.001 * (0.045 / 0.19) / std::sqrt(0.00024975 / 0.001999),
              1e-8);
}

}  // namespace
}  // namespace berth

// A feed-forward network: layers of units that add up weighted inputs; those of hidden layers give
// nothing for sums below zero.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "berth/rng.h"

namespace berth {

class FeedForward {
 public:
  // Inputs, the units of each hidden layer, outputs. Weights begin uniform within
  // sqrt(6 / (inputs + outputs of the layer)), constants at 0.
  FeedForward(std::vector<std::size_t> widths, Rng rng);

  void Predict(std::span<const double> inputs, std::span<double> outputs) const;
  // How much each output grows with each input: output by output.
  void Jacobian(std::span<const double> inputs, std::span<double> jacobian) const;

  // The mean squared error of the rows, and by back-propagation how much it grows with each
  // parameter. Every hidden unit is left out of a row with the probability `dropout`.
  double LossGradient(std::span<const double> inputs, std::span<const double> outputs,
                      std::size_t rows, double dropout, Rng& rng, std::span<double> gradient) const;

  std::span<double> parameters() { return parameters_; }
  std::span<const double> parameters() const { return parameters_; }

 private:
  std::size_t layers() const { return widths_.size() - 1; }

  std::vector<std::size_t> widths_;
  std::vector<std::size_t> begins_;  // Of each layer's parameters: weights by unit, then constants.
  std::vector<double> parameters_;
};

// Adam (Kingma and Ba 2015) with its usual settings.
class Adam {
 public:
  explicit Adam(std::size_t parameters) : mean_(parameters, 0), square_(parameters, 0) {}

  void Step(std::span<const double> gradient, std::span<double> parameters);

  std::uint64_t steps() const { return steps_; }
  const std::vector<double>& mean() const { return mean_; }
  const std::vector<double>& square() const { return square_; }
  void Set(std::uint64_t steps, std::vector<double> mean, std::vector<double> square);

 private:
  std::uint64_t steps_ = 0;
  std::vector<double> mean_;
  std::vector<double> square_;
};

}  // namespace berth

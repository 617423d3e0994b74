// A recurrent network of one layer of long short-term memory (Hochreiter and Schmidhuber 1997, with
// the forget gate of Gers, Schmidhuber and Cummins 2000) and one linear output.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "berth/rng.h"

namespace berth {

// What a network remembers, one number a unit each.
struct LstmState {
  std::vector<double> output{};
  std::vector<double> cell{};
};

class LstmNetwork {
 public:
  // Small random weights; gates that remember.
  LstmNetwork(std::size_t inputs, std::size_t units, Rng rng);

  LstmState Start() const;
  // Takes one input in, and says what it makes of all so far.
  double Step(LstmState& state, std::span<const double> input) const;

  // Half the mean squared distance from the targets, from the start, and its slope along each of
  // the parameters (back-propagation through time).
  double Loss(std::span<const std::vector<double>> inputs, std::span<const double> targets,
              std::vector<double>& slopes) const;

  std::span<double> parameters() { return parameters_; }

 private:
  std::size_t columns() const { return inputs_ + units_ + 1; }

  std::size_t inputs_;
  std::size_t units_;
  // Four gates' weights of input, output and one, by columns; then those of the output, and its
  // constant.
  std::vector<double> parameters_;
};

// Of one step of Adam (Kingma and Ba 2015), with slopes of a length of at most one.
class AdamSteps {
 public:
  explicit AdamSteps(std::size_t parameters) : mean_(parameters, 0), square_(parameters, 0) {}
  void Step(std::span<double> parameters, std::vector<double> slopes);

 private:
  std::vector<double> mean_;
  std::vector<double> square_;
  double mean_left_ = 1;
  double square_left_ = 1;
};

}  // namespace berth

#include "forecast/lstm.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

namespace berth {
namespace {

using Eigen::Index;
using Eigen::Map;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Index AsIndex(std::size_t size) { return static_cast<Index>(size); }

VectorXd Logistic(const VectorXd& z) { return (1 / (1 + (-z.array()).exp())).matrix(); }

// What one step computed, for the way back.
struct LstmTrace {
  VectorXd in;  // Input, output before, one.
  VectorXd take, keep, show;
  VectorXd fresh;
  VectorXd cell_before, cell;
  VectorXd output;
};

LstmTrace Forward(const Map<const MatrixXd>& weights, const VectorXd& in,
                  const VectorXd& cell_before) {
  const Index units = cell_before.size();
  const VectorXd z = weights * in;
  LstmTrace trace{.in = in,
                  .take = Logistic(z.segment(0, units)),
                  .keep = Logistic(z.segment(units, units)),
                  .show = Logistic(z.segment(2 * units, units)),
                  .fresh = z.segment(3 * units, units).array().tanh().matrix(),
                  .cell_before = cell_before,
                  .cell = {},
                  .output = {}};
  trace.cell = trace.keep.cwiseProduct(cell_before) + trace.take.cwiseProduct(trace.fresh);
  trace.output = trace.show.cwiseProduct(trace.cell.array().tanh().matrix());
  return trace;
}

VectorXd Joined(std::span<const double> input, const VectorXd& output) {
  VectorXd in(AsIndex(input.size()) + output.size() + 1);
  in << Map<const VectorXd>(input.data(), AsIndex(input.size())), output, 1.0;
  return in;
}

}  // namespace

LstmNetwork::LstmNetwork(std::size_t inputs, std::size_t units, Rng rng)
    : inputs_(inputs), units_(units), parameters_(4 * units * columns() + units + 1, 0) {
  const double size = 1 / std::sqrt(static_cast<double>(units));
  for (double& parameter : parameters_) parameter = size * (2 * rng.Unit() - 1);
  // The constants are the last column; those of the second gate, which keeps, begin at one.
  for (std::size_t row = 0; row < 4 * units; ++row) {
    const bool keeps = row >= units && row < 2 * units;
    parameters_[4 * units * (columns() - 1) + row] = keeps ? 1 : 0;
  }
  parameters_.back() = 0;
}

LstmState LstmNetwork::Start() const {
  return {.output = std::vector<double>(units_, 0), .cell = std::vector<double>(units_, 0)};
}

double LstmNetwork::Step(LstmState& state, std::span<const double> input) const {
  const Map<const MatrixXd> weights(parameters_.data(), AsIndex(4 * units_), AsIndex(columns()));
  const VectorXd output = Map<const VectorXd>(state.output.data(), AsIndex(units_));
  const VectorXd cell = Map<const VectorXd>(state.cell.data(), AsIndex(units_));
  const LstmTrace trace = Forward(weights, Joined(input, output), cell);
  state.output.assign(trace.output.begin(), trace.output.end());
  state.cell.assign(trace.cell.begin(), trace.cell.end());
  const Map<const VectorXd> shown(parameters_.data() + 4 * units_ * columns(), AsIndex(units_));
  return shown.dot(trace.output) + parameters_.back();
}

double LstmNetwork::Loss(std::span<const std::vector<double>> inputs,
                         std::span<const double> targets, std::vector<double>& slopes) const {
  const Index units = AsIndex(units_);
  const Map<const MatrixXd> weights(parameters_.data(), 4 * units, AsIndex(columns()));
  const Map<const VectorXd> shown(parameters_.data() + 4 * units_ * columns(), units);
  std::vector<LstmTrace> traces;
  traces.reserve(inputs.size());
  std::vector<double> errors;
  errors.reserve(inputs.size());
  const auto count = static_cast<double>(inputs.size());
  double loss = 0;
  VectorXd output = VectorXd::Zero(units);
  VectorXd cell = VectorXd::Zero(units);
  for (std::size_t t = 0; t < inputs.size(); ++t) {
    traces.push_back(Forward(weights, Joined(inputs[t], output), cell));
    output = traces.back().output;
    cell = traces.back().cell;
    errors.push_back(shown.dot(output) + parameters_.back() - targets[t]);
    loss += errors.back() * errors.back() / (2 * count);
  }
  slopes.assign(parameters_.size(), 0);
  Map<MatrixXd> weight_slopes(slopes.data(), 4 * units, AsIndex(columns()));
  Map<VectorXd> shown_slopes(slopes.data() + 4 * units_ * columns(), units);
  VectorXd of_output = VectorXd::Zero(units);  // Slopes that come back from the step after.
  VectorXd of_cell = VectorXd::Zero(units);
  for (std::size_t t = inputs.size(); t > 0; --t) {
    const LstmTrace& at = traces[t - 1];
    const double error = errors[t - 1] / count;
    shown_slopes += error * at.output;
    slopes.back() += error;
    of_output += error * shown;
    const Eigen::ArrayXd bent = at.cell.array().tanh();
    of_cell.array() += of_output.array() * at.show.array() * (1 - bent.square());
    VectorXd z(4 * units);
    const auto gate = [](const VectorXd& g) { return g.array() * (1 - g.array()); };
    z.segment(0, units) = of_cell.array() * at.fresh.array() * gate(at.take);
    z.segment(units, units) = of_cell.array() * at.cell_before.array() * gate(at.keep);
    z.segment(2 * units, units) = of_output.array() * bent * gate(at.show);
    z.segment(3 * units, units) =
        of_cell.array() * at.take.array() * (1 - at.fresh.array().square());
    weight_slopes += z * at.in.transpose();
    of_output = (weights.transpose() * z).segment(AsIndex(inputs_), units);
    of_cell = of_cell.cwiseProduct(at.keep).eval();
  }
  return loss;
}

void AdamSteps::Step(std::span<double> parameters, std::vector<double> slopes) {
  constexpr double kStep = 0.01;
  constexpr double kMeanKept = 0.9;
  constexpr double kSquareKept = 0.999;
  double length = 0;
  for (const double slope : slopes) length += slope * slope;
  length = std::max(1.0, std::sqrt(length));
  mean_left_ *= kMeanKept;
  square_left_ *= kSquareKept;
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    const double slope = slopes[i] / length;
    mean_[i] = kMeanKept * mean_[i] + (1 - kMeanKept) * slope;
    square_[i] = kSquareKept * square_[i] + (1 - kSquareKept) * slope * slope;
    parameters[i] -=
        kStep * (mean_[i] / (1 - mean_left_)) / (std::sqrt(square_[i] / (1 - square_left_)) + 1e-8);
  }
}

}  // namespace berth

#include "perfmodel/feed_forward.h"

#include <Eigen/Core>
#include <cmath>

#include "berth/check.h"

namespace berth {
namespace {

using NetMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Index ToIndex(std::size_t value) { return static_cast<Eigen::Index>(value); }

// One layer's parameters, wherever they lie.
template <typename Matrix, typename Vector, typename Number>
struct LayerViewOf {
  LayerViewOf(Number* at, std::size_t units, std::size_t inputs)
      : weights(at, ToIndex(units), ToIndex(inputs)),
        constants(at + units * inputs, ToIndex(units)) {}
  Eigen::Map<Matrix> weights;
  Eigen::Map<Vector> constants;
};
using LayerView = LayerViewOf<NetMatrix, Eigen::RowVectorXd, double>;
using ConstLayerView = LayerViewOf<const NetMatrix, const Eigen::RowVectorXd, const double>;

// 0 for what is left out, otherwise such that the expected sum stays the same.
NetMatrix DrawMask(Eigen::Index rows, Eigen::Index units, double dropout, Rng& rng) {
  NetMatrix mask(rows, units);
  for (Eigen::Index i = 0; i < mask.size(); ++i) {
    mask.data()[i] = dropout > 0 && rng.Unit() < dropout ? 0 : 1 / (1 - dropout);
  }
  return mask;
}

}  // namespace

FeedForward::FeedForward(std::vector<std::size_t> widths, Rng rng) : widths_(std::move(widths)) {
  BERTH_CHECK(widths_.size() >= 2);
  for (std::size_t layer = 0; layer < layers(); ++layer) {
    begins_.push_back(parameters_.size());
    const double reach = std::sqrt(6.0 / static_cast<double>(widths_[layer] + widths_[layer + 1]));
    for (std::size_t i = 0; i < widths_[layer] * widths_[layer + 1]; ++i) {
      parameters_.push_back(reach * (2 * rng.Unit() - 1));
    }
    parameters_.resize(parameters_.size() + widths_[layer + 1], 0);
  }
}

void FeedForward::Predict(std::span<const double> inputs, std::span<double> outputs) const {
  Eigen::RowVectorXd values =
      Eigen::Map<const Eigen::RowVectorXd>(inputs.data(), ToIndex(inputs.size()));
  for (std::size_t layer = 0; layer < layers(); ++layer) {
    const ConstLayerView view(parameters_.data() + begins_[layer], widths_[layer + 1],
                              widths_[layer]);
    values = (values * view.weights.transpose() + view.constants).eval();
    if (layer + 1 < layers()) values = values.cwiseMax(0);
  }
  Eigen::Map<Eigen::RowVectorXd>(outputs.data(), ToIndex(outputs.size())) = values;
}

void FeedForward::Jacobian(std::span<const double> inputs, std::span<double> jacobian) const {
  Eigen::RowVectorXd values =
      Eigen::Map<const Eigen::RowVectorXd>(inputs.data(), ToIndex(inputs.size()));
  NetMatrix slopes = NetMatrix::Identity(values.size(), values.size());
  for (std::size_t layer = 0; layer < layers(); ++layer) {
    const ConstLayerView view(parameters_.data() + begins_[layer], widths_[layer + 1],
                              widths_[layer]);
    values = (values * view.weights.transpose() + view.constants).eval();
    slopes = (view.weights * slopes).eval();
    if (layer + 1 == layers()) break;
    for (Eigen::Index unit = 0; unit < values.size(); ++unit) {
      if (values[unit] <= 0) slopes.row(unit).setZero();
    }
    values = values.cwiseMax(0);
  }
  Eigen::Map<NetMatrix>(jacobian.data(), slopes.rows(), slopes.cols()) = slopes;
}

double FeedForward::LossGradient(std::span<const double> inputs, std::span<const double> outputs,
                                 std::size_t rows, double dropout, Rng& rng,
                                 std::span<double> gradient) const {
  BERTH_CHECK(gradient.size() == parameters_.size());
  std::vector<NetMatrix> values(widths_.size());
  std::vector<NetMatrix> passes(widths_.size());  // What of a unit's sum reaches the next layer.
  values[0] = Eigen::Map<const NetMatrix>(inputs.data(), ToIndex(rows), ToIndex(widths_[0]));
  for (std::size_t layer = 0; layer < layers(); ++layer) {
    const ConstLayerView view(parameters_.data() + begins_[layer], widths_[layer + 1],
                              widths_[layer]);
    NetMatrix& sums = values[layer + 1];
    sums.noalias() = values[layer] * view.weights.transpose();
    sums.rowwise() += view.constants;
    if (layer + 1 == layers()) break;
    passes[layer + 1] = DrawMask(sums.rows(), sums.cols(), dropout, rng);
    passes[layer + 1].array() *= (sums.array() > 0).cast<double>();
    sums.array() *= passes[layer + 1].array();
  }
  const Eigen::Map<const NetMatrix> wanted(outputs.data(), ToIndex(rows), ToIndex(widths_.back()));
  NetMatrix errors = values.back() - wanted;
  const auto count = static_cast<double>(errors.size());
  const double loss = errors.squaredNorm() / count;
  errors *= 2 / count;
  for (std::size_t layer = layers(); layer-- > 0;) {
    LayerView slopes(gradient.data() + begins_[layer], widths_[layer + 1], widths_[layer]);
    slopes.weights.noalias() = errors.transpose() * values[layer];
    slopes.constants = errors.colwise().sum();
    if (layer == 0) break;
    const ConstLayerView view(parameters_.data() + begins_[layer], widths_[layer + 1],
                              widths_[layer]);
    errors = (errors * view.weights).cwiseProduct(passes[layer]).eval();
  }
  return loss;
}

void Adam::Step(std::span<const double> gradient, std::span<double> parameters) {
  constexpr double kRate = 0.001, kMeanKept = 0.9, kSquareKept = 0.999, kNotZero = 1e-7;
  ++steps_;
  const auto steps = static_cast<double>(steps_);
  const double mean_bias = 1 - std::pow(kMeanKept, steps);
  const double square_bias = 1 - std::pow(kSquareKept, steps);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    mean_[i] = kMeanKept * mean_[i] + (1 - kMeanKept) * gradient[i];
    square_[i] = kSquareKept * square_[i] + (1 - kSquareKept) * gradient[i] * gradient[i];
    parameters[i] -=
        kRate * (mean_[i] / mean_bias) / (std::sqrt(square_[i] / square_bias) + kNotZero);
  }
}

void Adam::Set(std::uint64_t steps, std::vector<double> mean, std::vector<double> square) {
  BERTH_CHECK(mean.size() == mean_.size() && square.size() == square_.size());
  steps_ = steps;
  mean_ = std::move(mean);
  square_ = std::move(square);
}

}  // namespace berth

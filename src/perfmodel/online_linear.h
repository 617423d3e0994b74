// Linear regression that learns row by row. How far the weights move along a row is the rule's.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "perfmodel/column_scale.h"
#include "perfmodel/performance_model.h"

namespace berth {

// All in deviations: targets and features are scaled by what was seen so far.
struct OnlineStep {
  double error = 0;        // What was observed less what was predicted.
  double row_square = 0;   // Of the row, the constant among it: at least 1.
  std::uint64_t rows = 0;  // This one is the so-manieth.
};
using OnlineRule = double (*)(const OnlineStep& step);

class OnlineLinear final : public PerformanceModel {
 public:
  OnlineLinear(const ModelSettings& settings, OnlineRule rule);

  Status Learn(const ModelRows& rows) override;
  void Predict(std::span<const double> features, std::span<double> targets) const override;
  void Jacobian(std::span<const double> features, std::span<double> jacobian) const override;
  std::string description() const override;
  std::string Save() const override;
  Status Restore(std::string_view bytes) override;

 private:
  void LearnRow(std::span<const double> features, std::span<const double> targets);
  // Scaled, and a 1 at the end.
  std::vector<double> Inputs(std::span<const double> features) const;
  double Output(std::size_t target, std::span<const double> inputs) const;

  ModelSettings settings_;
  OnlineRule rule_;
  std::uint64_t rows_ = 0;
  RunningScale feature_scale_;
  RunningScale target_scale_;
  std::vector<double> weights_;  // Of each target, by feature, and a constant.
};

}  // namespace berth

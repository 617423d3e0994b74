#include "perfmodel/online_linear.h"

#include <fmt/format.h>

#include <numeric>

#include "base/packed.h"
#include "base/text.h"
#include "base/wire.h"

namespace berth {

OnlineLinear::OnlineLinear(const ModelSettings& settings, OnlineRule rule)
    : settings_(settings),
      rule_(rule),
      feature_scale_(settings.features),
      target_scale_(settings.targets),
      weights_((settings.features + 1) * settings.targets, 0) {}

Status OnlineLinear::Learn(const ModelRows& rows) {
  for (std::size_t i = 0; i < rows.rows; ++i) {
    LearnRow(rows.features.subspan(i * settings_.features, settings_.features),
             rows.targets.subspan(i * settings_.targets, settings_.targets));
  }
  return {};
}

void OnlineLinear::LearnRow(std::span<const double> features, std::span<const double> targets) {
  ++rows_;
  feature_scale_.Add(features);
  target_scale_.Add(targets);
  const std::vector<double> inputs = Inputs(features);
  const double square = std::inner_product(inputs.begin(), inputs.end(), inputs.begin(), 0.0);
  std::vector<double> observed(targets.begin(), targets.end());
  target_scale_.Scale().Apply(observed);
  for (std::size_t t = 0; t < settings_.targets; ++t) {
    const double step =
        rule_({.error = observed[t] - Output(t, inputs), .row_square = square, .rows = rows_});
    double* const weights = weights_.data() + t * inputs.size();
    for (std::size_t i = 0; i < inputs.size(); ++i) weights[i] += step * inputs[i];
  }
}

std::vector<double> OnlineLinear::Inputs(std::span<const double> features) const {
  std::vector<double> inputs(features.begin(), features.end());
  feature_scale_.Scale().Apply(inputs);
  inputs.push_back(1);
  return inputs;
}

double OnlineLinear::Output(std::size_t target, std::span<const double> inputs) const {
  const double* const weights = weights_.data() + target * inputs.size();
  return std::inner_product(inputs.begin(), inputs.end(), weights, 0.0);
}

void OnlineLinear::Predict(std::span<const double> features, std::span<double> targets) const {
  const std::vector<double> inputs = Inputs(features);
  const ColumnScale scale = target_scale_.Scale();
  for (std::size_t t = 0; t < settings_.targets; ++t) {
    targets[t] = scale.means[t] + scale.deviations[t] * Output(t, inputs);
  }
}

void OnlineLinear::Jacobian(std::span<const double> features, std::span<double> jacobian) const {
  const ColumnScale from = feature_scale_.Scale(), to = target_scale_.Scale();
  for (std::size_t t = 0; t < settings_.targets; ++t) {
    for (std::size_t i = 0; i < features.size(); ++i) {
      jacobian[t * features.size() + i] =
          weights_[t * (features.size() + 1) + i] * to.deviations[t] / from.deviations[i];
    }
  }
}

std::string OnlineLinear::description() const {
  return fmt::format("{} seen", Plural(rows_, "row"));
}

std::string OnlineLinear::Save() const {
  std::string bytes;
  WireWriter writer(bytes);
  writer.PutUint(1, rows_);
  writer.PutText(2, feature_scale_.Save());
  writer.PutText(3, target_scale_.Save());
  writer.PutText(4, Packed<double>(weights_));
  return bytes;
}

Status OnlineLinear::Restore(std::string_view bytes) {
  OnlineLinear read(settings_, rule_);
  bool fits = false;
  Status scales;
  WireReader reader(bytes);
  while (reader.Next()) {
    switch (reader.field()) {
      case 1:
        read.rows_ = reader.Uint();
        break;
      case 2:
        if (scales.ok()) scales = read.feature_scale_.Restore(reader.Text());
        break;
      case 3:
        if (scales.ok()) scales = read.target_scale_.Restore(reader.Text());
        break;
      case 4:
        fits = UnpackFinite(reader.Text(), read.weights_);
        break;
      default:
        break;
    }
  }
  BERTH_RETURN_IF_ERROR(reader.status());
  BERTH_RETURN_IF_ERROR(scales);
  if (!fits) return {Code::kInvalidArgument, "this is no linear model of as many columns"};
  *this = std::move(read);
  return {};
}

}  // namespace berth

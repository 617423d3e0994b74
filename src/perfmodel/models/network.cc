// The network of Appendix A of the thesis on predictive autoscaling: five hidden layers, dropout,
// Adam on the mean squared error, a step every ten rows.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/packed.h"
#include "base/text.h"
#include "base/wire.h"
#include "perfmodel/column_scale.h"
#include "perfmodel/feed_forward.h"
#include "perfmodel/models/builtin.h"

namespace berth {
namespace {

constexpr std::size_t kBatchRows = 10;
constexpr double kDropout = 0.2;

std::vector<std::size_t> NetworkWidths(const ModelSettings& settings) {
  return {settings.features, 50, 30, 25, 15, 5, settings.targets};
}

class NetworkModel final : public PerformanceModel {
 public:
  explicit NetworkModel(const ModelSettings& settings)
      : settings_(settings),
        feature_scale_(settings.features),
        target_scale_(settings.targets),
        network_(NetworkWidths(settings), Rng(settings.seed).Fork("weights")),
        adam_(network_.parameters().size()) {}

  Status Learn(const ModelRows& rows) override {
    for (std::size_t i = 0; i < rows.rows; ++i) {
      LearnRow(rows.features.subspan(i * settings_.features, settings_.features),
               rows.targets.subspan(i * settings_.targets, settings_.targets));
    }
    return {};
  }

  void Predict(std::span<const double> features, std::span<double> targets) const override {
    if (adam_.steps() == 0) {
      std::ranges::fill(targets, 0);
      return;
    }
    network_.Predict(Scaled(features), targets);
    const ColumnScale scale = target_scale_.Scale();
    for (std::size_t t = 0; t < targets.size(); ++t) {
      targets[t] = scale.means[t] + scale.deviations[t] * targets[t];
    }
  }

  void Jacobian(std::span<const double> features, std::span<double> jacobian) const override {
    if (adam_.steps() == 0) {
      std::ranges::fill(jacobian, 0);
      return;
    }
    network_.Jacobian(Scaled(features), jacobian);
    const ColumnScale from = feature_scale_.Scale(), to = target_scale_.Scale();
    for (std::size_t i = 0; i < jacobian.size(); ++i) {
      jacobian[i] *=
          to.deviations[i / settings_.features] / from.deviations[i % settings_.features];
    }
  }

  std::string description() const override {
    return fmt::format("{} of {} rows", Plural(adam_.steps(), "step"), kBatchRows);
  }

  std::string Save() const override {
    std::string bytes;
    WireWriter writer(bytes);
    writer.PutText(1, feature_scale_.Save());
    writer.PutText(2, target_scale_.Save());
    writer.PutText(3, Packed<double>(network_.parameters()));
    writer.PutUint(4, adam_.steps());
    writer.PutText(5, Packed<double>(adam_.mean()));
    writer.PutText(6, Packed<double>(adam_.square()));
    writer.PutText(7, Packed<double>(waiting_features_));
    writer.PutText(8, Packed<double>(waiting_targets_));
    return bytes;
  }

  Status Restore(std::string_view bytes) override {
    NetworkModel read(settings_);
    std::vector<double> mean(adam_.mean().size()), square(mean.size());
    std::uint64_t steps = 0;
    std::size_t found = 0;
    Status scales;
    WireReader reader(bytes);
    while (reader.Next()) {
      switch (reader.field()) {
        case 1:
          if (scales.ok()) scales = read.feature_scale_.Restore(reader.Text());
          break;
        case 2:
          if (scales.ok()) scales = read.target_scale_.Restore(reader.Text());
          break;
        case 3:
          found += UnpackFinite(reader.Text(), read.network_.parameters()) ? 1U : 0U;
          break;
        case 4:
          steps = reader.Uint();
          break;
        case 5:
          found += UnpackFinite(reader.Text(), mean) ? 1U : 0U;
          break;
        case 6:
          found += UnpackFinite(reader.Text(), square) ? 1U : 0U;
          break;
        case 7:
          if (!ReadWaiting(reader.Text(), read.waiting_features_))
            reader.Fail("a batch is too long");
          break;
        case 8:
          if (!ReadWaiting(reader.Text(), read.waiting_targets_))
            reader.Fail("a batch is too long");
          break;
        default:
          break;
      }
    }
    BERTH_RETURN_IF_ERROR(reader.status());
    BERTH_RETURN_IF_ERROR(scales);
    const std::size_t waiting = read.waiting_features_.size() / settings_.features;
    const bool fits = found == 3 && waiting < kBatchRows &&
                      read.waiting_features_.size() == waiting * settings_.features &&
                      read.waiting_targets_.size() == waiting * settings_.targets &&
                      std::ranges::all_of(square, [](double value) { return value >= 0; });
    if (!fits) return {Code::kInvalidArgument, "this is no network of as many columns"};
    read.adam_.Set(steps, std::move(mean), std::move(square));
    *this = std::move(read);
    return {};
  }

 private:
  static bool ReadWaiting(std::string_view bytes, std::vector<double>& values) {
    if (bytes.size() > kBatchRows * kModelColumnsMax * sizeof(double)) return false;
    values.resize(bytes.size() / sizeof(double));
    return UnpackFinite(bytes, values);
  }

  std::vector<double> Scaled(std::span<const double> features) const {
    std::vector<double> scaled(features.begin(), features.end());
    feature_scale_.Scale().Apply(scaled);
    return scaled;
  }

  void LearnRow(std::span<const double> features, std::span<const double> targets) {
    feature_scale_.Add(features);
    target_scale_.Add(targets);
    waiting_features_.insert(waiting_features_.end(), features.begin(), features.end());
    waiting_targets_.insert(waiting_targets_.end(), targets.begin(), targets.end());
    if (waiting_features_.size() < kBatchRows * settings_.features) return;
    feature_scale_.Scale().Apply(waiting_features_);
    target_scale_.Scale().Apply(waiting_targets_);
    // Which units are left out depends on the step alone, so a restored model goes on alike.
    Rng rng = Rng(settings_.seed).Fork("dropout").Fork(adam_.steps());
    std::vector<double> gradient(network_.parameters().size());
    network_.LossGradient(waiting_features_, waiting_targets_, kBatchRows, kDropout, rng, gradient);
    adam_.Step(gradient, network_.parameters());
    waiting_features_.clear();
    waiting_targets_.clear();
  }

  ModelSettings settings_;
  RunningScale feature_scale_;
  RunningScale target_scale_;
  FeedForward network_;
  Adam adam_;
  std::vector<double> waiting_features_;  // Rows of a batch that is not full yet.
  std::vector<double> waiting_targets_;
};

}  // namespace

std::unique_ptr<PerformanceModel> MakeNetworkModel(const ModelSettings& settings) {
  return std::make_unique<NetworkModel>(settings);
}

}  // namespace berth

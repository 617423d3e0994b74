#include "scale/capacity/learned_response.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "base/text.h"

namespace berth {
namespace {

constexpr double kMeasuredRounding = 1e-9;

enum class ResponseFeature : std::uint8_t { kLoad, kInstances, kUtilisation };
constexpr std::array<std::string_view, 3> kFeatureSuffixes = {".load_rps", ".instances",
                                                              ".utilisation"};

double ValueOf(const ServicePoint& point, ResponseFeature feature) {
  switch (feature) {
    case ResponseFeature::kLoad:
      return point.requests_per_s;
    case ResponseFeature::kInstances:
      return point.instances;
    case ResponseFeature::kUtilisation:
      return point.utilisation;
  }
  return 0;
}

struct LearnedFeature {
  ResponseFeature kind{};
  std::size_t column = 0;
  ColumnRange measured{};

  // Beyond what was measured on the side where responses take longer.
  bool Unknown(double value) const {
    if (kind == ResponseFeature::kInstances) return value < measured.least;
    return value > measured.most * (1 + kMeasuredRounding);
  }
  double Nearest(double value) const {
    return std::max(measured.least, std::min(value, measured.most));
  }
};

class LearnedResponse final : public ResponseModel {
 public:
  LearnedResponse(PerformanceModelSet models, std::vector<LearnedFeature> features,
                  std::size_t target)
      : models_(std::move(models)), features_(std::move(features)), target_(target) {}

  double ResponseSeconds(const ServicePoint& point) const override {
    std::vector<double> row(models_.columns.size(), 0);
    for (const LearnedFeature& feature : features_) {
      const double value = ValueOf(point, feature.kind);
      if (feature.Unknown(value)) return std::numeric_limits<double>::infinity();
      row[feature.column] = feature.Nearest(value);
    }
    models_.PredictInto(row);
    const ColumnRange& measured = models_.ranges[target_];
    // What is no number is as bad as can be.
    const double ms =
        row[target_] <= measured.most ? std::max(row[target_], measured.least) : measured.most;
    return ms / 1e3;
  }

  Status Knows(double requests_per_s) const override {
    for (const LearnedFeature& feature : features_) {
      if (feature.kind != ResponseFeature::kLoad || !feature.Unknown(requests_per_s)) continue;
      return {Code::kFailedPrecondition,
              fmt::format("its response model was measured up to {:.6g} requests/s and is asked "
                          "about {:.6g}; measure more, or plan for a lower quantile",
                          feature.measured.most, requests_per_s)};
    }
    return {};
  }

 private:
  PerformanceModelSet models_;
  std::vector<LearnedFeature> features_;
  std::size_t target_;
};

Status BadResponseModel(std::string message) {
  return {Code::kInvalidArgument, std::move(message)};
}

Result<LearnedFeature> FeatureOf(const PerformanceModelSet& models, std::size_t column,
                                 const std::string& service) {
  for (std::size_t i = 0; i < kFeatureSuffixes.size(); ++i) {
    if (models.columns[column] != fmt::format("{}{}", service, kFeatureSuffixes[i])) continue;
    return LearnedFeature{.kind = static_cast<ResponseFeature>(i),
                          .column = column,
                          .measured = models.ranges[column]};
  }
  return BadResponseModel(fmt::format("predicts from {}, which no plan knows; fit it to {}{} only",
                                      Quoted(models.columns[column]), service,
                                      fmt::join(kFeatureSuffixes, fmt::format(", {}", service))));
}

}  // namespace

Result<std::unique_ptr<ResponseModel>> NewLearnedResponse(PerformanceModelSet models,
                                                          const std::string& service) {
  const std::string target = service + ".response_ms";
  for (const FittedGroup& fitted : models.groups) {
    const auto found = std::ranges::find(
        fitted.group.targets, target, [&](std::size_t column) { return models.columns[column]; });
    if (found == fitted.group.targets.end()) continue;
    const std::size_t target_column = *found;
    std::vector<LearnedFeature> features;
    features.reserve(fitted.group.features.size());
    for (const std::size_t column : fitted.group.features) {
      BERTH_TRY(const LearnedFeature feature, FeatureOf(models, column, service));
      features.push_back(feature);
    }
    return std::unique_ptr<ResponseModel>(
        std::make_unique<LearnedResponse>(std::move(models), std::move(features), target_column));
  }
  return BadResponseModel(
      fmt::format("has no model of {}; make one with berth model fit --target {}", target, target));
}

}  // namespace berth

#include "perfmodel/slo_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/text.h"

namespace berth {
namespace {

Status BadProblem(std::string message) { return {Code::kInvalidArgument, std::move(message)}; }

// Ratios need predictions above zero.
constexpr double kPredictionMin = 1e-3;

Status CheckSloSettings(const PerformanceLayout& layout, const SloSettings& settings) {
  const std::size_t count = layout.applications.size();
  if (settings.loads.size() != count || settings.slo.size() != count ||
      (!settings.delivered.empty() && settings.delivered.size() != count)) {
    return BadProblem(
        fmt::format("there are {} applications; give as many loads and objectives", count));
  }
  for (std::size_t i = 0; i < count; ++i) {
    const auto positive = [&](double value) { return value > 0 && value <= kDataValueMax; };
    if (!positive(settings.loads[i]) || !positive(settings.slo[i].response_ms) ||
        !positive(settings.slo[i].throughput_rps)) {
      return BadProblem(fmt::format("load and objectives of {} must be above 0",
                                    Quoted(layout.applications[i].name)));
    }
  }
  const double least = kLimitCpuMilliMin * static_cast<double>(count);
  if (!(settings.capacity_cpu_milli >= least && settings.capacity_cpu_milli <= kDataValueMax)) {
    return BadProblem(
        fmt::format("a capacity of {} milli-cores is too small: {} applications "
                    "take at least {} each",
                    settings.capacity_cpu_milli, count, kLimitCpuMilliMin));
  }
  return {};
}

}  // namespace

Result<SloProblem> SloProblem::Make(const PerformanceModelSet& models,
                                    const SloSettings& settings) {
  BERTH_TRY(PerformanceLayout layout, LayoutOf(models.columns));
  BERTH_RETURN_IF_ERROR(CheckSloSettings(layout, settings));
  SloProblem problem(models, std::move(layout), settings);
  problem.PlaceInRow();
  std::vector<bool> predicted(problem.layout_.Targets().size(), false);
  for (const FittedGroup& fitted : models.groups) {
    for (const std::size_t target : fitted.group.targets) {
      if (problem.place_[target] < predicted.size()) predicted[problem.place_[target]] = true;
    }
  }
  if (const auto missing = std::ranges::find(predicted, false); missing != predicted.end()) {
    const std::size_t target =
        problem.layout_.Targets()[static_cast<std::size_t>(missing - predicted.begin())];
    return BadProblem(fmt::format("no model predicts {}; fit models with --group",
                                  Quoted(models.columns[target])));
  }
  return problem;
}

void SloProblem::PlaceInRow() {
  row_.resize(layout_.columns);
  place_.assign(layout_.columns, std::numeric_limits<std::size_t>::max());
  for (std::size_t i = 0; i < layout_.columns; ++i) {
    row_[i] = std::midpoint(models_->ranges[i].least, models_->ranges[i].most);
  }
  for (std::size_t a = 0; a < applications(); ++a) {
    const ApplicationColumns& one = layout_.applications[a];
    row_[one.load] = settings_.loads[a];
    for (std::size_t s = 0; s < kSlis.size(); ++s) {
      place_[one.sli[s]] = kSlis.size() * a + s;
      target_range_.push_back(models_->ranges[one.sli[s]]);
      target_range_.back().least = std::max(kPredictionMin, target_range_.back().least);
      target_range_.back().most = std::max(kPredictionMin, target_range_.back().most);
    }
    if (!settings_.delivered.empty()) {
      row_[one.sli[0]] = settings_.delivered[a].response_ms;
      row_[one.sli[1]] = settings_.delivered[a].throughput_rps;
    }
    const ColumnRange measured = models_->ranges[one.cpu];
    ColumnRange bounds{.least = std::max(kLimitCpuMilliMin, measured.least), .most = measured.most};
    bounds.most = std::max(bounds.least, bounds.most);
    bounds_.push_back(bounds);
  }
  // Where measured limits are too large to fit at all, the least is what is allowed.
  double least = 0;
  for (const ColumnRange& bounds : bounds_) least += bounds.least;
  if (least > capacity()) {
    for (ColumnRange& bounds : bounds_) bounds.least = kLimitCpuMilliMin;
  }
}

bool SloProblem::WithinCapacity(std::span<const double> limits) const {
  return std::accumulate(limits.begin(), limits.end(), 0.0) <= capacity() + 1e-9;
}

std::vector<double> SloProblem::Predict(std::span<const double> limits) const {
  std::vector<double> row = row_;
  for (std::size_t a = 0; a < limits.size(); ++a) row[layout_.applications[a].cpu] = limits[a];
  models_->PredictInto(row);
  std::vector<double> predicted(target_range_.size());
  for (std::size_t a = 0; a < limits.size(); ++a) {
    for (std::size_t s = 0; s < kSlis.size(); ++s) {
      const std::size_t t = kSlis.size() * a + s;
      predicted[t] = std::clamp(row[layout_.applications[a].sli[s]], target_range_[t].least,
                                target_range_[t].most);
    }
  }
  return predicted;
}

std::vector<double> SloProblem::Predict(std::span<const double> limits,
                                        std::vector<double>& jacobian) const {
  std::vector<double> row = row_;
  for (std::size_t a = 0; a < limits.size(); ++a) row[layout_.applications[a].cpu] = limits[a];
  std::vector<double> predicted(target_range_.size());
  jacobian.assign(predicted.size() * limits.size(), 0);
  std::vector<double> features, targets, slopes;
  for (const FittedGroup& fitted : models_->groups) {
    const ModelGroup& group = fitted.group;
    features.clear();
    for (const std::size_t column : group.features) features.push_back(row[column]);
    targets.resize(group.targets.size());
    slopes.resize(targets.size() * features.size());
    fitted.model->Predict(features, targets);
    fitted.model->Jacobian(features, slopes);
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const std::size_t t = place_[group.targets[i]];
      const ColumnRange range = target_range_[t];
      predicted[t] = std::clamp(targets[i], range.least, range.most);
      if (predicted[t] != targets[i]) continue;  // Flat where it is kept within.
      for (std::size_t a = 0; a < limits.size(); ++a) {
        const auto at = std::ranges::find(group.features, layout_.applications[a].cpu);
        if (at == group.features.end()) continue;
        jacobian[t * limits.size() + a] =
            slopes[i * features.size() + static_cast<std::size_t>(at - group.features.begin())];
      }
    }
  }
  return predicted;
}

double SloProblem::RatioOf(std::size_t target, double predicted) const {
  const ServiceObjectives& slo = settings_.slo[target / kSlis.size()];
  return target % kSlis.size() == 0 ? predicted / slo.response_ms : slo.throughput_rps / predicted;
}

double SloProblem::LogRatioSlope(std::size_t target, double predicted) const {
  return target % kSlis.size() == 0 ? 1 / predicted : -1 / predicted;
}

LimitsValue SloProblem::Value(std::span<const double> predicted,
                              std::optional<std::size_t> application) const {
  LimitsValue value;
  for (std::size_t t = 0; t < predicted.size(); ++t) {
    if (application && t / kSlis.size() != *application) continue;
    const double ratio = RatioOf(t, predicted[t]);
    value.log_product += std::log(ratio);
    value.violation = std::max(value.violation, ratio - 1);
  }
  return value;
}

}  // namespace berth

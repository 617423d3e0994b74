// Limits under which every application keeps its objectives: Eqs. 7.1 to 7.6 of the thesis on
// predictive autoscaling.
//
//   minimise    the product of response / response SLO and of throughput SLO / throughput
//   such that   the limits' sum is at most the capacity, none is below 100 milli-cores, and every
//               predicted response and throughput keeps its SLO
//
// What is predicted is kept within what was ever measured, and limits are looked for only where
// there were measurements: a polynomial knows nothing beyond, and a minimiser would go there.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "perfmodel/colocated_apps.h"
#include "perfmodel/model_set.h"
#include "perfmodel/performance_layout.h"

namespace berth {

struct ServiceObjectives {
  double response_ms = 800;
  double throughput_rps = 200;
};

struct SloSettings {
  std::vector<double> loads{};             // Of each application.
  std::vector<DeliveredSlis> delivered{};  // What each delivers now; empty: the middle of what was
                                           // measured. Models that predict from others need it.
  std::vector<ServiceObjectives> slo{};    // Of each application.
  double capacity_cpu_milli = 3'000;
};

inline constexpr double kLimitCpuMilliMin = 100;

// How good limits are. Predictions that break an objective count before the product.
struct LimitsValue {
  double violation = 0;  // The part by which the objective that is missed most is missed.
  double log_product = 0;

  bool complies() const { return violation <= 0; }
  bool Better(const LimitsValue& other) const {
    if (violation != other.violation) return violation < other.violation;
    return log_product < other.log_product;
  }
};

class SloProblem {
 public:
  // The models must outlive it.
  static Result<SloProblem> Make(const PerformanceModelSet& models, const SloSettings& settings);

  std::size_t applications() const { return layout_.applications.size(); }
  const PerformanceLayout& layout() const { return layout_; }
  double capacity() const { return settings_.capacity_cpu_milli; }
  ColumnRange bounds(std::size_t application) const { return bounds_[application]; }
  bool WithinCapacity(std::span<const double> limits) const;

  // What each application would deliver, by application and Sli.
  std::vector<double> Predict(std::span<const double> limits) const;
  // And how much each grows with each limit.
  std::vector<double> Predict(std::span<const double> limits, std::vector<double>& jacobian) const;

  // Predicted over promised, such that at most 1 keeps the objective (Eqs. 7.1 and 7.2).
  double RatioOf(std::size_t target, double predicted) const;
  // The log of the ratio and its slope in the prediction.
  double LogRatioSlope(std::size_t target, double predicted) const;

  // Of all applications (Eq. 7.5), or of one (Eq. 7.3).
  LimitsValue Value(std::span<const double> predicted,
                    std::optional<std::size_t> application = std::nullopt) const;

 private:
  SloProblem(const PerformanceModelSet& models, PerformanceLayout layout, SloSettings settings)
      : models_(&models), layout_(std::move(layout)), settings_(std::move(settings)) {}

  void PlaceInRow();

  const PerformanceModelSet* models_;
  PerformanceLayout layout_;
  SloSettings settings_;
  std::vector<double> row_;                // Loads and what is delivered; limits are put in.
  std::vector<ColumnRange> bounds_;        // Of limits.
  std::vector<ColumnRange> target_range_;  // By application and Sli.
  std::vector<std::size_t> place_;         // Of a column: which target it is.
};

}  // namespace berth

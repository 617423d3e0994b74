// What a planner wants to know: the plan, what more or less confidence would cost, what each
// provider alone would, and what others would rent for the same instances.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "berth/status.h"
#include "scale/capacity/capacity_plan.h"
#include "scale/capacity/price_file.h"

namespace berth {

struct CapacityQuestion {
  LoadForecast load{};
  std::vector<ServiceModel> services{};
  PriceList prices{};
  double quantile = 0;     // Of the load, that is planned for: above 0, below 1.
  std::string provider{};  // Only its VMs; empty: of all, mixed as is cheapest.
  std::uint64_t seed = 1;  // Of expanders that draw.
};

struct QuantileCost {
  double quantile = 0;
  std::optional<double> cost_micros{};  // None: a service cannot have as many instances.
};

struct ProviderCost {
  std::string provider{};
  std::optional<double> cost_micros{};  // None: an instance fits on none of its types.
};

struct BaselineCost {
  std::string name{};
  double cost_micros = 0;
};

struct CapacityAnswer {
  CapacityPlan plan{};
  std::vector<std::string> services{};
  std::vector<VmType> types{};  // That the plan may use.
  std::string currency{};
  std::vector<QuantileCost> quantiles{};
  std::vector<ProviderCost> providers{};  // Of all in the file, if there are several.
  std::vector<BaselineCost> baselines{};
  std::vector<std::string> notes{};
};

// The quantile of the upper bound of a band of this level.
constexpr double UpperQuantile(double level) { return (1 + level) / 2; }

Result<CapacityAnswer> AnswerCapacity(const CapacityQuestion& question);

}  // namespace berth

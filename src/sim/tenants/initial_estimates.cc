#include "sim/tenants/initial_estimates.h"

#include <utility>

#include "base/quantiles.h"

namespace berth {
namespace {

std::uint32_t QuantileOf(std::span<const DemandModel> models, double quantile, const auto& value) {
  std::vector<double> values;
  values.reserve(models.size());
  for (const DemandModel& model : models) values.push_back(value(model));
  return static_cast<std::uint32_t>(Quantile(std::move(values), quantile));
}

Demand EstimateOf(std::span<const DemandModel> models, double quantile) {
  return {
      QuantileOf(models, quantile, [](const DemandModel& model) { return model.cpu_p90; }),
      QuantileOf(models, quantile, [](const DemandModel& model) { return model.memory.maximum; }),
      QuantileOf(models, quantile, [](const DemandModel& model) { return model.disk.maximum; })};
}

}  // namespace

InitialEstimates::InitialEstimates(const TenantPopulation& population, double quantile) {
  for (std::size_t i = 0; i < population.kinds.size(); ++i) {
    for (const TenantRole role : {TenantRole::kPrimary, TenantRole::kSecondary}) {
      const auto models =
          population.library.Group(TenantClass{static_cast<std::uint16_t>(i)}, role);
      estimates_.push_back(models.empty() ? population.kinds[i].limit
                                          : EstimateOf(models, quantile));
    }
  }
}

}  // namespace berth

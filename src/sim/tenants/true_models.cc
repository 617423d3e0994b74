#include "sim/tenants/true_models.h"

#include <utility>
#include <vector>

#include "berth/check.h"

namespace berth {

TraceLibrary TrueModels(const TenantPool& pool) {
  BERTH_CHECK(pool.size() <= kTrueModelsMax);
  std::vector<DemandModel> models;
  models.reserve(pool.size());
  for (std::size_t i = 0; i < pool.size(); ++i) {
    const PooledTenant& tenant = pool.tenant(i);
    const auto samples = pool.SamplesOf(tenant);
    DemandModel model = FitModel({.tenant_class = TenantClass{static_cast<std::uint16_t>(i)},
                                  .role = tenant.role,
                                  .samples = {samples.begin(), samples.end()}});
    // It may go on when the rehearsal is over.
    model.lifetime = tenant.lifetime;
    models.push_back(model);
  }
  return TraceLibrary::Build(std::move(models)).value();
}

}  // namespace berth

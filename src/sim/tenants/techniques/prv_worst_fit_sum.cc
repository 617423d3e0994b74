#include "sim/tenants/prv_fit.h"
#include "sim/tenants/techniques/builtin.h"

namespace berth {

std::unique_ptr<Technique> NewPrvWorstFitSum(const TechniqueContext& context) {
  return MakePrvWorstFit(context, Fullness::kSum);
}

}  // namespace berth

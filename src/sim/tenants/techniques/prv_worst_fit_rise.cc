#include "sim/tenants/prv_fit.h"
#include "sim/tenants/techniques/builtin.h"

namespace berth {

std::unique_ptr<Technique> NewPrvWorstFitRise(const TechniqueContext& context) {
  return MakePrvWorstFit(context, Fullness::kMax, ViolationEstimate::Least::kRise);
}

}  // namespace berth

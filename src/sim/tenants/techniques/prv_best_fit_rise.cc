#include "sim/tenants/prv_fit.h"
#include "sim/tenants/techniques/builtin.h"

namespace berth {

std::unique_ptr<Technique> NewPrvBestFitRise(const TechniqueContext& context) {
  return MakePrvBestFit(context, Fullness::kMax, ViolationEstimate::Least::kRise);
}

}  // namespace berth

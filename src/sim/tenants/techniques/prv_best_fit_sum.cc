#include "sim/tenants/prv_fit.h"
#include "sim/tenants/techniques/builtin.h"

namespace berth {

std::unique_ptr<Technique> NewPrvBestFitSum(const TechniqueContext& context) {
  return MakePrvBestFit(context, Fullness::kSum);
}

}  // namespace berth

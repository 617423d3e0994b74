#include "sim/tenants/prv_fit.h"
#include "sim/tenants/techniques/builtin.h"

namespace berth {

std::unique_ptr<Technique> NewPrvBestFit(const TechniqueContext& context) {
  return MakePrvBestFit(context, Fullness::kMax);
}

}  // namespace berth

#include "sim/tenants/technique.h"

#include "sim/tenants/techniques/builtin.h"

namespace berth {
namespace {

constexpr TechniqueEntry kTechniques[] = {
#define BERTH_TECHNIQUE(file, factory, estimates, in_all, summary) \
  {#file, summary, estimates, in_all, &factory},
#include "sim/tenants/techniques/techniques.def"
#undef BERTH_TECHNIQUE
};

}  // namespace

std::span<const TechniqueEntry> BuiltinTechniques() { return kTechniques; }

}  // namespace berth

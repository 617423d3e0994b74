#include "sim/tenants/technique.h"

#include "sim/tenants/techniques/builtin.h"

namespace berth {
namespace {

constexpr TechniqueEntry kTechniques[] = {
#define BERTH_TECHNIQUE(file, factory, estimates, summary) {#file, summary, estimates, &factory},
#include "sim/tenants/techniques/techniques.def"
#undef BERTH_TECHNIQUE
};

}  // namespace

std::span<const TechniqueEntry> BuiltinTechniques() { return kTechniques; }

}  // namespace berth

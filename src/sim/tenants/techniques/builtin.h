// Declares the factory of every technique in techniques.def; each technique's .cc includes it.
#pragma once

#include <memory>

#include "sim/tenants/technique.h"

namespace berth {

#define BERTH_TECHNIQUE(file, factory, estimates, in_all, summary) \
  std::unique_ptr<Technique> factory(const TechniqueContext& context);
#include "sim/tenants/techniques/techniques.def"
#undef BERTH_TECHNIQUE

}  // namespace berth

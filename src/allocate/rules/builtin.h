// Declares the factory of every rule in rules.def; each rule's .cc includes it.
#pragma once

#include <memory>

#include "allocate/rule.h"

namespace berth {

#define BERTH_RULE(file, factory) std::unique_ptr<Rule> factory(Fields& options);
#include "allocate/rules/rules.def"
#undef BERTH_RULE

}  // namespace berth

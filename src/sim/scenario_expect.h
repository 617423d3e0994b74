// What a scenario may expect: the readers of `expect`, by what they look at.
#pragma once

#include <string>

#include "sim/scenario_verbs.h"

namespace berth {

// "web not on a", "web/0 limit 2cpu".
Result<Expectation> ReadOfInstances(Line& line);

// Amounts of which only those that are written are compared.
Result<Resources> ReadSomeAmounts(Line& line);
bool Agree(const Resources& wanted, const Resources& found);
std::string ShowAmounts(const Resources& amounts);

}  // namespace berth

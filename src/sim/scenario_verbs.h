// What each verb of a scenario means: one function a verb, one line in the table.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "sim/scenario.h"
#include "sim/scenario_line.h"

namespace berth {

// A verb that asks something of the engine. It reads its own words and leaves the rest.
struct Verb {
  std::string_view name;
  std::string_view usage;
  Result<std::vector<Deed>> (*read)(Line& line);
};
std::span<const Verb> Verbs();

// "web: acme gold 3 x small spread 2", after the verb.
Result<std::vector<Deed>> ReadService(Line& line);
// "r1/a r2/b: 8cpu 32Gi", "small: 2cpu 4Gi", "acme quota 100cpu".
Result<std::vector<Deed>> ReadMachines(Line& line);
Result<std::vector<Deed>> ReadType(Line& line);
Result<std::vector<Deed>> ReadTenant(Line& line);

// "web not on a", after `expect`.
Result<Expectation> ReadExpectation(Line& line);

// A cure by its name.
Result<Cure> ReadCure(Line& line);

}  // namespace berth

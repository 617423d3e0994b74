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
// "4Gi", "above 4Gi", "below 4Gi".
struct Compared {
  enum class How : std::uint8_t { kEqual, kAbove, kBelow };
  How how = How::kEqual;
  Resources amounts;

  bool Holds(const Resources& found) const;
};
Result<Compared> ReadCompared(Line& line);

// What is recommended for a service: "advised above 1cpu", "advised because "p98"",
// "held-back because "quota"".
Result<Expectation> ReadAdvised(Line& line, const std::string& service);
Result<Expectation> ReadHeldBack(Line& line, const std::string& service);
// How many replicas are: "counted 5", "counted because "72h"", "counted nothing".
Result<Expectation> ReadCounted(Line& line, const std::string& service);

std::string ShowAmounts(const Resources& amounts);

}  // namespace berth

// A machine's value of a label.
#pragma once

#include <algorithm>

#include "berth/records.h"

namespace berth {

// Empty: it does not carry that label.
inline LabelName CarriedLabel(const Machine& machine, LabelName label) {
  const auto at = std::ranges::find(machine.labels, label, &Labels::value_type::first);
  return at == machine.labels.end() ? LabelName() : at->second;
}

}  // namespace berth

#include <limits>

#include "scale/space/node_sets.h"
#include "scale/space/scorers/builtin.h"

namespace berth {

double ScoreByCost(const PlacingProposal& proposal, std::span<const VmType> types,
                   Duration lifetime) {
  const double hours = static_cast<double>(lifetime.count()) / 3.6e9;
  const double cost = static_cast<double>(HourMicrosOf(proposal, types)) / 1e6 * hours;
  return cost > 0 ? 1 / cost : std::numeric_limits<double>::infinity();
}

}  // namespace berth

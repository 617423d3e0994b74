#include "scale/space/choosers/builtin.h"
#include "scale/space/node_sets.h"

namespace berth {

std::size_t ChooseBestScore(std::span<const PlacingProposal> proposals,
                            std::span<const double> scores) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < proposals.size(); ++i) {
    const bool fewer = NodesIn(proposals[i]) < NodesIn(proposals[best]);
    if (scores[i] > scores[best] || (scores[i] == scores[best] && fewer)) best = i;
  }
  return best;
}

}  // namespace berth

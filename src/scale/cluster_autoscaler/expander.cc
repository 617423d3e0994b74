#include "scale/cluster_autoscaler/expander.h"

#include "berth/check.h"
#include "scale/cluster_autoscaler/expanders/builtin.h"

namespace berth {
namespace {

constexpr ExpanderEntry kExpanders[] = {
#define BERTH_EXPANDER(file, function, summary) {#file, summary, &function},
#include "scale/cluster_autoscaler/expanders/expanders.def"
#undef BERTH_EXPANDER
};

}  // namespace

std::span<const ExpanderEntry> BuiltinExpanders() { return kExpanders; }

const NodeEstimate& BestOption(const ExpanderEntry& expander, const ExpanderInput& input,
                               Rng& rng) {
  const NodeEstimate* best = nullptr;
  double least = 0;
  for (const NodeEstimate& option : input.options) {
    const double badness = expander.badness(input, option, rng);
    if (best != nullptr && badness >= least) continue;
    best = &option;
    least = badness;
  }
  BERTH_CHECK(best != nullptr);
  return *best;
}

}  // namespace berth

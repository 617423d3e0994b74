#include "scale/space/placing.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "berth/check.h"
#include "forecast/plugin_names.h"
#include "scale/space/choosers/builtin.h"
#include "scale/space/node_sets.h"
#include "scale/space/placing/builtin.h"
#include "scale/space/scorers/builtin.h"

namespace berth {
namespace {

constexpr PlacingEntry kStrategies[] = {
#define BERTH_PLACING(file, function, summary) {#file, summary, &function},
#include "scale/space/placing/placing.def"
#undef BERTH_PLACING
};

constexpr PlacingScorerEntry kScorers[] = {
#define BERTH_PLACING_SCORER(file, function, summary) {#file, summary, &function},
#include "scale/space/scorers/scorers.def"
#undef BERTH_PLACING_SCORER
};

constexpr PlacingChooserEntry kChoosers[] = {
#define BERTH_PLACING_CHOOSER(file, function, summary) {#file, summary, &function},
#include "scale/space/choosers/choosers.def"
#undef BERTH_PLACING_CHOOSER
};

// Each instance on one node, no node over its capacity, and exactly what was wanted.
void CheckProposal(const PlacingTask& task, const PlacingProposal& proposal) {
  BERTH_CHECK(InstancesOn(proposal, task.wanted.size()) == task.wanted);
  for (const VmGroup& group : proposal) {
    BERTH_CHECK(ResourcesOf(task.demands, group.instances).FitsIn(task.types[group.type].capacity));
  }
}

Status CheckHoldsEach(const PlacingTask& task) {
  for (std::size_t s = 0; s < task.demands.size(); ++s) {
    if (task.wanted[s] == 0 || CheapestHolding(task.demands[s].need, task.types)) continue;
    return {Code::kFailedPrecondition,
            fmt::format("{}: no node type holds an instance of {}; add a larger type",
                        task.demands[s].service, FormatResources(task.demands[s].need))};
  }
  return {};
}

}  // namespace

std::span<const PlacingEntry> PlacingStrategies() { return kStrategies; }
std::span<const PlacingScorerEntry> PlacingScorers() { return kScorers; }
std::span<const PlacingChooserEntry> PlacingChoosers() { return kChoosers; }

Result<const PlacingEntry*> FindPlacingStrategy(std::string_view name) {
  return FindNamed<PlacingEntry>(kStrategies, name, "placing");
}
Result<const PlacingScorerEntry*> FindPlacingScorer(std::string_view name) {
  return FindNamed<PlacingScorerEntry>(kScorers, name, "scorer");
}
Result<const PlacingChooserEntry*> FindPlacingChooser(std::string_view name) {
  return FindNamed<PlacingChooserEntry>(kChoosers, name, "chooser");
}

Result<PlacingChoice> PlaceInstances(const PlacingWay& way, const PlacingTask& task) {
  BERTH_RETURN_IF_ERROR(CheckHoldsEach(task));
  for (const PlacingEntry* entry = way.first; entry != std::end(kStrategies); ++entry) {
    std::vector<PlacingProposal> proposals = entry->propose(task);
    if (proposals.empty()) continue;
    std::vector<double> scores;
    scores.reserve(proposals.size());
    for (const PlacingProposal& proposal : proposals) {
      CheckProposal(task, proposal);
      scores.push_back(way.scorer->score(proposal, task.types, way.lifetime));
    }
    const std::size_t chosen = way.chooser->choose(proposals, scores);
    return PlacingChoice{
        .nodes = std::move(proposals[chosen]), .strategy = entry->name, .score = scores[chosen]};
  }
  BERTH_CHECK(false);  // The last strategy places whatever some type holds.
}

}  // namespace berth

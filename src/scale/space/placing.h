// Place, score, choose: which nodes hold so many instances of each service.
//
// A strategy proposes whole placements, a scorer says how good each is, a chooser takes one. A
// strategy that has nothing to propose leaves it to the next of its table. To add one of the three,
// write placing/, scorers/ or choosers/NAME.cc with the function, and name both in the table there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "berth/status.h"
#include "berth/time.h"
#include "scale/capacity/vm_filling.h"
#include "scale/capacity/vm_mix.h"

namespace berth {

struct PlacingTask {
  std::span<const InstanceDemand> demands;  // By service: what an instance needs,
  const InstanceCounts& wanted;             // and how many are to be placed.
  std::span<const VmType> types;
  std::span<const VmGroup> existing{};  // Nodes there are, full.
  // By service, the types meant for it; empty, or an empty list: any.
  std::span<const std::vector<std::size_t>> special{};
};

using PlacingProposal = std::vector<VmGroup>;  // Holds exactly what is wanted.

struct PlacingEntry {
  std::string_view name;
  std::string_view summary;
  std::vector<PlacingProposal> (*propose)(const PlacingTask& task);
};

struct PlacingScorerEntry {
  std::string_view name;
  std::string_view summary;
  // More is better; never NaN.
  double (*score)(const PlacingProposal& proposal, std::span<const VmType> types,
                  Duration lifetime);
};

struct PlacingChooserEntry {
  std::string_view name;
  std::string_view summary;
  // The index of one of the proposals, of which there is at least one, each with its score.
  std::size_t (*choose)(std::span<const PlacingProposal> proposals, std::span<const double> scores);
};

// Each in the order of its table; that of strategies is that in which they are tried.
std::span<const PlacingEntry> PlacingStrategies();
std::span<const PlacingScorerEntry> PlacingScorers();
std::span<const PlacingChooserEntry> PlacingChoosers();
// The messages name those there are.
Result<const PlacingEntry*> FindPlacingStrategy(std::string_view name);
Result<const PlacingScorerEntry*> FindPlacingScorer(std::string_view name);
Result<const PlacingChooserEntry*> FindPlacingChooser(std::string_view name);

struct PlacingChoice {
  PlacingProposal nodes{};
  std::string_view strategy{};  // That had a proposal.
  double score = 0;
};

struct PlacingWay {
  const PlacingEntry* first = nullptr;
  const PlacingScorerEntry* scorer = nullptr;
  const PlacingChooserEntry* chooser = nullptr;
  Duration lifetime = std::chrono::hours(1);
};

// Refused, with the service's name, if no type holds an instance of it.
Result<PlacingChoice> PlaceInstances(const PlacingWay& way, const PlacingTask& task);

}  // namespace berth

// Another recommender tried on a part of the services that are sized, before it is for all: a share
// of them, or cluster by cluster with gaps. What happens to them is compared with what happens to
// the rest, and when they are killed for want of memory or exceed their limits much more often, all
// go back.
//
//   rollout:
//     name: ensembles               # another name begins anew
//     recommender: ensemble
//     percent: 10                   # of the services; or
//     clusters: [c1, c2, c3]        # one after the other
//     begins: 2026-11-20
//     gap: 3d
//     roll_back: {factor: 2, count: 5}
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/document.h"
#include "berth/name.h"
#include "berth/time.h"
#include "rightsize/program_names.h"

namespace berth {

struct SizingRollout {
  std::string name;
  std::string recommender;
  std::uint32_t percent = 0;
  std::vector<ClusterId> clusters = {};  // None: by share.
  Time begins = {};
  Duration gap{};
  double factor = 2;        // So many times as often as the others,
  std::uint32_t count = 5;  // and at least so many.

  // The same in every process for as long as it keeps its name; a greater share holds all those of
  // a smaller one. Of a cluster: once its turn has come.
  bool Includes(std::string_view service, ClusterId cluster, Time now) const;
};
Result<SizingRollout> ParseSizingRollout(const Node& node, const ProgramNames& programs = {});

// What the services that are sized saw, in one arm.
struct ArmTally {
  std::uint64_t instance_windows = 0;  // Instances times windows in which samples came,
  std::uint64_t out_of_memory = 0;     // kills in them,
  std::uint64_t overruns = 0;          // and how many had a sample above the limit.

  friend bool operator==(const ArmTally&, const ArmTally&) = default;
};

// How a roll-out stands. It is saved, so that what was rolled back stays so.
struct RolloutState {
  std::string name;  // Of the roll-out that it is the state of.
  ArmTally candidate;
  ArmTally control;
  std::string rolled_back;  // Why, in one sentence; empty: it goes on.

  // Whether it ends here; if so, `rolled_back` says why.
  void Judge(const SizingRollout& rollout);

  std::string Save() const;
  Status Restore(std::string_view bytes);
  friend bool operator==(const RolloutState&, const RolloutState&) = default;
};

}  // namespace berth

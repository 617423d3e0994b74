// A whole simulation, and many repetitions of many cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "appsim/multiverse/quirks.h"
#include "appsim/multiverse/read_set.h"

namespace berth::multiverse {

// Of one repetition. Nodes are means over the steps, by node type.
struct RunResult {
  std::uint64_t generated = 0;
  std::uint64_t fulfilled = 0;
  double cost = 0;
  std::vector<double> ordered_nodes{};
  std::vector<double> nodes{};
  std::vector<std::int64_t> response_times{};  // Microseconds, ascending.
  std::uint64_t items_most = 0;                // In flight at once, in the fullest region.
};

// Whether a set can be simulated with these quirks; the message says what to do if not.
Status CheckSimulable(const SimulationSet& set, const RunSpec& run, const Quirks& quirks);

// Stepped. The same seed gives the same result.
Result<RunResult> SimulateSet(const SimulationSet& set, const RunSpec& run, const Quirks& quirks,
                              std::uint64_t seed);

struct CellResult {
  std::string name{};
  std::vector<std::string> node_types{};
  std::vector<RunResult> runs{};
};

// All cells with all repetitions, on so many threads; the results do not depend on how many. Of
// repetition i the seed is the same in every cell. `progress` is told how many are done, by
// whichever thread.
Result<std::vector<CellResult>> SimulateCells(const ExperimentFolder& folder,
                                              const std::string& folder_name, const Quirks& quirks,
                                              std::uint64_t seed, std::size_t workers,
                                              const std::function<void(std::size_t)>& progress);

}  // namespace berth::multiverse

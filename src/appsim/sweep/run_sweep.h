// All combinations of a sweep, each several times, on all cores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "appsim/sweep/sweep_file.h"
#include "appsim/sweep/sweep_run.h"
#include "berth/status.h"

namespace berth {

struct SweepOptions {
  std::string folder{};  // Where results are kept; what is there already is not run again.
  std::size_t workers = 1;
  // Called now and then, by one thread at a time.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress{};
};

// Of one combination, by repetition.
struct SweepCell {
  SweepCombination combination{};
  std::vector<SweepRun> runs{};
};

// Nothing is run unless every combination can be. The requests of a repetition are the same for
// every policy. The result, and the file with it, do not depend on the number of workers, nor on
// how often the sweep was stopped.
Result<std::vector<SweepCell>> RunSweep(const Sweep& sweep, const SweepOptions& options);

}  // namespace berth

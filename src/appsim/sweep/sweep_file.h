// Sweep files: what varies, and how often each combination is run. The format is in docs/sweep.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "appsim/app_file.h"
#include "berth/status.h"

namespace berth {

inline constexpr std::size_t kSweepCombinationsMax = 10'000;
inline constexpr std::size_t kSweepRepetitionsMax = 10'000;
inline constexpr std::size_t kSweepRunsMax = 1'000'000;

struct SweepAxis {
  struct Choice {
    std::string name{};  // Of the file, without folder and ending.
    AppText part{};
  };
  std::string name{};
  std::vector<Choice> choices{};
};

struct Sweep {
  std::vector<AppText> application{};   // In every combination,
  std::vector<SweepAxis> axes{};        // with one part of each of these,
  std::vector<std::string> policies{};  // scaled by one of these: names as ReadAppPolicy takes.
  std::size_t repetitions = 1;
  std::uint64_t seed = 1;

  std::size_t CombinationCount() const;
};

// One of the Cartesian product.
struct SweepCombination {
  std::vector<std::size_t> choices{};  // By axis.
  std::size_t policy = 0;
};
// The policy varies fastest, then the last axis.
SweepCombination CombinationAt(const Sweep& sweep, std::size_t index);

// Files are looked for beside it, and read whole.
Result<Sweep> ReadSweepFile(const std::string& path);

// Of everything that a run's result depends on, but for the combination and the repetition: results
// of another sweep are told by it.
std::uint64_t SweepDigest(const Sweep& sweep);

}  // namespace berth

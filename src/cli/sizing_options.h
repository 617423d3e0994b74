// The options that the commands about limits share: what was used, by what kinds of service, and
// which part of it is scored.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "rightsize/choose_recommender.h"
#include "sim/rightsizing/split.h"
#include "usage/usage_file.h"

namespace berth {

inline constexpr Option kUsageOption = {
    "--usage", "FILE",
    "CSV with at_ms, instance, cpu_milli, memory_bytes and, where known, cpu_limit_milli and "
    "memory_limit_bytes",
    true};
inline constexpr Option kCpuKindOption = {"--cpu", "KIND", "batch, serving or latency_sensitive",
                                          false, "serving"};
inline constexpr Option kOomToleranceOption = {"--oom-tolerance", "KIND",
                                               "minimal, low or intermediate", false, "low"};
inline constexpr Option kSplitOption = {
    "--split", "FILE", "which services and days are for tuning, and which are held out"};
inline constexpr Option kPartOption = {"--part", "PART", "of the split: tuning or held_out"};

Result<std::vector<ServiceUsage>> ReadUsageOption(const Invocation& given);
// --cpu and --oom-tolerance.
Result<Sized> ReadSizedKind(const Invocation& given);

struct ScoredPart {
  SizingSplit split;
  SizingPart part = SizingPart::kAll;
};
// --split and --part: both or none.
Result<ScoredPart> ReadScoredPart(const Invocation& given);

std::vector<std::string> KnownRecommenders();

// What went wrong with recommenders that are programs, to the error stream: their last advice
// stayed.
void PrintTroubles(const RecommenderChoice& choice, Console& console);

}  // namespace berth

#include "cli/sizing_options.h"

#include <fmt/format.h>

#include <ostream>

#include "base/text.h"
#include "rightsize/sizing_settings.h"

namespace berth {
namespace {

template <typename Kind>
Result<Kind> ReadKind(const Invocation& given, std::string_view option,
                      Result<Kind> (*parse)(std::string_view)) {
  Result<Kind> kind = parse(given.Text(option));
  if (kind.ok()) return kind;
  return Status(Code::kInvalidArgument, fmt::format("{}: {}", option, kind.status().message()));
}

Result<SizingPart> ParsePart(std::string_view text) {
  if (text == "tuning") return SizingPart::kTuning;
  if (text == "held_out") return SizingPart::kHeldOut;
  return Status(Code::kInvalidArgument,
                fmt::format("{} is no part; there are tuning, held_out", Quoted(text)));
}

}  // namespace

Result<std::vector<ServiceUsage>> ReadUsageOption(const Invocation& given) {
  BERTH_TRY(LineReader lines, LineReader::Open(given.Text("--usage")));
  return ReadServiceUsage(std::move(lines));
}

Result<Sized> ReadSizedKind(const Invocation& given) {
  Sized sized;
  BERTH_TRY(sized.cpu, ReadKind(given, "--cpu", &ParseCpuKind));
  BERTH_TRY(sized.oom, ReadKind(given, "--oom-tolerance", &ParseOomTolerance));
  return sized;
}

Result<ScoredPart> ReadScoredPart(const Invocation& given) {
  ScoredPart scored;
  if (given.Has("--split") != given.Has("--part")) {
    return Status(Code::kInvalidArgument, "--split and --part are given together or not at all");
  }
  if (!given.Has("--split")) return scored;
  BERTH_TRY(scored.split, ReadSizingSplit(given.Text("--split")));
  BERTH_TRY(scored.part, ReadKind(given, "--part", &ParsePart));
  return scored;
}

std::vector<std::string> KnownRecommenders() {
  std::vector<std::string> known;
  for (const RecommenderEntry& entry : Recommenders()) known.emplace_back(entry.name);
  for (const RecommenderEntry& entry : Recommenders()) {
    known.push_back(fmt::format("{}{}", kWeeklyPrefix, entry.name));
  }
  known.emplace_back(kExternalPrefix);
  return known;
}

void PrintTroubles(const RecommenderChoice& choice, Console& console) {
  for (const std::string& trouble : choice.Troubles()) {
    console.err << fmt::format("berth: {}\n", trouble);
  }
}

}  // namespace berth

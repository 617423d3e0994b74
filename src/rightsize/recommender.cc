#include "rightsize/recommender.h"

#include <fmt/format.h>

#include "base/text.h"
#include "rightsize/recommenders/builtin.h"

namespace berth {
namespace {

constexpr RecommenderEntry kRecommenders[] = {
#define BERTH_RECOMMENDER(file, factory, summary) {#file, summary, &factory},
#include "rightsize/recommenders/recommenders.def"
#undef BERTH_RECOMMENDER
};

}  // namespace

std::span<const RecommenderEntry> Recommenders() { return kRecommenders; }

Result<RecommenderEntry> FindRecommender(std::string_view name) {
  std::string known;
  for (const RecommenderEntry& entry : kRecommenders) {
    if (entry.name == name) return entry;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", entry.name);
  }
  return Status(
      Code::kInvalidArgument,
      fmt::format("recommender {}: there is none of that name; there are {}", Quoted(name), known));
}

}  // namespace berth

#include "perfmodel/performance_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "perfmodel/models/builtin.h"
#include "perfmodel/polynomial.h"

namespace berth {
namespace {

using enum ModelLearning;

constexpr ModelEntry kModels[] = {
#define BERTH_PERFORMANCE_MODEL(file, make, learning, summary) {#file, learning, summary, &make},
#include "perfmodel/models/models.def"
#undef BERTH_PERFORMANCE_MODEL
};

}  // namespace

Status CheckSettings(const ModelSettings& settings) {
  const auto out_of = [](std::string_view what, auto value, auto least, auto most) {
    return Status(Code::kInvalidArgument,
                  fmt::format("{} is {}; it is from {} to {}", what, value, least, most));
  };
  const auto within = [](std::size_t value, std::size_t most) {
    return value >= 1 && value <= most;
  };
  if (!within(settings.features, kModelColumnsMax)) {
    return out_of("the number of features", settings.features, 1, kModelColumnsMax);
  }
  if (!within(settings.targets, kModelColumnsMax)) {
    return out_of("the number of targets", settings.targets, 1, kModelColumnsMax);
  }
  if (!within(settings.degree, kDegreeMax)) {
    return out_of("the degree", settings.degree, 1, kDegreeMax);
  }
  if (!(settings.penalty >= 1e-6 && settings.penalty <= 1e3)) {
    return out_of("the penalty", settings.penalty, 1e-6, 1e3);
  }
  return {};
}

std::span<const ModelEntry> PerformanceModels() { return kModels; }

Result<const ModelEntry*> FindPerformanceModel(std::string_view name) {
  const auto* const entry = std::ranges::find(kModels, name, &ModelEntry::name);
  if (entry != std::end(kModels)) return entry;
  std::vector<std::string_view> names;
  names.reserve(std::size(kModels));
  for (const ModelEntry& known : kModels) names.push_back(known.name);
  return Status(Code::kInvalidArgument, fmt::format("there is no model {}; the models are {}",
                                                    Quoted(name), fmt::join(names, ", ")));
}

}  // namespace berth

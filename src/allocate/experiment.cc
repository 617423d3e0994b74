#include "allocate/experiment.h"

#include <fmt/format.h>

#include "base/fields.h"
#include "berth/rng.h"

namespace berth {

bool Experiment::Includes(std::string_view service) const {
  return Rng(0).Fork(name.str()).Fork(service).Below(100) < percent;
}

Result<std::optional<Experiment>> ParseExperiment(const Node& policy) {
  const std::optional<Node> section = policy.Find("experiment");
  if (!section) return std::optional<Experiment>();
  Experiment experiment;
  Fields fields(*section);
  experiment.name = fields.Name<ArmId>("name");
  experiment.percent = fields.Integer<std::uint32_t>("percent", {.min = 0, .max = 100});
  fields.Required("allocate");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (experiment.name.str() == kControlArm) {
    return section->Error(fmt::format(
        "the name '{}' stands for the services outside of an experiment; choose another",
        kControlArm));
  }
  BERTH_TRY(experiment.policy, ParseAllocatePolicy(*section));
  return std::optional(std::move(experiment));
}

}  // namespace berth

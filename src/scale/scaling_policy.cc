#include "scale/scaling_policy.h"

#include <fmt/format.h>

#include "base/text.h"
#include "scale/application_policy.h"

namespace berth {
namespace {

void ReadLiveScaling(Fields& fields, const Node& node, const ProgramNames& programs,
                     LiveScaling& live) {
  ReadScalingMode(fields, live.mode);
  ReadServiceScaling(fields, node, &programs, live.scaling);
  if (fields.Optional("reference")) live.reference = live.scaling.basis.reference_milli;
  live.bounded = live.bounded || fields.Optional("max");
  live.counted = live.counted || fields.Optional("replicas");
  live.role = fields.Name("role", live.role);
  const auto check = [&](bool wrong, std::string_view message) {
    if (wrong) fields.Check(node.Error(message));
  };
  check(live.scaling.min == 0, "min must be 1 or more: who has no instance has no load either");
  check(live.scaling.max > kGangMax,
        fmt::format("max may be {} at most, as a service may have no more instances",
                    FormatCount(kGangMax)));
  check(live.scaling.scaler == "fixed" && !live.counted,
        "the scaler fixed needs replicas: how many there are to be");
  check(live.mode == ScalingMode::kAuto && !live.bounded,
        "the mode auto needs max: how many replicas there may be at most");
}

Status ReadScaledService(const Node& node, const ProgramNames& programs, ScalingPolicy& policy) {
  Fields fields(node);
  const std::string name = fields.Name("name");
  LiveScaling live = policy.others;
  ReadLiveScaling(fields, node, programs, live);
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (policy.services.size() == ScalingPolicy::kScaledServicesMax) {
    return node.Error(fmt::format("no more than {} services can be named; let the others be as all",
                                  FormatCount(ScalingPolicy::kScaledServicesMax)));
  }
  if (policy.services.emplace(name, std::move(live)).second) return {};
  return node.Error(fmt::format("{} is there twice", Quoted(name)));
}

// Services of applications are counted by plans.
Status AddPlanned(const Node& root, ScalingPolicy& policy) {
  BERTH_TRY(const std::vector<PlannedApplication> applications, ParseApplications(root));
  for (const PlannedApplication& application : applications) {
    for (const PlannedService& service : application.services) {
      LiveScaling live{.mode = application.mode};
      live.scaling.scaler = kPlanScaler;
      live.role = service.role;
      live.application = application.name;
      if (policy.services.emplace(service.name, std::move(live)).second) continue;
      return root.Find("applications")
          ->Error(fmt::format("{} is counted by the plan of {}; leave it out of scaling.services",
                              Quoted(service.name), application.name));
    }
  }
  return {};
}

}  // namespace

ServiceScaling LiveScaling::For(std::int64_t type_milli) const {
  ServiceScaling own = scaling;
  own.basis.reference_milli = reference.value_or(type_milli);
  return own;
}

const LiveScaling& ScalingPolicy::Of(std::string_view service) const {
  const auto named = services.find(service);
  return named == services.end() ? others : named->second;
}

Result<ScalingPolicy> ParseScalingPolicy(const Node& policy, const ProgramNames& programs) {
  ScalingPolicy parsed;
  if (const std::optional<Node> section = policy.Find("scaling")) {
    Fields fields(*section);
    ReadLiveScaling(fields, *section, programs, parsed.others);
    for (const Node& node : fields.OptionalItems("services")) {
      fields.Check(ReadScaledService(node, programs, parsed));
    }
    BERTH_RETURN_IF_ERROR(fields.Finish());
  }
  BERTH_RETURN_IF_ERROR(AddPlanned(policy, parsed));
  return parsed;
}

}  // namespace berth

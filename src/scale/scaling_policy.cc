#include "scale/scaling_policy.h"

#include <fmt/format.h>

#include "base/text.h"

namespace berth {
namespace {

constexpr ScalingMode kScalingModes[] = {ScalingMode::kOff, ScalingMode::kDryRun,
                                         ScalingMode::kAuto};

void ReadScalingMode(Fields& fields, ScalingMode& mode) {
  const std::optional<Node> node = fields.Optional("mode");
  if (!node) return;
  const Result<std::string_view> text = node->Text();
  if (!text.ok()) return fields.Check(text.status());
  for (const ScalingMode known : kScalingModes) {
    if (ToString(known) != text.value()) continue;
    mode = known;
    return;
  }
  fields.Check(node->Error(
      fmt::format("{} is no mode; there are off, dry_run, auto", Quoted(text.value()))));
}

void ReadLiveScaling(Fields& fields, const Node& node, LiveScaling& live) {
  ReadScalingMode(fields, live.mode);
  ReadServiceScaling(fields, node, live.scaling);
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

Status ReadScaledService(const Node& node, ScalingPolicy& policy) {
  Fields fields(node);
  const std::string name = fields.Name("name");
  LiveScaling live = policy.others;
  ReadLiveScaling(fields, node, live);
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (policy.services.size() == ScalingPolicy::kScaledServicesMax) {
    return node.Error(fmt::format("no more than {} services can be named; let the others be as all",
                                  FormatCount(ScalingPolicy::kScaledServicesMax)));
  }
  if (policy.services.emplace(name, std::move(live)).second) return {};
  return node.Error(fmt::format("{} is there twice", Quoted(name)));
}

}  // namespace

std::string_view ToString(ScalingMode mode) {
  switch (mode) {
    case ScalingMode::kOff:
      return "off";
    case ScalingMode::kDryRun:
      return "dry_run";
    case ScalingMode::kAuto:
      return "auto";
  }
  return {};
}

ServiceScaling LiveScaling::For(std::int64_t type_milli) const {
  ServiceScaling own = scaling;
  own.basis.reference_milli = reference.value_or(type_milli);
  return own;
}

const LiveScaling& ScalingPolicy::Of(std::string_view service) const {
  const auto named = services.find(service);
  return named == services.end() ? others : named->second;
}

Result<ScalingPolicy> ParseScalingPolicy(const Node& policy) {
  ScalingPolicy parsed;
  const std::optional<Node> section = policy.Find("scaling");
  if (!section) return parsed;
  Fields fields(*section);
  ReadLiveScaling(fields, *section, parsed.others);
  for (const Node& node : fields.OptionalItems("services")) {
    fields.Check(ReadScaledService(node, parsed));
  }
  BERTH_RETURN_IF_ERROR(fields.Finish());
  return parsed;
}

}  // namespace berth

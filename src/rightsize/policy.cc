#include "rightsize/policy.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/fields.h"
#include "base/text.h"
#include "rightsize/choose_recommender.h"
#include "rightsize/date.h"

namespace berth {
namespace {

// It has a range, and says most plainly where a limit comes from.
constexpr std::string_view kLiveRecommender = "window";
constexpr double kMachinesMax = 1e6;
constexpr SizingMode kSizingModes[] = {SizingMode::kOff, SizingMode::kDryRun, SizingMode::kInitial,
                                       SizingMode::kAuto};

std::optional<SizingMode> ReadMode(Fields& fields) {
  const std::optional<Node> node = fields.Optional("mode");
  if (!node) return std::nullopt;
  const Result<std::string_view> text = node->Text();
  if (!text.ok()) {
    fields.Check(text.status());
    return std::nullopt;
  }
  for (const SizingMode mode : kSizingModes) {
    if (ToString(mode) == text.value()) return mode;
  }
  fields.Check(node->Error(
      fmt::format("{} is no mode; there are off, dry_run, initial, auto", Quoted(text.value()))));
  return std::nullopt;
}

void ReadBeside(Fields& fields, const ProgramNames& programs, std::vector<std::string>& beside) {
  for (const Node& node : fields.OptionalItems("beside")) {
    const Result<std::string_view> name = node.Text();
    if (!name.ok()) return fields.Check(name.status());
    const Status known = CheckLiveRecommender(name.value(), programs);
    if (!known.ok()) return fields.Check(node.Error(known.message()));
    if (std::ranges::find(beside, name.value()) != beside.end()) {
      return fields.Check(node.Error(fmt::format("{} is there twice", Quoted(name.value()))));
    }
    if (beside.size() == RightsizingPolicy::kBesideMax) {
      return fields.Check(node.Error(fmt::format("there may be no more than {}; leave some out",
                                                 RightsizingPolicy::kBesideMax)));
    }
    beside.emplace_back(name.value());
  }
}

// As in a file of settings, but for programs.
void ReadLiveSizing(Fields& fields, const ProgramNames& programs, ServiceSizing& sizing) {
  ReadServiceSizing(fields, sizing);
  const Status known = CheckLiveRecommender(sizing.recommender, programs);
  const std::optional<Node> node = fields.Optional("recommender");
  if (!known.ok() && node) fields.Check(node->Error(known.message()));
}

void ReadSmall(Fields& fields, RightsizingPolicy& policy) {
  const std::optional<Node> node = fields.Optional("small");
  if (!node) return;
  Fields inner(*node);
  RightsizingPolicy::Small small;
  small.machines = inner.Number("machines", {.min = 0, .max = kMachinesMax});
  small.mode = ReadMode(inner).value_or(SizingMode::kAuto);
  fields.Check(inner.Finish());
  policy.small = small;
}

void ReadFresh(Fields& fields, RightsizingPolicy& policy) {
  const std::optional<Node> node = fields.Optional("new");
  if (!node) return;
  Fields inner(*node);
  RightsizingPolicy::Fresh fresh;
  inner.Required("since");
  ReadDate(inner, "since", fresh.since);
  fresh.mode = ReadMode(inner).value_or(SizingMode::kAuto);
  fields.Check(inner.Finish());
  policy.fresh = fresh;
}

Status ReadNamed(const Node& node, const ProgramNames& programs, RightsizingPolicy& policy) {
  Fields fields(node);
  const std::string name = fields.Name("name");
  ServiceSizing sizing = policy.settings.others;
  ReadLiveSizing(fields, programs, sizing);
  if (const std::optional<SizingMode> mode = ReadMode(fields)) policy.modes[name] = *mode;
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (policy.settings.services.size() == RightsizingPolicy::kServicesMax) {
    return node.Error(fmt::format("no more than {} services can be named; let the others be as all",
                                  FormatCount(RightsizingPolicy::kServicesMax)));
  }
  if (policy.settings.services.emplace(name, std::move(sizing)).second) return {};
  return node.Error(fmt::format("{} is there twice", Quoted(name)));
}

}  // namespace

std::string_view ToString(SizingMode mode) {
  switch (mode) {
    case SizingMode::kOff:
      return "off";
    case SizingMode::kDryRun:
      return "dry_run";
    case SizingMode::kInitial:
      return "initial";
    case SizingMode::kAuto:
      return "auto";
  }
  return {};
}

SizingMode RightsizingPolicy::ModeOf(std::string_view service, const Known& known) const {
  const auto own = modes.find(service);
  if (own != modes.end()) return own->second;
  if (small && known.machines < small->machines) return small->mode;
  if (fresh && known.created >= fresh->since) return fresh->mode;
  return mode;
}

bool RightsizingPolicy::StartsAny() const {
  const auto starts = [](SizingMode any) { return any >= SizingMode::kInitial; };
  return starts(mode) || (small && starts(small->mode)) || (fresh && starts(fresh->mode)) ||
         std::ranges::any_of(modes, [&](const auto& own) { return starts(own.second); });
}

Result<RightsizingPolicy> ParseRightsizingPolicy(const Node& policy, const ProgramNames& programs) {
  RightsizingPolicy parsed;
  parsed.settings.others.recommender = kLiveRecommender;
  const std::optional<Node> section = policy.Find("rightsizing");
  if (!section) return parsed;
  Fields fields(*section);
  parsed.mode = ReadMode(fields).value_or(parsed.mode);
  ReadLiveSizing(fields, programs, parsed.settings.others);
  ReadBeside(fields, programs, parsed.beside);
  ReadSmall(fields, parsed);
  ReadFresh(fields, parsed);
  for (const Node& node : fields.OptionalItems("services")) {
    fields.Check(ReadNamed(node, programs, parsed));
  }
  if (const std::optional<Node> node = fields.Optional("rollout")) {
    Result<SizingRollout> rollout = ParseSizingRollout(*node, programs);
    fields.Check(rollout.status());
    if (rollout.ok()) parsed.rollout = std::move(rollout).value();
  }
  BERTH_RETURN_IF_ERROR(fields.Finish());
  return parsed;
}

}  // namespace berth

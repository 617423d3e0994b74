#include "rightsize/rollout.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/fields.h"
#include "base/text.h"
#include "base/wire.h"
#include "berth/rng.h"
#include "rightsize/choose_recommender.h"
#include "rightsize/date.h"

namespace berth {
namespace {

constexpr std::size_t kRolloutClustersMax = 1000;
constexpr double kRollBackFactorMax = 1000;
constexpr std::uint32_t kRollBackCountMax = 1'000'000;

// As it is said of the rest.
constexpr std::string_view kControlName = "control";

void SaveArm(WireWriter& writer, std::uint32_t field, const ArmTally& arm) {
  writer.PutMessage(field, [&](WireWriter& inner) {
    inner.PutUint(1, arm.instance_windows);
    inner.PutUint(2, arm.out_of_memory);
    inner.PutUint(3, arm.overruns);
  });
}

Status RestoreArm(WireReader reader, ArmTally& arm) {
  while (reader.Next()) {
    if (reader.field() == 1) arm.instance_windows = reader.Uint();
    if (reader.field() == 2) arm.out_of_memory = reader.Uint();
    if (reader.field() == 3) arm.overruns = reader.Uint();
  }
  return reader.status();
}

double RateIn(const ArmTally& arm, std::uint64_t ArmTally::*event) {
  return arm.instance_windows == 0
             ? 0
             : static_cast<double>(arm.*event) / static_cast<double>(arm.instance_windows);
}

}  // namespace

bool SizingRollout::Includes(std::string_view service, ClusterId cluster, Time now) const {
  if (now < begins) return false;
  if (clusters.empty()) return Rng(0).Fork(name).Fork(service).Below(100) < percent;
  const auto at = std::ranges::find(clusters, cluster);
  return at != clusters.end() && now >= begins + (at - clusters.begin()) * gap;
}

Result<SizingRollout> ParseSizingRollout(const Node& node, const ProgramNames& programs) {
  SizingRollout rollout;
  Fields fields(node);
  rollout.name = fields.Name("name");
  rollout.recommender = fields.Text("recommender");
  if (const std::optional<Node> named = fields.Optional("recommender")) {
    const Status known = CheckLiveRecommender(rollout.recommender, programs);
    if (!known.ok()) fields.Check(named->Error(known.message()));
  }
  rollout.percent = fields.Integer<std::uint32_t>("percent", {.min = 0, .max = 100}, 0);
  for (const Node& cluster : fields.OptionalItems("clusters")) {
    const Result<std::string_view> name = cluster.Name();
    fields.Check(name.status());
    if (name.ok()) rollout.clusters.emplace_back(name.value());
  }
  ReadDate(fields, "begins", rollout.begins);
  rollout.gap = fields.Length("gap", Duration::zero());
  if (const std::optional<Node> roll_back = fields.Optional("roll_back")) {
    Fields inner(*roll_back);
    rollout.factor = inner.Number("factor", {.min = 1, .max = kRollBackFactorMax}, rollout.factor);
    rollout.count =
        inner.Integer<std::uint32_t>("count", {.min = 1, .max = kRollBackCountMax}, rollout.count);
    fields.Check(inner.Finish());
  }
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (rollout.name == kControlName) {
    return node.Error("the name 'control' stands for the other services; choose another");
  }
  if (node.Find("percent").has_value() == !rollout.clusters.empty()) {
    return node.Error("is for a share or for clusters; give one of percent and clusters");
  }
  if (rollout.clusters.size() > kRolloutClustersMax) {
    return node.Error(fmt::format("there are {} clusters, and {} are the most",
                                  rollout.clusters.size(), kRolloutClustersMax));
  }
  return rollout;
}

void RolloutState::Judge(const SizingRollout& rollout) {
  if (!rolled_back.empty()) return;
  struct Event {
    std::string_view what;
    std::uint64_t ArmTally::*count;
  };
  constexpr Event kEvents[] = {{"were killed for want of memory", &ArmTally::out_of_memory},
                               {"exceeded their limits", &ArmTally::overruns}};
  for (const Event& event : kEvents) {
    const double here = RateIn(candidate, event.count);
    const double there = RateIn(control, event.count);
    if (candidate.*event.count < rollout.count || here <= rollout.factor * there) continue;
    rolled_back = fmt::format(
        "its instances {} in {} of {} windows, the others in {} of {}: more than {} times as often",
        event.what, FormatCount(candidate.*event.count), FormatCount(candidate.instance_windows),
        FormatCount(control.*event.count), FormatCount(control.instance_windows), rollout.factor);
    return;
  }
}

std::string RolloutState::Save() const {
  std::string bytes;
  WireWriter writer(bytes);
  writer.PutText(1, name);
  SaveArm(writer, 2, candidate);
  SaveArm(writer, 3, control);
  writer.PutText(4, rolled_back);
  return bytes;
}

Status RolloutState::Restore(std::string_view bytes) {
  RolloutState read;
  WireReader reader(bytes);
  while (reader.Next()) {
    if (reader.field() == 1) read.name = reader.Text();
    if (reader.field() == 2) BERTH_RETURN_IF_ERROR(RestoreArm(reader.Message(), read.candidate));
    if (reader.field() == 3) BERTH_RETURN_IF_ERROR(RestoreArm(reader.Message(), read.control));
    if (reader.field() == 4) read.rolled_back = reader.Text();
  }
  BERTH_RETURN_IF_ERROR(reader.status());
  *this = std::move(read);
  return {};
}

}  // namespace berth

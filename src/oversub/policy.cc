#include "oversub/policy.h"

#include "base/fields.h"
#include "fleet/file_parts.h"
#include "oversub/tenant_amounts.h"

namespace berth {
namespace {

void ReadThreshold(Fields& section, PerResource<std::uint32_t>& thousandths) {
  const auto node = section.Optional("threshold");
  if (!node) return;
  Fields fields(*node);
  for (const DemandResource r : kAllDemandResources) {
    const auto share = fields.Optional(ResourceName(ToResource(r)));
    if (!share) continue;
    const Result<std::int64_t> read = ReadShare(*share, {.whole = 1000, .min = 1, .max = 1000});
    fields.Check(read.status());
    if (read.ok()) thousandths[r] = static_cast<std::uint32_t>(read.value());
  }
  section.Check(fields.Finish());
}

void ReadHeldOut(Fields& section, OversubPolicy& policy) {
  const auto node = section.Optional("held_out");
  if (!node) return;
  Fields fields(*node);
  policy.held_out_per_cluster = fields.Integer<std::uint32_t>(
      "per_cluster", {.min = 0, .max = 1000}, policy.held_out_per_cluster);
  policy.held_out_by = ReadWeighting(fields);
  section.Check(fields.Finish());
}

}  // namespace

Result<OversubPolicy> ParseOversubPolicy(const Node& policy) {
  OversubPolicy oversub;
  const std::optional<Node> section = policy.Find("oversub");
  if (!section) return oversub;
  Fields fields(*section);
  oversub.repetitions =
      fields.Integer<std::uint32_t>("repetitions", {.min = 1, .max = 10'000}, oversub.repetitions);
  ReadThreshold(fields, oversub.threshold_thousandths);
  oversub.initial_percentile = fields.Integer<std::uint32_t>(
      "initial_percentile", {.min = 1, .max = 100}, oversub.initial_percentile);
  oversub.epoch = fields.Length("epoch", oversub.epoch);
  ReadHeldOut(fields, oversub);
  oversub.resolves = fields.Bool("resolve", oversub.resolves);
  oversub.defragments = fields.Bool("defragment", oversub.defragments);
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (oversub.epoch < kStepLength) {
    return section->Error("an epoch is 10m at least, the grain of the traces");
  }
  return oversub;
}

}  // namespace berth

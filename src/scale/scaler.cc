#include "scale/scaler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "scale/scalers/builtin.h"

namespace berth {
namespace {

constexpr ScalerEntry kScalers[] = {
#define BERTH_SCALER(file, factory, traits, summary) {#file, summary, traits, &factory},
#include "scale/scalers/scalers.def"
#undef BERTH_SCALER
};

}  // namespace

std::span<const ScalerEntry> Scalers() { return kScalers; }

Result<ScalerEntry> FindScaler(std::string_view name) {
  std::string known;
  for (const ScalerEntry& entry : kScalers) {
    if (entry.name == name) return entry;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", entry.name);
  }
  return Status(
      Code::kInvalidArgument,
      fmt::format("scaler {}: there is none of that name; there are {}", Quoted(name), known));
}

bool Scaler::WantsMetric(std::string_view metric) const {
  const std::vector<std::string> needed = Metrics();
  return std::ranges::find(needed, metric) != needed.end();
}

double CpuOfAll(const ReplicaLoad& load) {
  return load.cpu_milli * static_cast<double>(load.measured() + load.unmeasured) / load.measured();
}

std::uint32_t WholeReplicas(double replicas) {
  constexpr double kRounding = 1e-6;
  const double whole = std::ceil(replicas - kRounding);
  if (!(whole > 0)) return 0;
  return static_cast<std::uint32_t>(std::min<double>(whole, kReplicasMax));
}

}  // namespace berth
